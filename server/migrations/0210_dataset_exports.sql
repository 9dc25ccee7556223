-- Exports of selected videos and events: one MCAP file with the events of each video, to lie beside the video.
create table dataset_exports (
  id text primary key,
  org_id text not null references organizations (id),
  owner_id text not null,
  as_admin boolean not null,
  folder_id text,
  dataset_id text,
  video_ids text[] not null,
  event_ids text[] not null,
  status text not null check (status in ('queued', 'building', 'completed', 'completed_with_gaps', 'failed')),
  built integer not null default 0,
  -- The written files, and what could not be included.
  sessions jsonb not null default '[]',
  gaps jsonb not null default '[]',
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  expires_at timestamptz not null
);
create index dataset_exports_expired on dataset_exports (expires_at);
