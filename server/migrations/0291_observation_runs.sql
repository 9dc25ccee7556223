-- Observation of chosen videos by chosen observers, before anyone asks. Each video has a job of its own.
create table observation_runs (
  id text primary key,
  org_id text not null references organizations (id) on delete cascade,
  owner_id text not null references users (id) on delete cascade,
  scope text not null check (scope in ('user', 'org')),
  observers text[] not null,
  detector text,
  created_at timestamptz not null default now()
);
create index observation_runs_by_organization on observation_runs (org_id, id);

create table observation_run_videos (
  run_id text not null references observation_runs (id) on delete cascade,
  video_id text not null references videos (id) on delete cascade,
  position integer not null,
  status text not null default 'waiting' check (status in ('waiting', 'running', 'completed', 'failed', 'canceled')),
  progress real not null default 0,
  job_id text,
  attempt integer not null default 0,
  problem_code text,
  problem_message text,
  primary key (run_id, video_id)
);
create index observation_run_videos_by_video on observation_run_videos (video_id);
