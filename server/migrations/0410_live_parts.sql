-- Parts of the newest segments, for players at the live edge. They are written while somebody watches, and deleted some
-- segments later; after a crash none are needed.
create unlogged table live_parts (
  session_id text not null,
  sequence integer not null,
  part integer not null,
  duration_s double precision not null,
  independent boolean not null,
  data bytea not null,
  primary key (session_id, sequence, part)
);

alter table live_sessions add column watched_until timestamptz;

create index live_sessions_by_video on live_sessions (video_id);
