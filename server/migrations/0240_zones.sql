-- Polygons and lines that were drawn in the frame of a video, or of all videos of a folder. Prompts call them by name.
create table zones (
  id text primary key,
  org_id text not null references organizations (id),
  video_id text references videos (id) on delete cascade,
  folder_id text references folders (id) on delete cascade,
  name text not null,
  -- Points in fractions of the frame, [{x, y}]: two are a line, more are a polygon.
  points jsonb not null,
  note text,
  created_by text not null references users (id),
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  check ((video_id is null) <> (folder_id is null))
);
create unique index zones_video_name on zones (video_id, lower(name)) where video_id is not null;
create unique index zones_folder_name on zones (folder_id, lower(name)) where folder_id is not null;
