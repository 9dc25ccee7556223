-- How a session is recorded: all of it, or spans around its events, with seconds before and after them. Of `duration_s`,
-- `retained_s` and `discarded_s` are decided. `unanswered_s` of `discarded_s` was not analyzed: a limit was reached before.
alter table live_sessions
  add column recording text not null default 'continuous' check (recording in ('continuous', 'events')),
  add column pre_roll_s double precision not null default 0,
  add column post_roll_s double precision not null default 0,
  add column retained_s double precision not null default 0,
  add column discarded_s double precision not null default 0,
  add column unanswered_s double precision not null default 0;

-- Null: not decided, or of a session that is recorded as a whole. The file of a discarded segment is deleted.
alter table live_segments add column decision text check (decision in ('retained', 'discarded'));
create index live_segments_undecided on live_segments (session_id, sequence) where decision is null;

alter table cameras
  add column recording text not null default 'continuous' check (recording in ('continuous', 'events')),
  add column pre_roll_s double precision not null default 5,
  add column post_roll_s double precision not null default 10;
