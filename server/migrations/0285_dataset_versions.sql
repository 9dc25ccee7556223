-- Versions of datasets: their events, verdicts and splits as they were at one moment, as values. Rows of a video are
-- left out while it is deleted, and end with it.
alter table datasets add column last_version integer not null default 0;

create table dataset_versions (
  id text primary key,
  dataset_id text not null references datasets (id) on delete cascade,
  number integer not null,
  name text not null,
  created_by text not null,
  filter jsonb not null,
  splits jsonb,
  status text not null check (status in ('processing', 'ready', 'failed')),
  -- JSON text of the dataset and its batches; null until it is ready.
  head text,
  video_count integer not null default 0,
  event_count integer not null default 0,
  sha256 text,
  size_bytes bigint,
  created_at timestamptz not null default now(),
  frozen_at timestamptz,
  unique (dataset_id, number)
);

create table dataset_version_rows (
  version_id text not null references dataset_versions (id) on delete cascade,
  position integer not null,
  -- Place of the batch in the version; null for a video without analyses.
  batch_position integer,
  video_id text not null references videos (id) on delete cascade,
  -- JSON text of the result, or of the video.
  content text not null,
  event_count integer not null,
  primary key (version_id, position)
);
create index dataset_version_rows_by_video on dataset_version_rows (video_id);
