-- Ids are opaque text made by the server (32 hex digits of a UUIDv7): they sort by age.

create table organizations (
  id text primary key,
  name text not null,
  created_at timestamptz not null default now()
);

create table users (
  id text primary key,
  org_id text not null references organizations (id),
  email text not null,
  name text not null,
  role text not null check (role in ('owner', 'admin', 'member')),
  password_hash text,                 -- scrypt with its parameters and salt; null: none was chosen
  sso_issuer text,                    -- who it is at the provider of single sign-on
  sso_subject text,
  created_at timestamptz not null default now(),
  removed_at timestamptz,             -- from then on it signs in no more and its keys end; what it made stays
  check ((sso_issuer is null) = (sso_subject is null))
);
create unique index users_email on users (lower(email)) where removed_at is null;
create unique index users_sso on users (sso_issuer, sso_subject) where removed_at is null;
create index users_by_org on users (org_id, id);

-- A browser in which someone is signed in. Its cookie is random; only the SHA-256 of it is kept.
create table sessions (
  id text primary key,
  user_id text not null references users (id),
  hash bytea not null unique,
  method text not null check (method in ('password', 'link', 'sso')),
  address text not null,              -- where it began
  user_agent text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_by_user on sessions (user_id, id);
create index sessions_by_expiry on sessions (expires_at);

-- Links that work once, by which someone chooses a password: the first set-up, a reset by the operator, an invitation. Only the SHA-256 of each is kept.
create table account_links (
  id text primary key,
  org_id text not null references organizations (id),
  kind text not null check (kind in ('setup', 'reset', 'invitation')),
  user_id text references users (id), -- whose password; null for an invitation, which makes its user
  email text,                         -- of an invitation
  role text check (role in ('owner', 'admin', 'member')),
  hash bytea not null unique,
  created_by text references users (id), -- null: the operator
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz,
  check ((kind = 'invitation') = (user_id is null)),
  check ((kind = 'invitation') = (email is not null and role is not null))
);
create index account_links_by_org on account_links (org_id, id);
create index account_links_by_email on account_links (email);
create index account_links_by_user on account_links (user_id);
create index account_links_by_expiry on account_links (expires_at);

create table api_keys (
  id text primary key,
  org_id text not null references organizations (id),
  user_id text not null references users (id),
  name text not null,
  prefix text not null,               -- first 8 characters, to show
  hash bytea not null unique,         -- SHA-256 of the whole key; the key itself is not kept
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  folder_id text                      -- the one folder it reaches; no reference: once that is gone, the key reaches nothing
);
create index api_keys_by_org on api_keys (org_id, id);

-- Who did what with keys and sessions. Written in the transaction of the change; never changed.
create table audit_events (
  id text primary key,
  org_id text not null references organizations (id),
  action text not null,               -- noun.verb
  user_id text,                       -- null: the operator, on the command line or at start
  key_id text,                        -- with which key, or in which session
  session_id text,
  address text,
  user_agent text,
  subject_id text not null,           -- what it was done to; like the ids above no reference: an entry outlives what it names
  detail jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index audit_events_by_org on audit_events (org_id, id);

create table folders (
  id text primary key,
  org_id text not null references organizations (id),
  owner_id text references users (id), -- null for the organisation's folders
  created_by text not null references users (id),
  scope text not null check (scope in ('user', 'org', 'sample')),
  name text not null,
  description text,
  video_count integer not null default 0,
  retention_days integer check (retention_days > 0), -- its videos are deleted this long after they came; null keeps them
  created_at timestamptz not null default now(),
  check ((scope = 'user') = (owner_id is not null))
);
create unique index folders_name on folders (org_id, scope, coalesce(owner_id, ''), name);
create index folders_with_retention on folders (id) where retention_days is not null;

create table videos (
  id text primary key,
  org_id text not null references organizations (id),
  owner_id text not null references users (id),
  scope text not null check (scope in ('user', 'org', 'sample')),
  folder_id text references folders (id),
  name text not null,
  source text not null,               -- file, video_url; later imports, mcap, live
  source_uri text,                    -- where it came from, for those that came from somewhere
  status text not null check (status in ('PREPARE_IN_PROGRESS', 'UPLOADED', 'UPLOADING_FAILED')),
  problem_code text,                  -- why it failed: a code and a sentence
  problem_message text,
  storage_key text not null,          -- where its file is; once it is there, videos with the same content share one
  reserved_bytes bigint not null default 0, -- what its organisation's space holds free for it while it comes
  size_bytes bigint,
  sha256 text,
  duration_s double precision,
  width integer,
  height integer,
  frame_rate double precision,
  probe jsonb,                        -- the whole of what the media engine said of the file
  metadata jsonb not null default '{}', -- what came with it, in our words
  user_metadata jsonb not null default '{}', -- what users say of it: names and values
  tags text[] not null default '{}',
  created_at timestamptz not null default now(),
  touched_at timestamptz,             -- heartbeat of the connection that brings the bytes; null when a job does, or when they are there
  deleted_at timestamptz,
  erase_after timestamptz,            -- of a deleted one: until then it can be restored
  check ((deleted_at is null) = (erase_after is null))
);
-- Each list is read off one of these from its cursor on: a page costs the same whatever the number of videos.
create index videos_by_org on videos (org_id, id) where deleted_at is null;
create index videos_shared on videos (org_id, id) where deleted_at is null and scope = 'org';
create index videos_personal on videos (owner_id, id) where deleted_at is null and scope = 'user';
create index videos_by_folder on videos (folder_id, id) where deleted_at is null;
create index videos_by_name on videos (org_id, scope, name, id) where deleted_at is null;
create index videos_personal_by_name on videos (owner_id, name, id) where deleted_at is null and scope = 'user';
create index videos_by_folder_and_name on videos (folder_id, name, id); -- deleted ones too: a folder that goes asks for them
create index videos_by_tag on videos using gin (tags) where deleted_at is null and tags <> '{}';
-- What a name can be found by: each three characters of it, in lower case, behind the organisation that looks. (The extension for this, pg_trgm, is
-- not on every server.)
create function name_parts(org_id text, name text) returns text[] language sql immutable strict parallel safe
  return (select coalesce(array_agg(distinct org_id || substr(lower(name), at, 3)), '{}') from generate_series(1, length(lower(name)) - 2) at);
-- Of deleted ones too: how often a part comes is learned from whole indexes alone, and what most names have is found sooner without this one.
create index videos_by_part_of_name on videos using gin (name_parts(org_id, name));
create index videos_deleted on videos (org_id, id) where deleted_at is not null;
create index videos_arriving on videos (touched_at) where status = 'PREPARE_IN_PROGRESS' and deleted_at is null;
create index videos_to_erase on videos (erase_after) where deleted_at is not null;

-- Files of videos by what is in them: within an organisation the same bytes lie in storage once, however many videos have them.
create table contents (
  org_id text not null references organizations (id),
  sha256 text not null,
  storage_key text not null unique,
  size_bytes bigint not null,
  uses integer not null check (uses > 0), -- videos that have it
  primary key (org_id, sha256)
);

-- What an organisation takes up: its videos, and the bytes that are stored or held free for uploads under way.
create table organization_space (
  org_id text primary key references organizations (id) on delete cascade,
  videos integer not null default 0,
  bytes bigint not null default 0,
  max_videos integer,                 -- its own limits; null: those of the service
  max_bytes bigint
);

-- Uploads that come in pieces, by the id of their video. Who writes holds the lease, on whatever node.
create table resumable_uploads (
  video_id text primary key references videos (id) on delete cascade,
  length bigint not null,             -- of the whole file, in bytes
  draft jsonb not null,               -- what storage must know of the pieces that are kept; its size is the offset
  sha256 text,                        -- what the client announced
  direct boolean not null default false, -- whether its parts go to storage without passing through here
  lease_holder text,
  lease_until timestamptz,
  wanted_at timestamptz,              -- when another connection last asked for the lease
  expires_at timestamptz not null
);
create index resumable_uploads_by_expiry on resumable_uploads (expires_at);

-- Saved access to somebody's bucket.
create table integrations (
  id text primary key,
  org_id text not null references organizations (id),
  created_by text not null references users (id),
  scope text not null check (scope in ('user', 'org')), -- who may use it: who made it, or everyone
  name text not null,
  type text not null check (type in ('gcs', 's3', 'hf_bucket', 's3_storage_transfer')),
  bucket text not null,
  prefix text,
  region text,
  endpoint_url text,
  addressing text check (addressing in ('path', 'virtual')),
  role_arn text,
  sealed jsonb,                       -- the credentials, by a data key that the root secret wraps; null: a role needs none
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index integrations_by_org on integrations (org_id, id);

-- An import that is repeated, and brings each time what is new.
create table import_syncs (
  id text primary key,
  org_id text not null references organizations (id),
  owner_id text not null references users (id),
  integration_id text not null references integrations (id),
  folder_id text,                     -- no reference: without its folder it stops
  scope text not null check (scope in ('user', 'org')),
  selection jsonb not null,
  sidecars boolean not null,
  every_minutes integer not null check (every_minutes > 0),
  next_at timestamptz not null,
  problem_code text,                  -- why it has stopped
  problem_message text,
  last_job_id text,
  created_at timestamptz not null default now()
);
create index import_syncs_by_org on import_syncs (org_id, id);
create index import_syncs_due on import_syncs (next_at) where problem_code is null;

-- Objects of a bucket that become videos.
create table import_jobs (
  id text primary key,                -- ij_ and 12 hex digits
  org_id text not null references organizations (id),
  owner_id text not null references users (id),
  scope text not null check (scope in ('user', 'org')),
  folder_id text references folders (id) on delete set null,
  integration_id text references integrations (id) on delete set null,
  sync_id text references import_syncs (id) on delete set null,
  provider text not null check (provider in ('gcs', 's3', 'hf_bucket')),
  bucket text not null,
  public boolean not null,            -- read without an integration
  selection jsonb,                    -- what of the bucket is brought; null: its objects were named
  sidecars boolean not null,
  multi_view boolean not null,
  status text not null check (status in ('importing', 'completed', 'partial', 'failed', 'cancelled')),
  listed boolean not null default false, -- whether all rows are there
  list_cursor text,                   -- where the listing goes on
  total integer not null default 0,   -- rows with a position
  objects integer not null default 0, -- rows
  uploaded integer not null default 0,
  failed integer not null default 0,
  problem_code text,                  -- why the listing ended early
  problem_message text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  completed_at timestamptz
);
create index import_jobs_by_org on import_jobs (org_id, created_at, id);
create index import_jobs_by_integration on import_jobs (integration_id) where status = 'importing';
create index import_jobs_running on import_jobs (updated_at) where status = 'importing';

-- One object of an import, by the id of the video that it becomes. Whoever brings it moves `due_at` on while they do.
create table import_rows (
  video_id text primary key,          -- no reference: a row outlives its video, and tells of those that never came
  job_id text not null references import_jobs (id) on delete cascade,
  position integer,                   -- from 1 on without gaps; null: a view beside the front one of its set
  set_id text,                        -- the video of the set's front view
  view text,
  sync_id text references import_syncs (id) on delete set null,
  object_key text not null,
  version text,                       -- what the listing said of the contents: another one is another object
  read_version text,                  -- what its provider said of those that were brought, where that is another
  size_bytes bigint,
  status text not null check (status in ('PROCESSING', 'UPLOADED', 'UPLOADING_FAILED')),
  begun boolean not null,             -- whether its video's record was made
  attempts integer not null default 0,
  lane integer,                       -- who has it, until due_at
  holder text,
  due_at timestamptz not null default now(), -- from when on it can be taken
  problem_code text,
  problem_message text
);
create unique index import_rows_by_place on import_rows (job_id, position) where position is not null;
create index import_rows_waiting on import_rows (job_id, due_at) where status = 'PROCESSING';
create index import_rows_by_set on import_rows (set_id) where set_id is not null;
create index import_rows_of_sync on import_rows (sync_id, object_key) where sync_id is not null;

-- What was observed in a video: once per kind and engine version, reused for ever. The bytes are in storage.
create table observations (
  video_id text not null references videos (id) on delete cascade,
  kind text not null,
  version text not null,
  status text not null check (status in ('running', 'ready')),
  storage_key text not null,
  size_bytes bigint,
  lease_holder text,                  -- who is observing now, and until when that counts
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  primary key (video_id, kind, version)
);

-- One reader-facing, append-only log per query, livestream, ...: ids grow by one, a reader resumes after any of them.
create table streams (
  id text primary key,
  org_id text not null references organizations (id),
  owner_id text not null references users (id),
  last_id bigint not null default 0,
  closed_at timestamptz,
  purged boolean not null default false, -- whether all its events but the last are gone
  created_at timestamptz not null default now()
);
create index streams_by_closing on streams (closed_at) where not purged;

create table stream_events (
  stream_id text not null references streams (id) on delete cascade,
  id bigint not null,
  kind text not null,
  data json not null,                 -- kept as text: it is passed on, never searched
  created_at timestamptz not null default now(),
  primary key (stream_id, id)
);

create table batches (
  id text primary key,
  org_id text not null references organizations (id),
  owner_id text not null references users (id),
  stream_id text not null unique references streams (id),
  client_id text,                     -- the client's own name for it, under which it is asked for once
  scope text not null check (scope in ('user', 'org')), -- who may read it: the owner, or the organisation because all its videos are shared
  query text not null,
  config jsonb not null,
  status text not null check (status in ('processing', 'completed', 'failed', 'cancelled')),
  total integer not null,
  completed integer not null default 0, -- ended in any way
  failed integer not null default 0,
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  completed_at timestamptz
);
create index batches_by_org on batches (org_id, id);
create unique index batches_by_client on batches (owner_id, client_id) where client_id is not null;

create table analyses (
  id text primary key,
  org_id text not null references organizations (id),
  owner_id text not null references users (id),
  video_id text not null,             -- no reference: an analysis outlives its video to say what became of it
  batch_id text references batches (id) on delete cascade,
  position integer not null,          -- place in the batch; a video may stand in it twice
  scope text not null check (scope in ('user', 'org')), -- its video's, so that reading a result asks one table
  query text not null,
  mode text not null check (mode in ('fast', 'thinking')),
  plan jsonb,                         -- the plan the client sent, if it sent one
  status text not null check (status in ('PROCESSING', 'COMPLETED', 'FAILED')),
  stage text,
  progress real not null default 0,   -- 0 to 100, never falls
  problem_code text,
  problem_message text,
  document json,                      -- kept as text: it is passed on as it is
  hidden boolean not null default false, -- whether its video is deleted: nobody reads the document unless the video is restored
  -- The document's events and answer apart: who polls a status has no whole document read.
  events json generated always as (document #> '{analysis,events}') stored,
  answer text generated always as (document #>> '{analysis,answer}') stored,
  attempt integer not null default 0, -- fences writes of a worker that lost its job
  job_id text,
  created_at timestamptz not null default now(),
  completed_at timestamptz
);
create index analyses_by_batch on analyses (batch_id, position);
create index analyses_by_video on analyses (video_id, id);

-- Searches among events, with what they found; kept for 30 days.
create table search_sessions (
  id text primary key,
  org_id text not null references organizations (id),
  owner_id text not null references users (id),
  query text not null,
  folder_id text not null,            -- no reference, and its name beside it: a result outlives the folder
  folder_name text not null,
  result jsonb,
  created_at timestamptz not null default now(),
  completed_at timestamptz
);
create index search_sessions_by_age on search_sessions (created_at);

-- Recordings of robots and vehicles that were brought from a bucket together.
create table mcap_imports (
  id text primary key,
  org_id text not null references organizations (id),
  owner_id text not null references users (id),
  integration_id text not null,       -- no reference: an import outlives it
  created_at timestamptz not null default now()
);

-- A recording (MCAP), and how it becomes videos.
create table mcap_ingests (
  id text primary key,
  org_id text not null references organizations (id),
  owner_id text not null references users (id),
  scope text not null check (scope in ('user', 'org')),
  folder_id text references folders (id) on delete set null,
  import_id text references mcap_imports (id) on delete cascade,
  object_key text,                    -- of an import: which object it is
  filename text not null,
  source_uri text not null,
  size_bytes bigint,                  -- announced; null of an import until it is here
  reserved_bytes bigint not null default 0, -- of its organisation's space, held for it until its videos are there
  sha256 text,
  part_s integer,                     -- its videos are cut into stretches of this many seconds; null: not
  status text not null check (status in ('created', 'transferring', 'uploaded', 'processing', 'completed', 'partial', 'failed')),
  problem_code text,
  problem_message text,
  storage_key text,                   -- the recording, while it is here
  roles jsonb not null default '{}',  -- what was said of its channels
  survey jsonb,                       -- what it holds
  created_at timestamptz not null default now(),
  completed_at timestamptz
);
create index mcap_ingests_by_import on mcap_ingests (import_id, id) where import_id is not null;
create index mcap_ingests_waiting on mcap_ingests (created_at) where status in ('created', 'uploaded');

-- What became of a recording's channels of pictures: the videos of each, or why there are none.
create table mcap_films (
  ingest_id text not null references mcap_ingests (id) on delete cascade,
  channel text not null,
  part integer not null,              -- which stretch of the recording
  video_id text,                      -- no reference: what became of it is told after it is deleted; null where there is none
  status text not null check (status in ('processing', 'completed', 'failed')),
  problem_code text,
  problem_message text,
  film jsonb,                         -- times, counts, gaps
  primary key (ingest_id, channel, part)
);

-- Videos of one happening from several cameras, by the video of the first of them. A video is in one such set at most.
create table views (
  primary_video_id text not null references videos (id) on delete cascade,
  role text not null,
  video_id text not null unique references videos (id) on delete cascade,
  label text,
  offset_s double precision not null, -- when its first frame was taken, after the first frame of the primary
  primary key (primary_video_id, role)
);

-- Cameras and other sources, by the name that their organisation gives them; the sessions of one are recorded under it.
create table live_streams (
  org_id text not null references organizations (id),
  id text not null,                   -- the client's own, or made here
  owner_id text not null references users (id),
  name text not null,
  source_url text not null,           -- as it may be shown: without credentials
  retention_days integer check (retention_days > 0), -- its recordings are deleted this many days after they ended; null keeps them
  created_at timestamptz not null default now(),
  primary key (org_id, id)
);

-- One following of a source. Whoever follows it moves `lease_until` on while they do, and writes only while they hold it.
create table live_sessions (
  id text primary key,
  org_id text not null,
  stream_id text not null,
  owner_id text not null references users (id),
  scope text not null check (scope in ('user', 'org')),
  folder_id text references folders (id) on delete set null,
  name text not null,
  source_url text not null,           -- as it may be shown
  source_secret jsonb,                -- the whole URL, sealed; null once the session has ended
  query text,                         -- what is looked for while it goes on
  status text not null check (status in ('INITIALIZING', 'ACTIVE', 'ENDING', 'FINISHED', 'FAILED')),
  problem_code text,                  -- why it failed, or ended before anyone asked
  problem_message text,
  video_id text not null,             -- of the first recording; no reference: a session outlives it
  holder text,
  lease_until timestamptz not null default now(),
  segments integer not null default 0,
  epochs integer not null default 0,
  duration_s double precision not null default 0, -- of what is recorded
  bytes bigint not null default 0,
  longest_s double precision not null default 0,  -- of its segments
  lead_s double precision,            -- by how much its files' times are ahead of places in the recording
  events integer not null default 0,
  connected boolean not null default false,       -- whether pictures are coming
  removed boolean not null default false,         -- whether its recordings were deleted for their age
  created_at timestamptz not null default now(),
  started_at timestamptz,             -- when its first picture was taken
  ended_at timestamptz,
  foreign key (org_id, stream_id) references live_streams (org_id, id)
);
create index live_sessions_by_org on live_sessions (org_id, id);
create index live_sessions_by_stream on live_sessions (org_id, stream_id, id);
create index live_sessions_going on live_sessions (lease_until) where status in ('INITIALIZING', 'ACTIVE', 'ENDING');
create index live_sessions_kept on live_sessions (ended_at) where not removed and status in ('FINISHED', 'FAILED');

-- A stretch of a session without a break: one description of its tracks holds for all of its segments.
create table live_epochs (
  session_id text not null references live_sessions (id) on delete cascade,
  epoch integer not null,             -- from 0 on
  video_id text,                      -- the recording that it became part of
  init bytea not null,                -- the initialisation section (fragmented MP4)
  codecs text not null,               -- as RFC 6381 has them
  width integer not null,
  height integer not null,
  primary key (session_id, epoch)
);
create index live_epochs_by_video on live_epochs (video_id);

-- What was recorded, segment by segment. `start_s` counts what is recorded, so it is the place in the recording; `stream_s` counts time, gaps too.
create table live_segments (
  session_id text not null,
  sequence integer not null,          -- from 0 on without gaps
  epoch integer not null,
  start_s double precision not null,
  stream_s double precision not null,
  duration_s double precision not null,
  captured_at timestamptz not null,   -- when its first picture was taken
  bytes integer not null,
  storage_key text not null,          -- the segment, or the recording that it became part of
  film_offset bigint,                 -- where in the recording it lies; null while it is a file of its own
  primary key (session_id, sequence),
  foreign key (session_id, epoch) references live_epochs (session_id, epoch) on delete cascade
);

-- Stretches of time of which nothing was recorded.
create table live_gaps (
  session_id text not null references live_sessions (id) on delete cascade,
  sequence integer not null,          -- the segment after it
  from_at timestamptz not null,
  until_at timestamptz not null,
  reason text not null,
  primary key (session_id, sequence)
);

-- What was found while a session went on: only ever added to.
create table live_events (
  session_id text not null references live_sessions (id) on delete cascade,
  position integer not null,          -- from 0 on without gaps
  id text not null unique,
  chunk_index integer not null,       -- the segment that it began in
  stream_s double precision not null,
  captured_at timestamptz not null,
  data json not null,                 -- what it is, as it is told; once more when it has ended
  created_at timestamptz not null default now(),
  primary key (session_id, position)
);

-- How far a session that is asked for something was looked at. Whoever does it moves `lease_until` on, and writes only while they hold it.
create table live_analyses (
  session_id text primary key references live_sessions (id) on delete cascade,
  holder text,
  lease_until timestamptz not null default now(),
  next integer not null default 0,    -- the first segment that was not looked at
  until integer,                      -- how many segments there are, once nothing more comes
  known_s double precision not null default 0,   -- until when the stream was looked at
  sampling text not null default 'full' check (sampling in ('full', 'reduced', 'sparse', 'pictures')),
  behind_s double precision not null default 0,  -- of what is recorded and was not looked at then
  skipped_s double precision not null default 0, -- of what was left out
  told json not null default '[]',    -- what was told lately, to know it again
  since json not null default '{}',   -- from when on the stream was asked for each part of the query
  coverage json not null default '[]',
  ended_at timestamptz
);
create index live_analyses_going on live_analyses (lease_until) where ended_at is null;

-- What was observed in the last segments of a session: for whoever takes its analysis over.
create table live_observed (
  session_id text not null references live_analyses (session_id) on delete cascade,
  sequence integer not null,
  data bytea not null,
  primary key (session_id, sequence)
);

-- Writes of a key or an address in the minute and the day that each started with its first. Unlogged: a crash forgives, and counting waits for no disk.
create unlogged table rate_limits (
  subject text primary key,
  minute_at timestamptz not null,
  minute_count integer not null,
  day_at timestamptz not null,
  day_count integer not null
);

-- The first answer to a write, replayed for 24 hours to whoever repeats it with the same Idempotency-Key.
create table idempotency_keys (
  scope text not null,                -- the caller
  key text not null,
  fingerprint text not null,          -- method, path and a digest of the body
  holder text not null,               -- which handling of the request this is; one that was taken over writes nothing
  status integer,                     -- null while the first request is under way
  content_type text,                  -- null when the body is not an answer but what a stream's route remembered
  body bytea,
  locked_until timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (scope, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
