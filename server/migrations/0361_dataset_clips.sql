-- Clips of datasets: ranges of videos, in seconds. Those of a deleted video are left out until it is restored, and end
-- with it.
create table dataset_clips (
  id text primary key,
  dataset_id text not null references datasets (id) on delete cascade,
  video_id text not null references videos (id) on delete cascade,
  start_s double precision not null,
  end_s double precision not null,
  label text,
  check (0 <= start_s and start_s < end_s)
);
create unique index dataset_clips_once on dataset_clips (dataset_id, video_id, start_s, end_s, coalesce(label, ''));
create index dataset_clips_by_video on dataset_clips (video_id);

alter table dataset_versions add column clip_count integer not null default 0;
-- True: the content is a clip.
alter table dataset_version_rows add column is_clip boolean not null default false;
