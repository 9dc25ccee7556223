-- When recordings of a camera are deleted; null: never.
alter table cameras add column retention jsonb;

-- Recordings that stay although they are past the retention of their camera, as somebody restored them.
create table kept_recordings (
  video_id text primary key references videos (id) on delete cascade
);
