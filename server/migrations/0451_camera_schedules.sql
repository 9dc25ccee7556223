-- What holds for all sessions of a camera. `schedule`: null for always, or the weekly times at which it is recorded.
alter table cameras
  add column time_zone text,
  add column schedule jsonb,
  -- The query that the newest session was given; somebody may have changed it since.
  add column session_query text,
  -- Until then, no alert is raised for it.
  add column muted_until timestamptz;

-- Saved questions that are answered while a camera is recorded.
create table camera_questions (
  camera_id text not null references cameras (id) on delete cascade,
  saved_question_id text not null references saved_questions (id) on delete cascade,
  primary key (camera_id, saved_question_id)
);
create index camera_questions_of_question on camera_questions (saved_question_id);

-- Time zone of the place, which the recording clocks of a session get.
alter table live_sessions add column time_zone text;

-- Zones of a camera hold for all of its recordings.
alter table zones add column camera_id text references cameras (id) on delete cascade;
alter table zones drop constraint zones_check;
alter table zones add constraint zones_check check (num_nonnulls(video_id, folder_id, camera_id) = 1);
create unique index zones_camera_name on zones (camera_id, lower(name)) where camera_id is not null;
