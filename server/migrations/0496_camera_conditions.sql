-- Since when the picture of a session has not changed, or has been black, by the clock of the source; null: neither.
alter table live_sessions
  add column frozen_since timestamptz,
  add column black_since timestamptz;

-- Times at which a camera that is on sent nothing, or a black or frozen picture; `ended_at` null: it still does.
create table camera_faults (
  id text primary key,
  camera_id text not null references cameras (id) on delete cascade,
  kind text not null check (kind in ('offline', 'black', 'frozen')),
  message text,
  started_at timestamptz not null,
  ended_at timestamptz
);
create index camera_faults_of_camera on camera_faults (camera_id, id);
-- A camera has one of a kind at a time.
create unique index camera_faults_open on camera_faults (camera_id, kind) where ended_at is null;
