-- The reading of a saved question: the plan of its words (`plan ->> 'query'`), and the version of the engine that read
-- them. Null, or of other words: it was saved by a node of an earlier version, and is read again by the next job.
alter table saved_questions
  add column plan json,
  add column plan_version text,
  -- Identifies the other reading that somebody decided not to accept.
  add column declined_reading text;

-- The reading of the query of a session, which every node analyzes it by. Null, or of other words: as above.
alter table live_analyses add column plan json;

-- The reading that the newest session of a camera was given, as a digest.
alter table cameras add column session_reading text;
