-- Prompts that the service runs by itself on each new video of a folder; without a folder, on each one that their owner
-- may use. A folder may be deleted: the question then runs no more.
create table saved_questions (
  id text primary key,
  org_id text not null references organizations (id),
  owner_id text not null references users (id),
  scope text not null check (scope in ('user', 'org')),
  name text not null,
  query text not null,
  mode text not null check (mode in ('fast', 'thinking')),
  min_confidence double precision not null,
  verify text not null check (verify in ('auto', 'always', 'never')),
  folder_id text,
  enabled boolean not null,
  snoozed_until timestamptz,
  -- Which events are announced, and when.
  rule jsonb not null,
  last_alert_at timestamptz,
  created_at timestamptz not null default now()
);
create index saved_questions_by_org on saved_questions (org_id, id);

-- The run of a question on a video. There is one at most.
create table saved_question_runs (
  id text primary key,
  question_id text not null references saved_questions (id) on delete cascade,
  video_id text not null references videos (id) on delete cascade,
  status text not null check (status in ('waiting', 'processing', 'completed', 'failed')),
  -- False if a user ran the question on existing videos without alerts.
  announces boolean not null,
  batch_id text,
  analysis_id text,
  event_count integer not null default 0,
  matching_count integer not null default 0,
  alert_count integer not null default 0,
  -- Why matching events were not announced.
  silenced text check (silenced in ('not_requested', 'paused', 'snoozed', 'quiet_hours', 'cooldown')),
  problem_code text,
  problem_message text,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  unique (question_id, video_id)
);
create index saved_question_runs_by_question on saved_question_runs (question_id, id);
create index saved_question_runs_by_batch on saved_question_runs (batch_id, video_id);
create index saved_question_runs_by_video on saved_question_runs (video_id);
