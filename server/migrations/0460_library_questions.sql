-- Questions about a library. `selection`: how many of its videos were chosen, and why others were not. `picks`: which event
-- of all videos is the answer; `answer` states it once the batch has ended.
alter table batches
  add column selection jsonb,
  add column picks text,
  add column answer text,
  add column answer_event_id text;

-- Filters of the videos of a saved question by the time of recording, and the zone of these and of the prompt; null: none,
-- and that of each video.
alter table saved_questions
  add column time_zone text,
  add column recorded jsonb;
