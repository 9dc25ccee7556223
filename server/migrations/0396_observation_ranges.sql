-- Ranges of passes over videos that have not ended, so that another attempt continues after them. `pass` is a digest of
-- the observers and their versions. Only the last range has the state of the pass.
create table observation_ranges (
  video_id text not null references videos (id) on delete cascade,
  pass text not null,
  position integer not null,
  added bytea not null,
  state bytea,
  fraction double precision not null,
  created_at timestamptz not null default now(),
  primary key (video_id, pass, position)
);
-- Both are compressed already.
alter table observation_ranges alter column added set storage external, alter column state set storage external;
create index observation_ranges_by_age on observation_ranges (created_at);
