-- Cameras: sources that are recorded whenever they are wanted, each time as a session of `live_sessions`.
create table cameras (
  id text primary key,
  org_id text not null references organizations (id),
  owner_id text not null references users (id),
  scope text not null check (scope in ('user', 'org')),
  folder_id text references folders (id) on delete set null,
  name text not null,
  -- URL without credentials, for display; the encrypted URL with them.
  source_url text not null,
  source_secret jsonb not null,
  has_credentials boolean not null,
  -- False: not recorded.
  enabled boolean not null,
  -- The newest session.
  session_id text,
  -- Why no session could be started or the last one ended early, since when, and when the next attempt is due.
  problem_code text,
  problem_message text,
  offline_since timestamptz,
  attempts integer not null default 0,
  retry_at timestamptz,
  -- The image that the last connection test stored.
  snapshot_at timestamptz,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);
create index cameras_of_organization on cameras (org_id, id);
create index cameras_by_session on cameras (session_id) where session_id is not null;
create index cameras_enabled on cameras (id) where enabled;

-- The camera that a session recorded, and that a video is a recording of.
alter table live_sessions add column camera_id text references cameras (id) on delete set null;
create index live_sessions_of_camera on live_sessions (camera_id, id) where camera_id is not null;
alter table videos add column camera_id text references cameras (id) on delete set null;
create index videos_of_camera on videos (camera_id, id) where camera_id is not null;
