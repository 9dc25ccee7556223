-- What the migrations add up to. Written by npm run generate; not run by anything.

CREATE OR REPLACE FUNCTION public.event_query(org_id text, words text)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (SELECT (string_agg((((''''::text || "right"(event_query.org_id, 6)) || replace(replace(unnest.lexeme, '\'::text, '\\'::text), ''''::text, ''''''::text)) || ''''::text), ' & '::text))::tsquery AS string_agg FROM unnest(to_tsvector('english'::regconfig, event_query.words)) unnest(lexeme, positions, weights))
;

CREATE OR REPLACE FUNCTION public.event_query_any(org_id text, words text)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (SELECT (string_agg((((''''::text || "right"(event_query_any.org_id, 6)) || replace(replace(unnest.lexeme, '\'::text, '\\'::text), ''''::text, ''''''::text)) || ''''::text), ' | '::text))::tsquery AS string_agg FROM unnest(to_tsvector('english'::regconfig, event_query_any.words)) unnest(lexeme, positions, weights))
;

CREATE OR REPLACE FUNCTION public.event_words(org_id text, words text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN array_to_tsvector(ARRAY(SELECT ("right"(event_words.org_id, 6) || unnest.lexeme) FROM unnest(to_tsvector('english'::regconfig, event_words.words)) unnest(lexeme, positions, weights)))
;

CREATE OR REPLACE FUNCTION public.local_time(instant timestamp with time zone, zone text)
 RETURNS timestamp without time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN CASE WHEN (zone ~ '^[+-]'::text) THEN (instant AT TIME ZONE (zone)::interval) ELSE (instant AT TIME ZONE COALESCE(zone, 'UTC'::text)) END
;

CREATE OR REPLACE FUNCTION public.name_parts(org_id text, name text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (SELECT COALESCE(array_agg(DISTINCT (name_parts.org_id || substr(lower(name_parts.name), at.at, 3))), '{}'::text[]) AS "coalesce" FROM generate_series(1, (length(lower(name_parts.name)) - 2)) at(at))
;

CREATE OR REPLACE FUNCTION public.passage_words(text text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (text || CASE WHEN (text ~ '[[:alpha:]][[:digit:]]|[[:digit:]][[:alpha:]]'::text) THEN (' '::text || regexp_replace(regexp_replace(text, '([[:alpha:]])([[:digit:]])'::text, '\1 \2'::text, 'g'::text), '([[:digit:]])([[:alpha:]])'::text, '\1 \2'::text, 'g'::text)) ELSE ''::text END)
;

CREATE OR REPLACE FUNCTION public.record_activity(org_id text, resource text, resource_id text, change text, owner_id text, scope text, folder_id text, data json, previous_scope text DEFAULT NULL::text, previous_folder_id text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
begin
  insert into activity (org_id, resource, resource_id, change, owner_id, scope, folder_id, data, previous_scope, previous_folder_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  on conflict (resource, resource_id) where id is null and change = 'progress'
  do update set sequence = excluded.sequence, owner_id = excluded.owner_id, scope = excluded.scope,
    folder_id = excluded.folder_id, data = excluded.data, created_at = excluded.created_at;
  perform pg_notify('sightline_activity', $1);
end $function$
;

CREATE OR REPLACE FUNCTION public.record_analysis()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  analysis record := case when tg_op = 'DELETE' then old else new end;
begin
  perform record_activity(analysis.org_id, 'analysis', analysis.id,
    case
      when tg_op = 'INSERT' then 'created'
      when tg_op = 'DELETE' then 'deleted'
      when old.review_count <> new.review_count then 'reviewed'
      when old.status <> new.status then 'done'
      else 'progress'
    end,
    analysis.owner_id, analysis.scope, (select folder_id from videos where id = analysis.video_id),
    json_build_object('video_id', analysis.video_id, 'batch_id', analysis.batch_id, 'status', analysis.status, 'stage', analysis.stage,
      'progress', round(analysis.progress::numeric, 1)));
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.record_batch()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  batch record := case when tg_op = 'DELETE' then old else new end;
begin
  perform record_activity(batch.org_id, 'batch', batch.id,
    case
      when tg_op = 'INSERT' then 'created'
      when tg_op = 'DELETE' then 'deleted'
      when old.status <> new.status then 'done'
      when (old.completed, old.failed) is distinct from (new.completed, new.failed) then 'progress'
      else 'changed'
    end,
    batch.owner_id, batch.scope, null,
    json_build_object('status', batch.status, 'total', batch.total, 'completed', batch.completed, 'failed', batch.failed));
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.record_import_job()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  job record := case when tg_op = 'DELETE' then old else new end;
begin
  perform record_activity(job.org_id, 'import_job', job.id,
    case
      when tg_op = 'INSERT' then 'created'
      when tg_op = 'DELETE' then 'deleted'
      when old.status = new.status then 'progress'
      when new.status = 'importing' then 'status'
      else 'done'
    end,
    job.owner_id, job.scope, job.folder_id,
    json_build_object('status', job.status, 'total', job.total, 'uploaded', job.uploaded, 'failed', job.failed, 'skipped', job.skipped));
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.record_live_session()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform record_activity(new.org_id, 'live_session', new.id,
    case
      when tg_op = 'INSERT' then 'created'
      when old.status <> new.status and new.status in ('FINISHED', 'FAILED') then 'done'
      when (old.status, old.connected, old.query) is distinct from (new.status, new.connected, new.query) then 'status'
      else 'progress'
    end,
    new.owner_id, new.scope, new.folder_id,
    json_build_object('stream_id', new.stream_id, 'status', new.status, 'connected', new.connected, 'duration_s', new.duration_s,
      'event_count', new.event_count));
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.record_mcap_ingest()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  ingest record := case when tg_op = 'DELETE' then old else new end;
begin
  perform record_activity(ingest.org_id, 'mcap_ingest', ingest.id,
    case
      when tg_op = 'INSERT' then 'created'
      when tg_op = 'DELETE' then 'deleted'
      when new.status in ('completed', 'partial', 'failed') then 'done'
      else 'status'
    end,
    ingest.owner_id, ingest.scope, ingest.folder_id, json_build_object('status', ingest.status));
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.record_upload()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  upload_id text := case when tg_op = 'DELETE' then old.video_id else new.video_id end;
begin
  perform record_activity(org_id, 'upload', id, case when tg_op = 'DELETE' then 'done' else 'created' end, owner_id, scope, folder_id,
    json_build_object('status', status))
  from videos where id = upload_id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.record_video()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  video record := case when tg_op = 'DELETE' then old else new end;
  change text;
begin
  change := case
    when tg_op = 'INSERT' then 'created'
    when tg_op = 'DELETE' then 'deleted'
    when old.deleted_at is null and new.deleted_at is not null then 'trashed'
    when old.deleted_at is not null and new.deleted_at is null then 'restored'
    when new.deleted_at is not null then null
    when (old.scope, old.folder_id) is distinct from (new.scope, new.folder_id) then 'moved'
    when old.status <> new.status then 'status'
    else 'changed'
  end;
  if change is null then return null; end if;
  perform record_activity(video.org_id, 'video', video.id, change, video.owner_id,
    case when change = 'trashed' then old.scope else video.scope end,
    case when change = 'trashed' then old.folder_id else video.folder_id end,
    json_build_object('status', video.status),
    case when change = 'moved' then old.scope end, case when change = 'moved' then old.folder_id end);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.recorded_time(recorded_at timestamp with time zone, clock jsonb, seconds double precision)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (recorded_at + make_interval(secs => ((seconds * COALESCE(((clock ->> 'rate'::text))::double precision, (1)::double precision)) + COALESCE((SELECT sum(((jump.value ->> 'seconds'::text))::double precision) AS sum FROM jsonb_array_elements((recorded_time.clock -> 'jumps'::text)) jump(value) WHERE (((jump.value ->> 'atS'::text))::double precision <= recorded_time.seconds)), (0)::double precision))))
;

CREATE OR REPLACE FUNCTION public.refuse_deletion_of_held_video()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the video % is on legal hold', old.id using errcode = 'restrict_violation';
end $function$
;

create table account_links (
  id text not null,
  org_id text not null,
  kind text not null,
  user_id text,
  email text,
  role text,
  hash bytea not null,
  created_by text,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint account_links_pkey PRIMARY KEY (id),
  constraint account_links_hash_key UNIQUE (hash),
  constraint account_links_check CHECK (((kind = 'invitation'::text) = (user_id IS NULL))),
  constraint account_links_check1 CHECK (((kind = 'invitation'::text) = ((email IS NOT NULL) AND (role IS NOT NULL)))),
  constraint account_links_kind_check CHECK ((kind = ANY (ARRAY['setup'::text, 'reset'::text, 'invitation'::text]))),
  constraint account_links_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text])))
);

create table activity (
  sequence bigint not null generated by default as identity,
  org_id text not null,
  id bigint,
  resource text not null,
  resource_id text not null,
  change text not null,
  owner_id text,
  scope text not null,
  folder_id text,
  previous_scope text,
  previous_folder_id text,
  data json not null,
  created_at timestamp with time zone not null default now(),
  constraint activity_pkey PRIMARY KEY (sequence)
);

create table activity_heads (
  org_id text not null,
  last_id bigint not null default 1,
  purged_id bigint not null default 1,
  constraint activity_heads_pkey PRIMARY KEY (org_id)
);

create table alert_mutes (
  user_id text not null,
  question_id text not null,
  muted_until timestamp with time zone,
  constraint alert_mutes_pkey PRIMARY KEY (user_id, question_id)
);

create table alert_reads (
  user_id text not null,
  alert_id text not null,
  constraint alert_reads_pkey PRIMARY KEY (user_id)
);

create table alerts (
  id text not null,
  org_id text not null,
  question_id text,
  analysis_id text,
  "position" integer,
  other_events integer not null,
  created_at timestamp with time zone not null default now(),
  session_id text,
  live_event_id text,
  camera_fault_id text,
  constraint alerts_pkey PRIMARY KEY (id),
  constraint alerts_analysis_id_position_question_id_key UNIQUE (analysis_id, "position", question_id)
);

create table analyses (
  id text not null,
  org_id text not null,
  owner_id text not null,
  video_id text not null,
  batch_id text,
  "position" integer not null,
  scope text not null,
  query text not null,
  mode text not null,
  plan jsonb,
  status text not null,
  stage text,
  progress real not null default 0,
  problem_code text,
  problem_message text,
  document json,
  hidden boolean not null default false,
  events json generated always as ((document #> '{analysis,events}'::text[])) stored,
  answer text generated always as ((document #>> '{analysis,answer}'::text[])) stored,
  attempt integer not null default 0,
  job_id text,
  created_at timestamp with time zone not null default now(),
  completed_at timestamp with time zone,
  min_confidence real not null default 0.5,
  events_indexed boolean not null default false,
  output_schema jsonb,
  review_count integer not null default 0,
  key_id text,
  verify text not null default 'auto'::text,
  caption_mode text,
  vision_profile text,
  detector text,
  workflow text,
  reading jsonb,
  job_class text not null default 'batch'::text,
  time_zone text,
  requested_at timestamp with time zone,
  missed text,
  preliminary jsonb,
  constraint analyses_pkey PRIMARY KEY (id),
  constraint analyses_caption_mode_check CHECK ((caption_mode = ANY (ARRAY['driving'::text, 'construction'::text, 'robotics'::text]))),
  constraint analyses_job_class_check CHECK ((job_class = ANY (ARRAY['interactive'::text, 'batch'::text, 'background'::text]))),
  constraint analyses_min_confidence_check CHECK (((min_confidence >= (0)::double precision) AND (min_confidence <= (1)::double precision))),
  constraint analyses_mode_check CHECK ((mode = ANY (ARRAY['fast'::text, 'thinking'::text]))),
  constraint analyses_scope_check CHECK ((scope = ANY (ARRAY['user'::text, 'org'::text]))),
  constraint analyses_status_check CHECK ((status = ANY (ARRAY['PROCESSING'::text, 'COMPLETED'::text, 'FAILED'::text]))),
  constraint analyses_workflow_check CHECK ((workflow = ANY (ARRAY['action_segmentation'::text, 'action_classification'::text])))
);

create table analysis_events (
  analysis_id text not null,
  "position" integer not null,
  org_id text not null,
  owner_id text,
  scope text not null,
  video_id text not null,
  folder_id text,
  batch_id text,
  type text not null,
  label text not null,
  severity text not null,
  confidence real not null,
  start_s double precision not null,
  end_s double precision not null,
  image text,
  created_at timestamp with time zone not null,
  words tsvector not null,
  approval text not null default 'pending'::text,
  added boolean not null default false,
  disputed boolean not null default false,
  reviewer_ids text[] not null default '{}'::text[],
  review jsonb,
  lease_user_id text,
  lease_until timestamp with time zone,
  incident_id text,
  incident_subject text,
  footprint jsonb,
  implied text,
  implied_by text,
  constraint analysis_events_pkey PRIMARY KEY (analysis_id, "position")
);

create table api_keys (
  id text not null,
  org_id text not null,
  user_id text not null,
  name text not null,
  prefix text not null,
  hash bytea not null,
  scopes text[] not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  folder_id text,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_hash_key UNIQUE (hash)
);

create table audit_chains (
  org_id text not null,
  "position" bigint not null,
  digest text not null,
  constraint audit_chains_pkey PRIMARY KEY (org_id)
);

create table audit_events (
  id text not null,
  org_id text not null,
  action text not null,
  user_id text,
  key_id text,
  session_id text,
  address text,
  user_agent text,
  subject_id text not null,
  detail jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  operation text,
  outcome text not null default 'succeeded'::text,
  "position" bigint,
  salt text,
  content_digest text,
  digest text,
  erased_at timestamp with time zone,
  constraint audit_events_pkey PRIMARY KEY (id),
  constraint audit_events_outcome_check CHECK ((outcome = ANY (ARRAY['succeeded'::text, 'refused'::text])))
);

create table batches (
  id text not null,
  org_id text not null,
  owner_id text not null,
  stream_id text not null,
  client_id text,
  scope text not null,
  query text not null,
  config jsonb not null,
  status text not null,
  total integer not null,
  completed integer not null default 0,
  failed integer not null default 0,
  metadata jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  completed_at timestamp with time zone,
  selection jsonb,
  picks text,
  answer text,
  answer_event_id text,
  constraint batches_pkey PRIMARY KEY (id),
  constraint batches_stream_id_key UNIQUE (stream_id),
  constraint batches_scope_check CHECK ((scope = ANY (ARRAY['user'::text, 'org'::text]))),
  constraint batches_status_check CHECK ((status = ANY (ARRAY['processing'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
);

create table camera_faults (
  id text not null,
  camera_id text not null,
  kind text not null,
  message text,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint camera_faults_pkey PRIMARY KEY (id),
  constraint camera_faults_kind_check CHECK ((kind = ANY (ARRAY['offline'::text, 'black'::text, 'frozen'::text])))
);

create table camera_publishers (
  camera_id text not null,
  connection_id text,
  node text,
  seen_at timestamp with time zone,
  remote text,
  connected_at timestamp with time zone,
  refused_at timestamp with time zone,
  refused_reason text,
  constraint camera_publishers_pkey PRIMARY KEY (camera_id)
);

create table camera_questions (
  camera_id text not null,
  saved_question_id text not null,
  constraint camera_questions_pkey PRIMARY KEY (camera_id, saved_question_id)
);

create table cameras (
  id text not null,
  org_id text not null,
  owner_id text not null,
  scope text not null,
  folder_id text,
  name text not null,
  source_url text not null,
  source_secret jsonb not null,
  has_credentials boolean not null,
  enabled boolean not null,
  session_id text,
  problem_code text,
  problem_message text,
  offline_since timestamp with time zone,
  attempts integer not null default 0,
  retry_at timestamp with time zone,
  snapshot_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  changed_at timestamp with time zone not null default now(),
  time_zone text,
  schedule jsonb,
  session_query text,
  muted_until timestamp with time zone,
  retention jsonb,
  session_reading text,
  recording text not null default 'continuous'::text,
  pre_roll_s double precision not null default 5,
  post_roll_s double precision not null default 10,
  push_key_hash bytea,
  constraint cameras_pkey PRIMARY KEY (id),
  constraint cameras_recording_check CHECK ((recording = ANY (ARRAY['continuous'::text, 'events'::text]))),
  constraint cameras_scope_check CHECK ((scope = ANY (ARRAY['user'::text, 'org'::text])))
);

create table contents (
  org_id text not null,
  sha256 text not null,
  storage_key text not null,
  size_bytes bigint not null,
  reference_count integer not null,
  constraint contents_pkey PRIMARY KEY (org_id, sha256),
  constraint contents_storage_key_key UNIQUE (storage_key),
  constraint contents_reference_count_check CHECK ((reference_count > 0))
);

create table dataset_clips (
  id text not null,
  dataset_id text not null,
  video_id text not null,
  start_s double precision not null,
  end_s double precision not null,
  label text,
  constraint dataset_clips_pkey PRIMARY KEY (id),
  constraint dataset_clips_check CHECK ((((0)::double precision <= start_s) AND (start_s < end_s)))
);

create table dataset_event_values (
  taxonomy_id text not null,
  analysis_id text not null,
  "position" integer not null,
  field_values jsonb not null,
  constraint dataset_event_values_pkey PRIMARY KEY (taxonomy_id, analysis_id, "position")
);

create table dataset_exports (
  id text not null,
  org_id text not null,
  owner_id text not null,
  as_admin boolean not null,
  folder_id text,
  dataset_id text,
  video_ids text[] not null,
  event_ids text[] not null,
  status text not null,
  built integer not null default 0,
  sessions jsonb not null default '[]'::jsonb,
  gaps jsonb not null default '[]'::jsonb,
  created_at timestamp with time zone not null default now(),
  completed_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  constraint dataset_exports_pkey PRIMARY KEY (id),
  constraint dataset_exports_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'building'::text, 'completed'::text, 'completed_with_gaps'::text, 'failed'::text])))
);

create table dataset_taxonomies (
  id text not null,
  dataset_id text not null,
  label text not null,
  fields jsonb not null,
  status text not null,
  reason text,
  analyses_done integer not null default 0,
  analyses_total integer not null default 0,
  created_at timestamp with time zone not null default now(),
  constraint dataset_taxonomies_pkey PRIMARY KEY (id),
  constraint dataset_taxonomies_status_check CHECK ((status = ANY (ARRAY['processing'::text, 'done'::text, 'failed'::text])))
);

create table dataset_version_rows (
  version_id text not null,
  "position" integer not null,
  batch_position integer,
  video_id text not null,
  content text not null,
  event_count integer not null,
  is_clip boolean not null default false,
  constraint dataset_version_rows_pkey PRIMARY KEY (version_id, "position")
);

create table dataset_versions (
  id text not null,
  dataset_id text not null,
  number integer not null,
  name text not null,
  created_by text not null,
  filter jsonb not null,
  splits jsonb,
  status text not null,
  head text,
  video_count integer not null default 0,
  event_count integer not null default 0,
  sha256 text,
  size_bytes bigint,
  created_at timestamp with time zone not null default now(),
  frozen_at timestamp with time zone,
  clip_count integer not null default 0,
  constraint dataset_versions_pkey PRIMARY KEY (id),
  constraint dataset_versions_dataset_id_number_key UNIQUE (dataset_id, number),
  constraint dataset_versions_status_check CHECK ((status = ANY (ARRAY['processing'::text, 'ready'::text, 'failed'::text])))
);

create table datasets (
  id text not null,
  org_id text not null,
  owner_id text not null,
  scope text not null,
  name text not null,
  search_description text not null,
  analysis_type text not null,
  batch_ids text[] not null,
  video_ids text[] not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  vertical text,
  last_version integer not null default 0,
  constraint datasets_pkey PRIMARY KEY (id),
  constraint datasets_analysis_type_check CHECK ((analysis_type = ANY (ARRAY['ask'::text, 'agent'::text, 'unanalyzed'::text]))),
  constraint datasets_scope_check CHECK ((scope = ANY (ARRAY['user'::text, 'org'::text])))
);

create table exports (
  id text not null,
  org_id text not null,
  owner_id text not null,
  as_admin boolean not null,
  folder_id text,
  format text not null,
  filter jsonb not null,
  status text not null,
  event_count integer not null default 0,
  size_bytes bigint,
  problem_code text,
  created_at timestamp with time zone not null default now(),
  completed_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  constraint exports_pkey PRIMARY KEY (id),
  constraint exports_status_check CHECK ((status = ANY (ARRAY['processing'::text, 'completed'::text, 'failed'::text])))
);

create table folders (
  id text not null,
  org_id text not null,
  owner_id text,
  created_by text not null,
  scope text not null,
  name text not null,
  description text,
  video_count integer not null default 0,
  retention_days integer,
  created_at timestamp with time zone not null default now(),
  vision_profile text,
  clock_rule jsonb,
  constraint folders_pkey PRIMARY KEY (id),
  constraint folders_check CHECK (((scope = 'user'::text) = (owner_id IS NOT NULL))),
  constraint folders_retention_days_check CHECK ((retention_days > 0)),
  constraint folders_scope_check CHECK ((scope = ANY (ARRAY['user'::text, 'org'::text, 'sample'::text])))
);

create table frame_vectors (
  video_id text not null,
  kind text not null default 'embeddings'::text,
  version text not null,
  block integer not null,
  frames integer not null,
  total_frames integer not null,
  times bytea not null,
  scales bytea not null,
  vectors bytea not null,
  constraint frame_vectors_pkey PRIMARY KEY (video_id, version, block),
  constraint frame_vectors_check CHECK (((octet_length(times) = (8 * frames)) AND (octet_length(scales) = (4 * frames)) AND (octet_length(vectors) = (512 * frames)))),
  constraint frame_vectors_frames_check CHECK ((frames > 0)),
  constraint frame_vectors_kind_check CHECK ((kind = 'embeddings'::text))
);

create table idempotency_keys (
  scope text not null,
  key text not null,
  fingerprint text not null,
  holder text not null,
  status integer,
  content_type text,
  body bytea,
  locked_until timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  reference text,
  constraint idempotency_keys_pkey PRIMARY KEY (scope, key)
);

create table import_jobs (
  id text not null,
  org_id text not null,
  owner_id text not null,
  scope text not null,
  folder_id text,
  integration_id text,
  sync_id text,
  provider text not null,
  bucket text not null,
  public boolean not null,
  selection jsonb,
  sidecars boolean not null,
  multi_view boolean not null,
  status text not null,
  listed boolean not null default false,
  list_cursor text,
  total integer not null default 0,
  objects integer not null default 0,
  uploaded integer not null default 0,
  failed integer not null default 0,
  problem_code text,
  problem_message text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  completed_at timestamp with time zone,
  endpoint text not null default ''::text,
  force boolean not null default false,
  skipped integer not null default 0,
  format text,
  constraint import_jobs_pkey PRIMARY KEY (id),
  constraint import_jobs_provider_check CHECK ((provider = ANY (ARRAY['gcs'::text, 's3'::text, 'hf_bucket'::text]))),
  constraint import_jobs_scope_check CHECK ((scope = ANY (ARRAY['user'::text, 'org'::text]))),
  constraint import_jobs_status_check CHECK ((status = ANY (ARRAY['importing'::text, 'completed'::text, 'partial'::text, 'failed'::text, 'cancelled'::text])))
);

create table import_rows (
  video_id text not null,
  job_id text not null,
  "position" integer,
  set_id text,
  view text,
  sync_id text,
  object_key text not null,
  version text,
  imported_version text,
  size_bytes bigint,
  status text not null,
  record_created boolean not null,
  attempts integer not null default 0,
  worker integer,
  lease_holder text,
  due_at timestamp with time zone not null default now(),
  problem_code text,
  problem_message text,
  object_id text not null,
  existing_video_id text,
  name text,
  folder_id text,
  content jsonb,
  constraint import_rows_pkey PRIMARY KEY (video_id),
  constraint import_rows_status_check CHECK ((status = ANY (ARRAY['PROCESSING'::text, 'UPLOADED'::text, 'UPLOADING_FAILED'::text])))
);

create table import_syncs (
  id text not null,
  org_id text not null,
  owner_id text not null,
  integration_id text not null,
  folder_id text,
  scope text not null,
  selection jsonb not null,
  sidecars boolean not null,
  every_minutes integer not null,
  next_run_at timestamp with time zone not null,
  problem_code text,
  problem_message text,
  last_job_id text,
  created_at timestamp with time zone not null default now(),
  constraint import_syncs_pkey PRIMARY KEY (id),
  constraint import_syncs_every_minutes_check CHECK ((every_minutes > 0)),
  constraint import_syncs_scope_check CHECK ((scope = ANY (ARRAY['user'::text, 'org'::text])))
);

create table incident_decisions (
  video_id text not null,
  analysis_a text not null,
  position_a integer not null,
  analysis_b text not null,
  position_b integer not null,
  same boolean not null,
  decided_by text not null,
  decided_at timestamp with time zone not null default now(),
  constraint incident_decisions_pkey PRIMARY KEY (analysis_a, position_a, analysis_b, position_b)
);

create table integrations (
  id text not null,
  org_id text not null,
  created_by text not null,
  scope text not null,
  name text not null,
  type text not null,
  bucket text not null,
  prefix text,
  region text,
  endpoint_url text,
  addressing text,
  role_arn text,
  encrypted_credentials jsonb,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  constraint integrations_pkey PRIMARY KEY (id),
  constraint integrations_addressing_check CHECK ((addressing = ANY (ARRAY['path'::text, 'virtual'::text]))),
  constraint integrations_scope_check CHECK ((scope = ANY (ARRAY['user'::text, 'org'::text]))),
  constraint integrations_type_check CHECK ((type = ANY (ARRAY['gcs'::text, 's3'::text, 'hf_bucket'::text, 's3_storage_transfer'::text])))
);

create table job_interruptions (
  job_id uuid not null,
  interruptions integer not null,
  charge double precision not null,
  silent_since timestamp with time zone not null,
  constraint job_interruptions_pkey PRIMARY KEY (job_id)
);

create table kept_recordings (
  video_id text not null,
  constraint kept_recordings_pkey PRIMARY KEY (video_id)
);

create table live_analyses (
  session_id text not null,
  lease_holder text,
  lease_until timestamp with time zone not null default now(),
  next_sequence integer not null default 0,
  end_sequence integer,
  analysed_s double precision not null default 0,
  sampling text not null default 'full'::text,
  lag_s double precision not null default 0,
  skipped_s double precision not null default 0,
  reported_events json not null default '[]'::json,
  search_starts json not null default '{}'::json,
  coverage json not null default '[]'::json,
  ended_at timestamp with time zone,
  pending_ranges json not null default '[]'::json,
  skipped_ranges json not null default '[]'::json,
  plan json,
  absences json not null default '{"continued":false,"states":[]}'::json,
  constraint live_analyses_pkey PRIMARY KEY (session_id),
  constraint live_analyses_sampling_check CHECK ((sampling = ANY (ARRAY['full'::text, 'reduced'::text, 'sparse'::text, 'pictures'::text])))
);

create table live_epochs (
  session_id text not null,
  epoch integer not null,
  video_id text,
  init bytea not null,
  codecs text not null,
  width integer not null,
  height integer not null,
  constraint live_epochs_pkey PRIMARY KEY (session_id, epoch)
);

create table live_events (
  session_id text not null,
  "position" integer not null,
  id text not null,
  chunk_index integer not null,
  stream_s double precision not null,
  captured_at timestamp with time zone not null,
  data json not null,
  created_at timestamp with time zone not null default now(),
  constraint live_events_pkey PRIMARY KEY (session_id, "position"),
  constraint live_events_id_key UNIQUE (id)
);

create table live_gaps (
  session_id text not null,
  sequence integer not null,
  from_at timestamp with time zone not null,
  until_at timestamp with time zone not null,
  reason text not null,
  constraint live_gaps_pkey PRIMARY KEY (session_id, sequence)
);

create table live_parts (
  session_id text not null,
  sequence integer not null,
  part integer not null,
  duration_s double precision not null,
  independent boolean not null,
  data bytea not null,
  constraint live_parts_pkey PRIMARY KEY (session_id, sequence, part)
);

create table live_segment_observations (
  session_id text not null,
  sequence integer not null,
  data bytea not null,
  constraint live_segment_observations_pkey PRIMARY KEY (session_id, sequence)
);

create table live_segments (
  session_id text not null,
  sequence integer not null,
  epoch integer not null,
  start_s double precision not null,
  stream_s double precision not null,
  duration_s double precision not null,
  captured_at timestamp with time zone not null,
  bytes integer not null,
  storage_key text not null,
  recording_offset bigint,
  decision text,
  constraint live_segments_pkey PRIMARY KEY (session_id, sequence),
  constraint live_segments_decision_check CHECK ((decision = ANY (ARRAY['retained'::text, 'discarded'::text])))
);

create table live_sessions (
  id text not null,
  org_id text not null,
  stream_id text not null,
  owner_id text not null,
  scope text not null,
  folder_id text,
  name text not null,
  source_url text not null,
  source_secret jsonb,
  query text,
  status text not null,
  problem_code text,
  problem_message text,
  video_id text not null,
  lease_holder text,
  lease_until timestamp with time zone not null default now(),
  segment_count integer not null default 0,
  epoch_count integer not null default 0,
  duration_s double precision not null default 0,
  bytes bigint not null default 0,
  longest_segment_s double precision not null default 0,
  timestamp_offset_s double precision,
  event_count integer not null default 0,
  connected boolean not null default false,
  recordings_deleted boolean not null default false,
  created_at timestamp with time zone not null default now(),
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  end_requested_at timestamp with time zone,
  capture_complete boolean not null default false,
  watched_until timestamp with time zone,
  camera_id text,
  time_zone text,
  frozen_since timestamp with time zone,
  black_since timestamp with time zone,
  recording text not null default 'continuous'::text,
  pre_roll_s double precision not null default 0,
  post_roll_s double precision not null default 0,
  retained_s double precision not null default 0,
  discarded_s double precision not null default 0,
  unanswered_s double precision not null default 0,
  constraint live_sessions_pkey PRIMARY KEY (id),
  constraint live_sessions_recording_check CHECK ((recording = ANY (ARRAY['continuous'::text, 'events'::text]))),
  constraint live_sessions_scope_check CHECK ((scope = ANY (ARRAY['user'::text, 'org'::text]))),
  constraint live_sessions_status_check CHECK ((status = ANY (ARRAY['INITIALIZING'::text, 'ACTIVE'::text, 'ENDING'::text, 'FINISHED'::text, 'FAILED'::text])))
);

create table live_streams (
  org_id text not null,
  id text not null,
  owner_id text not null,
  name text not null,
  source_url text not null,
  retention_days integer,
  created_at timestamp with time zone not null default now(),
  constraint live_streams_pkey PRIMARY KEY (org_id, id),
  constraint live_streams_retention_days_check CHECK ((retention_days > 0))
);

create table live_walls (
  user_id text not null,
  size integer not null,
  stream_ids jsonb not null,
  changed_at timestamp with time zone not null default now(),
  constraint live_walls_pkey PRIMARY KEY (user_id)
);

create table mail_recipients (
  id text not null,
  org_id text not null,
  address text not null,
  confirmed_at timestamp with time zone,
  declined_at timestamp with time zone,
  requested_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint mail_recipients_pkey PRIMARY KEY (id),
  constraint mail_recipients_org_id_address_key UNIQUE (org_id, address)
);

create table mcap_films (
  ingest_id text not null,
  channel text not null,
  part integer not null,
  video_id text,
  status text not null,
  problem_code text,
  problem_message text,
  film jsonb,
  constraint mcap_films_pkey PRIMARY KEY (ingest_id, channel, part),
  constraint mcap_films_status_check CHECK ((status = ANY (ARRAY['processing'::text, 'completed'::text, 'failed'::text])))
);

create table mcap_imports (
  id text not null,
  org_id text not null,
  owner_id text not null,
  integration_id text not null,
  created_at timestamp with time zone not null default now(),
  skipped jsonb not null default '[]'::jsonb,
  constraint mcap_imports_pkey PRIMARY KEY (id)
);

create table mcap_ingests (
  id text not null,
  org_id text not null,
  owner_id text not null,
  scope text not null,
  folder_id text,
  import_id text,
  object_key text,
  filename text not null,
  source_uri text not null,
  size_bytes bigint,
  reserved_bytes bigint not null default 0,
  sha256 text,
  part_s integer,
  status text not null,
  problem_code text,
  problem_message text,
  storage_key text,
  roles jsonb not null default '{}'::jsonb,
  survey jsonb,
  created_at timestamp with time zone not null default now(),
  completed_at timestamp with time zone,
  object_id text,
  object_version text,
  episodes jsonb,
  constraint mcap_ingests_pkey PRIMARY KEY (id),
  constraint mcap_ingests_scope_check CHECK ((scope = ANY (ARRAY['user'::text, 'org'::text]))),
  constraint mcap_ingests_status_check CHECK ((status = ANY (ARRAY['created'::text, 'transferring'::text, 'uploaded'::text, 'processing'::text, 'completed'::text, 'partial'::text, 'failed'::text])))
);

create table models (
  name text not null,
  files jsonb,
  changed_at timestamp with time zone,
  download text not null default 'none'::text,
  job_id text,
  attempt integer not null default 0,
  bytes_done bigint not null default 0,
  problem jsonb,
  updated_at timestamp with time zone not null default now(),
  constraint models_pkey PRIMARY KEY (name),
  constraint models_download_check CHECK ((download = ANY (ARRAY['none'::text, 'running'::text, 'failed'::text, 'canceled'::text])))
);

create table object_vectors (
  video_id text not null,
  kind text not null default 'object_embeddings'::text,
  version text not null,
  views integer not null,
  tracks bytea not null,
  times bytea not null,
  boxes bytea not null,
  class_names text[] not null,
  scales bytea not null,
  vectors bytea not null,
  constraint object_vectors_pkey PRIMARY KEY (video_id, version),
  constraint object_vectors_check CHECK (((octet_length(tracks) = (4 * views)) AND (octet_length(times) = (8 * views)) AND (octet_length(boxes) = (16 * views)))),
  constraint object_vectors_check1 CHECK (((octet_length(scales) = (4 * views)) AND (octet_length(vectors) = (512 * views)) AND (cardinality(class_names) = views))),
  constraint object_vectors_kind_check CHECK ((kind = 'object_embeddings'::text)),
  constraint object_vectors_views_check CHECK ((views >= 0))
);

create table observation_ranges (
  video_id text not null,
  pass text not null,
  "position" integer not null,
  added bytea not null,
  state bytea,
  fraction double precision not null,
  created_at timestamp with time zone not null default now(),
  constraint observation_ranges_pkey PRIMARY KEY (video_id, pass, "position")
);

create table observation_run_videos (
  run_id text not null,
  video_id text not null,
  "position" integer not null,
  status text not null default 'waiting'::text,
  progress real not null default 0,
  job_id text,
  attempt integer not null default 0,
  problem_code text,
  problem_message text,
  constraint observation_run_videos_pkey PRIMARY KEY (run_id, video_id),
  constraint observation_run_videos_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'running'::text, 'completed'::text, 'failed'::text, 'canceled'::text])))
);

create table observation_runs (
  id text not null,
  org_id text not null,
  owner_id text not null,
  scope text not null,
  observers text[] not null,
  detector text,
  created_at timestamp with time zone not null default now(),
  constraint observation_runs_pkey PRIMARY KEY (id),
  constraint observation_runs_scope_check CHECK ((scope = ANY (ARRAY['user'::text, 'org'::text])))
);

create table observations (
  video_id text not null,
  kind text not null,
  version text not null,
  status text not null,
  storage_key text not null,
  size_bytes bigint,
  lease_holder text,
  lease_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  passages_stored boolean not null default false,
  constraint observations_pkey PRIMARY KEY (video_id, kind, version),
  constraint observations_status_check CHECK ((status = ANY (ARRAY['running'::text, 'ready'::text])))
);

create table organization_usage (
  org_id text not null,
  videos integer not null default 0,
  bytes bigint not null default 0,
  max_videos integer,
  max_bytes bigint,
  constraint organization_usage_pkey PRIMARY KEY (org_id)
);

create table organizations (
  id text not null,
  name text not null,
  created_at timestamp with time zone not null default now(),
  second_factor_required boolean not null default false,
  constraint organizations_pkey PRIMARY KEY (id)
);

create table rate_limits (
  subject text not null,
  minute_at timestamp with time zone not null,
  minute_count integer not null,
  day_at timestamp with time zone not null,
  day_count integer not null,
  constraint rate_limits_pkey PRIMARY KEY (subject)
);

create table recovery_codes (
  user_id text not null,
  hash bytea not null,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, hash)
);

create table resumable_uploads (
  video_id text not null,
  length bigint not null,
  draft jsonb not null,
  sha256 text,
  direct boolean not null default false,
  lease_holder text,
  lease_until timestamp with time zone,
  lease_requested_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  reserved_until timestamp with time zone,
  constraint resumable_uploads_pkey PRIMARY KEY (video_id)
);

create table review_changes (
  id text not null,
  action_id text not null,
  org_id text not null,
  user_id text not null,
  analysis_id text not null,
  "position" integer not null,
  kind text not null,
  before jsonb not null,
  after jsonb not null,
  undone boolean not null default false,
  created_at timestamp with time zone not null default now(),
  constraint review_changes_pkey PRIMARY KEY (id),
  constraint review_changes_kind_check CHECK ((kind = ANY (ARRAY['changed'::text, 'added'::text, 'undone'::text])))
);

create table review_policies (
  folder_id text not null,
  reviewers integer not null,
  constraint review_policies_pkey PRIMARY KEY (folder_id),
  constraint review_policies_reviewers_check CHECK (((reviewers >= 1) AND (reviewers <= 2)))
);

create table review_samples (
  analysis_id text not null,
  start_s double precision not null,
  end_s double precision not null,
  org_id text not null,
  user_id text not null,
  verdict text not null,
  created_at timestamp with time zone not null default now(),
  constraint review_samples_pkey PRIMARY KEY (analysis_id, start_s),
  constraint review_samples_verdict_check CHECK ((verdict = ANY (ARRAY['clear'::text, 'missed'::text, 'unsure'::text])))
);

create table saved_question_digests (
  question_id text not null,
  day text not null,
  status text not null,
  export_id text,
  content jsonb not null,
  created_at timestamp with time zone not null default now(),
  constraint saved_question_digests_pkey PRIMARY KEY (question_id, day),
  constraint saved_question_digests_status_check CHECK ((status = ANY (ARRAY['rendering'::text, 'sent'::text])))
);

create table saved_question_runs (
  id text not null,
  question_id text not null,
  video_id text not null,
  status text not null,
  announces boolean not null,
  batch_id text,
  analysis_id text,
  event_count integer not null default 0,
  matching_count integer not null default 0,
  alert_count integer not null default 0,
  silenced text,
  problem_code text,
  problem_message text,
  created_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  constraint saved_question_runs_pkey PRIMARY KEY (id),
  constraint saved_question_runs_question_id_video_id_key UNIQUE (question_id, video_id),
  constraint saved_question_runs_silenced_check CHECK ((silenced = ANY (ARRAY['not_requested'::text, 'paused'::text, 'snoozed'::text, 'quiet_hours'::text, 'cooldown'::text]))),
  constraint saved_question_runs_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'processing'::text, 'completed'::text, 'failed'::text])))
);

create table saved_questions (
  id text not null,
  org_id text not null,
  owner_id text not null,
  scope text not null,
  name text not null,
  query text not null,
  mode text not null,
  min_confidence double precision not null,
  verify text not null,
  folder_id text,
  enabled boolean not null,
  snoozed_until timestamp with time zone,
  rule jsonb not null,
  last_alert_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  plan json,
  plan_version text,
  declined_reading text,
  time_zone text,
  recorded jsonb,
  webhook_ids text[],
  constraint saved_questions_pkey PRIMARY KEY (id),
  constraint saved_questions_mode_check CHECK ((mode = ANY (ARRAY['fast'::text, 'thinking'::text]))),
  constraint saved_questions_scope_check CHECK ((scope = ANY (ARRAY['user'::text, 'org'::text]))),
  constraint saved_questions_verify_check CHECK ((verify = ANY (ARRAY['auto'::text, 'always'::text, 'never'::text])))
);

create table search_sessions (
  id text not null,
  org_id text not null,
  owner_id text not null,
  query text not null,
  folder_id text not null,
  folder_name text not null,
  result jsonb,
  created_at timestamp with time zone not null default now(),
  completed_at timestamp with time zone,
  constraint search_sessions_pkey PRIMARY KEY (id)
);

create table second_factors (
  user_id text not null,
  encrypted_key jsonb not null,
  confirmed_at timestamp with time zone,
  last_step integer,
  created_at timestamp with time zone not null default now(),
  constraint second_factors_pkey PRIMARY KEY (user_id)
);

create table sessions (
  id text not null,
  user_id text not null,
  hash bytea not null,
  method text not null,
  address text not null,
  user_agent text,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_hash_key UNIQUE (hash),
  constraint sessions_method_check CHECK ((method = ANY (ARRAY['password'::text, 'link'::text, 'sso'::text])))
);

create table stream_events (
  stream_id text not null,
  id bigint not null,
  kind text not null,
  data json not null,
  created_at timestamp with time zone not null default now(),
  constraint stream_events_pkey PRIMARY KEY (stream_id, id)
);

create table streams (
  id text not null,
  org_id text not null,
  owner_id text not null,
  last_id bigint not null default 0,
  closed_at timestamp with time zone,
  purged boolean not null default false,
  created_at timestamp with time zone not null default now(),
  constraint streams_pkey PRIMARY KEY (id)
);

create table users (
  id text not null,
  org_id text not null,
  email text not null,
  name text not null,
  role text not null,
  password_hash text,
  sso_issuer text,
  sso_subject text,
  created_at timestamp with time zone not null default now(),
  removed_at timestamp with time zone,
  locale text,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_check CHECK (((sso_issuer IS NULL) = (sso_subject IS NULL))),
  constraint users_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text])))
);

create table video_passages (
  video_id text not null,
  kind text not null,
  version text not null,
  "position" integer not null,
  org_id text not null,
  owner_id text not null,
  scope text not null,
  folder_id text,
  hidden boolean not null,
  start_s double precision not null,
  end_s double precision not null,
  text text not null,
  words tsvector not null,
  constraint video_passages_pkey PRIMARY KEY (video_id, kind, version, "position"),
  constraint video_passages_kind_check CHECK ((kind = ANY (ARRAY['speech'::text, 'subtitles'::text, 'text'::text])))
);

create table videos (
  id text not null,
  org_id text not null,
  owner_id text not null,
  scope text not null,
  folder_id text,
  name text not null,
  source text not null,
  source_uri text,
  status text not null,
  problem_code text,
  problem_message text,
  storage_key text not null,
  reserved_bytes bigint not null default 0,
  size_bytes bigint,
  sha256 text,
  duration_s double precision,
  width integer,
  height integer,
  frame_rate double precision,
  probe jsonb,
  metadata jsonb not null default '{}'::jsonb,
  user_metadata jsonb not null default '{}'::jsonb,
  tags text[] not null default '{}'::text[],
  created_at timestamp with time zone not null default now(),
  heartbeat_at timestamp with time zone,
  deleted_at timestamp with time zone,
  erase_after timestamp with time zone,
  recorded_at timestamp with time zone,
  recorded_until timestamp with time zone,
  time_zone text,
  clock jsonb,
  camera_id text,
  held_at timestamp with time zone,
  held_by text,
  hold_reason text,
  deleted_by text,
  deletion_rule text,
  deletion_reason text,
  constraint videos_pkey PRIMARY KEY (id),
  constraint videos_check CHECK (((deleted_at IS NULL) = (erase_after IS NULL))),
  constraint videos_held_check CHECK (((held_at IS NULL) OR (erase_after IS NULL) OR (erase_after = '9999-12-31 00:00:00+00'::timestamp with time zone))),
  constraint videos_hold_check CHECK ((num_nulls(held_at, held_by, hold_reason) = ANY (ARRAY[0, 3]))),
  constraint videos_scope_check CHECK ((scope = ANY (ARRAY['user'::text, 'org'::text, 'sample'::text]))),
  constraint videos_status_check CHECK ((status = ANY (ARRAY['PREPARE_IN_PROGRESS'::text, 'UPLOADED'::text, 'UPLOADING_FAILED'::text])))
);

create table views (
  primary_video_id text not null,
  role text not null,
  video_id text not null,
  label text,
  offset_s double precision not null,
  org_id text not null,
  constraint views_pkey PRIMARY KEY (primary_video_id, role),
  constraint views_video_id_key UNIQUE (video_id)
);

create table vision_replies (
  org_id text not null,
  key text not null,
  video_id text not null,
  reply text not null,
  created_at timestamp with time zone not null default now(),
  constraint vision_replies_pkey PRIMARY KEY (org_id, key)
);

create table vision_usage (
  org_id text not null,
  month text not null,
  key_id text not null,
  batch_id text not null,
  calls integer not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cost double precision not null,
  constraint vision_usage_pkey PRIMARY KEY (org_id, month, key_id, batch_id)
);

create table webhook_deliveries (
  id text not null,
  endpoint_id text not null,
  message_id text not null,
  status text not null default 'pending'::text,
  attempts integer not null default 0,
  created_at timestamp with time zone not null default now(),
  next_attempt_at timestamp with time zone default now(),
  last_attempt_at timestamp with time zone,
  duration_ms integer,
  response_status integer,
  response_excerpt text,
  problem_code text,
  problem_message text,
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);

create table webhook_endpoints (
  id text not null,
  org_id text not null,
  created_by text not null,
  url text not null,
  description text not null,
  event_types text[] not null,
  folder_id text,
  enabled boolean not null default true,
  disabled_reason text,
  encrypted_secret jsonb not null,
  encrypted_previous_secret jsonb,
  previous_secret_until timestamp with time zone,
  failing_since timestamp with time zone,
  paused_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  format text not null default 'standard'::text,
  org_topic boolean not null default false,
  known_recipient boolean not null default false,
  saved_questions_only boolean not null default false,
  constraint webhook_endpoints_pkey PRIMARY KEY (id),
  constraint webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['failing'::text, 'removed'::text]))),
  constraint webhook_endpoints_format_check CHECK ((format = ANY (ARRAY['standard'::text, 'slack'::text, 'discord'::text, 'teams'::text, 'ntfy'::text, 'email'::text, 'mqtt'::text])))
);

create table webhook_messages (
  id text not null,
  org_id text not null,
  sequence bigint not null generated always as identity,
  type text not null,
  subject text not null,
  data json not null,
  created_at timestamp with time zone not null default now(),
  constraint webhook_messages_pkey PRIMARY KEY (id)
);

create table workers (
  id text not null,
  host text not null,
  pid integer not null,
  running jsonb not null default '{}'::jsonb,
  started_at timestamp with time zone not null default now(),
  heartbeat_at timestamp with time zone not null default now(),
  constraint workers_pkey PRIMARY KEY (id)
);

create table zones (
  id text not null,
  org_id text not null,
  video_id text,
  folder_id text,
  name text not null,
  points jsonb not null,
  note text,
  created_by text not null,
  created_at timestamp with time zone not null default now(),
  changed_at timestamp with time zone not null default now(),
  camera_id text,
  constraint zones_pkey PRIMARY KEY (id),
  constraint zones_check CHECK ((num_nonnulls(video_id, folder_id, camera_id) = 1))
);

CREATE INDEX account_links_by_email ON account_links USING btree (email);

CREATE INDEX account_links_by_expiry ON account_links USING btree (expires_at);

CREATE INDEX account_links_by_org ON account_links USING btree (org_id, id);

CREATE INDEX account_links_by_user ON account_links USING btree (user_id);

CREATE INDEX activity_by_age ON activity USING btree (created_at);

CREATE UNIQUE INDEX activity_by_id ON activity USING btree (org_id, id) WHERE (id IS NOT NULL);

CREATE INDEX activity_pending ON activity USING btree (org_id, sequence) WHERE (id IS NULL);

CREATE UNIQUE INDEX activity_pending_progress ON activity USING btree (resource, resource_id) WHERE ((id IS NULL) AND (change = 'progress'::text));

CREATE INDEX alert_mutes_by_question ON alert_mutes USING btree (question_id);

CREATE INDEX alerts_by_organization ON alerts USING btree (org_id, id);

CREATE INDEX alerts_by_question ON alerts USING btree (question_id);

CREATE UNIQUE INDEX alerts_of_camera_faults ON alerts USING btree (camera_fault_id) WHERE (camera_fault_id IS NOT NULL);

CREATE UNIQUE INDEX alerts_of_live_events ON alerts USING btree (session_id, live_event_id, question_id) WHERE (session_id IS NOT NULL);

CREATE INDEX analyses_by_batch ON analyses USING btree (batch_id, "position");

CREATE INDEX analyses_by_video ON analyses USING btree (video_id, id);

CREATE INDEX analyses_captions ON analyses USING btree (video_id, id) WHERE (caption_mode IS NOT NULL);

CREATE INDEX analyses_not_indexed ON analyses USING btree (id) WHERE ((status = 'COMPLETED'::text) AND (NOT events_indexed));

CREATE INDEX analyses_reviewed ON analyses USING btree (org_id) WHERE (review_count > 0);

CREATE INDEX analysis_events_by_approval ON analysis_events USING btree (org_id, approval, analysis_id, "position");

CREATE INDEX analysis_events_by_batch ON analysis_events USING btree (batch_id, analysis_id, "position") WHERE (batch_id IS NOT NULL);

CREATE INDEX analysis_events_by_confidence ON analysis_events USING btree (org_id, confidence, analysis_id, "position");

CREATE INDEX analysis_events_by_folder ON analysis_events USING btree (folder_id, analysis_id, "position") WHERE (folder_id IS NOT NULL);

CREATE INDEX analysis_events_by_incident ON analysis_events USING btree (incident_id, analysis_id, "position");

CREATE INDEX analysis_events_by_label ON analysis_events USING btree (org_id, "left"(label, 100), analysis_id, "position");

CREATE INDEX analysis_events_by_org ON analysis_events USING btree (org_id, analysis_id, "position");

CREATE INDEX analysis_events_by_severity ON analysis_events USING btree (org_id, severity, analysis_id, "position");

CREATE INDEX analysis_events_by_subject ON analysis_events USING btree (video_id, incident_subject);

CREATE INDEX analysis_events_by_type ON analysis_events USING btree (org_id, type, analysis_id, "position");

CREATE INDEX analysis_events_by_video ON analysis_events USING btree (video_id, analysis_id, "position");

CREATE INDEX analysis_events_by_words ON analysis_events USING gin (words);

CREATE INDEX analysis_events_disputed ON analysis_events USING btree (org_id, analysis_id, "position") WHERE disputed;

CREATE INDEX analysis_events_leased ON analysis_events USING btree (lease_user_id, analysis_id, "position") WHERE (lease_user_id IS NOT NULL);

CREATE INDEX analysis_events_pending ON analysis_events USING btree (org_id, confidence, analysis_id, "position") WHERE (approval = 'pending'::text);

CREATE INDEX analysis_events_personal ON analysis_events USING btree (owner_id, analysis_id, "position") WHERE (scope = 'user'::text);

CREATE INDEX analysis_events_reviewed ON analysis_events USING btree (org_id, analysis_id, "position") WHERE (review IS NOT NULL);

CREATE INDEX analysis_events_shared ON analysis_events USING btree (org_id, analysis_id, "position") WHERE (scope = 'org'::text);

CREATE INDEX analysis_events_without_incident ON analysis_events USING btree (video_id) WHERE (incident_subject IS NULL);

CREATE INDEX api_keys_by_org ON api_keys USING btree (org_id, id);

CREATE INDEX audit_events_by_action ON audit_events USING btree (org_id, action, id);

CREATE INDEX audit_events_by_org ON audit_events USING btree (org_id, id);

CREATE UNIQUE INDEX audit_events_by_position ON audit_events USING btree (org_id, "position") WHERE ("position" IS NOT NULL);

CREATE INDEX audit_events_by_subject ON audit_events USING btree (org_id, subject_id, id);

CREATE INDEX audit_events_by_user ON audit_events USING btree (org_id, user_id, id);

CREATE INDEX audit_events_pending ON audit_events USING btree (org_id, id) WHERE ("position" IS NULL);

CREATE UNIQUE INDEX batches_by_client ON batches USING btree (owner_id, client_id) WHERE (client_id IS NOT NULL);

CREATE INDEX batches_by_org ON batches USING btree (org_id, id);

CREATE INDEX camera_faults_of_camera ON camera_faults USING btree (camera_id, id);

CREATE UNIQUE INDEX camera_faults_open ON camera_faults USING btree (camera_id, kind) WHERE (ended_at IS NULL);

CREATE INDEX camera_publishers_of_node ON camera_publishers USING btree (node) WHERE (node IS NOT NULL);

CREATE INDEX camera_questions_of_question ON camera_questions USING btree (saved_question_id);

CREATE UNIQUE INDEX cameras_by_push_key ON cameras USING btree (push_key_hash) WHERE (push_key_hash IS NOT NULL);

CREATE INDEX cameras_by_session ON cameras USING btree (session_id) WHERE (session_id IS NOT NULL);

CREATE INDEX cameras_enabled ON cameras USING btree (id) WHERE enabled;

CREATE INDEX cameras_of_organization ON cameras USING btree (org_id, id);

CREATE INDEX dataset_clips_by_video ON dataset_clips USING btree (video_id);

CREATE UNIQUE INDEX dataset_clips_once ON dataset_clips USING btree (dataset_id, video_id, start_s, end_s, COALESCE(label, ''::text));

CREATE INDEX dataset_event_values_by_analysis ON dataset_event_values USING btree (analysis_id);

CREATE INDEX dataset_exports_expired ON dataset_exports USING btree (expires_at);

CREATE INDEX dataset_taxonomies_by_dataset ON dataset_taxonomies USING btree (dataset_id, id);

CREATE INDEX dataset_version_rows_by_video ON dataset_version_rows USING btree (video_id);

CREATE INDEX datasets_by_owner ON datasets USING btree (owner_id, id);

CREATE INDEX datasets_shared ON datasets USING btree (org_id, id) WHERE (scope = 'org'::text);

CREATE INDEX exports_by_expiry ON exports USING btree (expires_at);

CREATE INDEX exports_by_owner ON exports USING btree (owner_id, id);

CREATE UNIQUE INDEX folders_name ON folders USING btree (org_id, scope, COALESCE(owner_id, ''::text), name);

CREATE INDEX folders_with_retention ON folders USING btree (id) WHERE (retention_days IS NOT NULL);

CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING btree (created_at);

CREATE INDEX import_jobs_by_integration ON import_jobs USING btree (integration_id) WHERE (status = 'importing'::text);

CREATE INDEX import_jobs_by_org ON import_jobs USING btree (org_id, created_at, id);

CREATE INDEX import_jobs_running ON import_jobs USING btree (updated_at) WHERE (status = 'importing'::text);

CREATE INDEX import_rows_by_existing_video ON import_rows USING btree (existing_video_id) WHERE (existing_video_id IS NOT NULL);

CREATE INDEX import_rows_by_object ON import_rows USING btree (object_id) WHERE ((existing_video_id IS NULL) AND (status <> 'UPLOADING_FAILED'::text));

CREATE UNIQUE INDEX import_rows_by_position ON import_rows USING btree (job_id, "position") WHERE ("position" IS NOT NULL);

CREATE INDEX import_rows_by_set ON import_rows USING btree (set_id) WHERE (set_id IS NOT NULL);

CREATE INDEX import_rows_by_sync ON import_rows USING btree (sync_id, object_key) WHERE (sync_id IS NOT NULL);

CREATE INDEX import_rows_folder ON import_rows USING btree (folder_id) WHERE (folder_id IS NOT NULL);

CREATE INDEX import_rows_pending ON import_rows USING btree (job_id, due_at) WHERE (status = 'PROCESSING'::text);

CREATE INDEX import_syncs_by_org ON import_syncs USING btree (org_id, id);

CREATE INDEX import_syncs_due ON import_syncs USING btree (next_run_at) WHERE (problem_code IS NULL);

CREATE INDEX incident_decisions_other ON incident_decisions USING btree (analysis_b);

CREATE INDEX incident_decisions_video ON incident_decisions USING btree (video_id);

CREATE INDEX integrations_by_org ON integrations USING btree (org_id, id);

CREATE INDEX job_interruptions_by_age ON job_interruptions USING btree (silent_since);

CREATE INDEX live_analyses_open ON live_analyses USING btree (lease_until) WHERE (ended_at IS NULL);

CREATE INDEX live_epochs_by_video ON live_epochs USING btree (video_id);

CREATE INDEX live_segments_undecided ON live_segments USING btree (session_id, sequence) WHERE (decision IS NULL);

CREATE INDEX live_sessions_by_end ON live_sessions USING btree (ended_at) WHERE ((NOT recordings_deleted) AND (status = ANY (ARRAY['FINISHED'::text, 'FAILED'::text])));

CREATE INDEX live_sessions_by_org ON live_sessions USING btree (org_id, id);

CREATE INDEX live_sessions_by_stream ON live_sessions USING btree (org_id, stream_id, id);

CREATE INDEX live_sessions_by_video ON live_sessions USING btree (video_id);

CREATE INDEX live_sessions_of_camera ON live_sessions USING btree (camera_id, id) WHERE (camera_id IS NOT NULL);

CREATE INDEX live_sessions_open ON live_sessions USING btree (lease_until) WHERE (status = ANY (ARRAY['INITIALIZING'::text, 'ACTIVE'::text, 'ENDING'::text]));

CREATE INDEX mcap_ingests_by_import ON mcap_ingests USING btree (import_id, id) WHERE (import_id IS NOT NULL);

CREATE INDEX mcap_ingests_by_object ON mcap_ingests USING btree (object_id) WHERE (object_id IS NOT NULL);

CREATE INDEX mcap_ingests_by_org ON mcap_ingests USING btree (org_id, id);

CREATE INDEX mcap_ingests_waiting ON mcap_ingests USING btree (created_at) WHERE (status = ANY (ARRAY['created'::text, 'uploaded'::text]));

CREATE INDEX observation_ranges_by_age ON observation_ranges USING btree (created_at);

CREATE INDEX observation_run_videos_by_video ON observation_run_videos USING btree (video_id);

CREATE INDEX observation_runs_by_organization ON observation_runs USING btree (org_id, id);

CREATE INDEX observations_without_passages ON observations USING btree (created_at, video_id) WHERE ((status = 'ready'::text) AND (NOT passages_stored) AND (kind = ANY (ARRAY['speech'::text, 'subtitles'::text, 'text'::text])));

CREATE INDEX resumable_uploads_by_expiry ON resumable_uploads USING btree (expires_at);

CREATE INDEX review_changes_by_action ON review_changes USING btree (action_id);

CREATE INDEX review_changes_by_event ON review_changes USING btree (analysis_id, "position", id);

CREATE INDEX review_changes_by_user ON review_changes USING btree (org_id, user_id, id) WHERE ((NOT undone) AND (kind <> 'undone'::text));

CREATE INDEX review_samples_by_org ON review_samples USING btree (org_id);

CREATE INDEX saved_question_digests_rendering ON saved_question_digests USING btree (created_at) WHERE (status = 'rendering'::text);

CREATE INDEX saved_question_runs_by_batch ON saved_question_runs USING btree (batch_id, video_id);

CREATE INDEX saved_question_runs_by_question ON saved_question_runs USING btree (question_id, id);

CREATE INDEX saved_question_runs_by_video ON saved_question_runs USING btree (video_id);

CREATE INDEX saved_questions_by_org ON saved_questions USING btree (org_id, id);

CREATE INDEX search_sessions_by_age ON search_sessions USING btree (created_at);

CREATE INDEX sessions_by_expiry ON sessions USING btree (expires_at);

CREATE INDEX sessions_by_user ON sessions USING btree (user_id, id);

CREATE INDEX streams_by_closing ON streams USING btree (closed_at) WHERE (NOT purged);

CREATE INDEX users_by_org ON users USING btree (org_id, id);

CREATE UNIQUE INDEX users_email ON users USING btree (lower(email)) WHERE (removed_at IS NULL);

CREATE UNIQUE INDEX users_sso ON users USING btree (sso_issuer, sso_subject) WHERE (removed_at IS NULL);

CREATE INDEX video_passages_by_folder ON video_passages USING btree (folder_id, video_id DESC, start_s, kind, "position") WHERE (folder_id IS NOT NULL);

CREATE INDEX video_passages_by_org ON video_passages USING btree (org_id, video_id DESC, start_s, kind, "position");

CREATE INDEX video_passages_by_video ON video_passages USING btree (video_id, start_s, kind, "position");

CREATE INDEX video_passages_by_words ON video_passages USING gin (words);

CREATE INDEX video_passages_personal ON video_passages USING btree (owner_id, video_id DESC, start_s, kind, "position") WHERE (scope = 'user'::text);

CREATE INDEX video_passages_shared ON video_passages USING btree (org_id, video_id DESC, start_s, kind, "position") WHERE (scope = 'org'::text);

CREATE INDEX videos_by_duration ON videos USING btree (org_id, scope, COALESCE(duration_s, (0)::double precision), id) WHERE (deleted_at IS NULL);

CREATE INDEX videos_by_folder ON videos USING btree (folder_id, id) WHERE (deleted_at IS NULL);

CREATE INDEX videos_by_folder_and_duration ON videos USING btree (folder_id, COALESCE(duration_s, (0)::double precision), id) WHERE (deleted_at IS NULL);

CREATE INDEX videos_by_folder_and_name ON videos USING btree (folder_id, name, id);

CREATE INDEX videos_by_folder_and_recording ON videos USING btree (folder_id, COALESCE(floor((EXTRACT(epoch FROM (recorded_at - '1970-01-01 00:00:00+00'::timestamp with time zone)) * (1000)::numeric)), '-Infinity'::numeric), id) WHERE (deleted_at IS NULL);

CREATE INDEX videos_by_name ON videos USING btree (org_id, scope, name, id) WHERE (deleted_at IS NULL);

CREATE INDEX videos_by_org ON videos USING btree (org_id, id) WHERE (deleted_at IS NULL);

CREATE INDEX videos_by_part_of_name ON videos USING gin (name_parts(org_id, name));

CREATE INDEX videos_by_recording ON videos USING btree (org_id, scope, COALESCE(floor((EXTRACT(epoch FROM (recorded_at - '1970-01-01 00:00:00+00'::timestamp with time zone)) * (1000)::numeric)), '-Infinity'::numeric), id) WHERE (deleted_at IS NULL);

CREATE INDEX videos_by_tag ON videos USING gin (tags) WHERE ((deleted_at IS NULL) AND (tags <> '{}'::text[]));

CREATE INDEX videos_deleted ON videos USING btree (org_id, id) WHERE (deleted_at IS NOT NULL);

CREATE INDEX videos_of_camera ON videos USING btree (camera_id, id) WHERE (camera_id IS NOT NULL);

CREATE INDEX videos_pending ON videos USING btree (heartbeat_at) WHERE ((status = 'PREPARE_IN_PROGRESS'::text) AND (deleted_at IS NULL));

CREATE INDEX videos_personal ON videos USING btree (owner_id, id) WHERE ((deleted_at IS NULL) AND (scope = 'user'::text));

CREATE INDEX videos_personal_by_duration ON videos USING btree (owner_id, COALESCE(duration_s, (0)::double precision), id) WHERE ((deleted_at IS NULL) AND (scope = 'user'::text));

CREATE INDEX videos_personal_by_name ON videos USING btree (owner_id, name, id) WHERE ((deleted_at IS NULL) AND (scope = 'user'::text));

CREATE INDEX videos_personal_by_recording ON videos USING btree (owner_id, COALESCE(floor((EXTRACT(epoch FROM (recorded_at - '1970-01-01 00:00:00+00'::timestamp with time zone)) * (1000)::numeric)), '-Infinity'::numeric), id) WHERE ((deleted_at IS NULL) AND (scope = 'user'::text));

CREATE INDEX videos_recorded ON videos USING btree (org_id, recorded_until) WHERE (recorded_until IS NOT NULL);

CREATE INDEX videos_shared ON videos USING btree (org_id, id) WHERE ((deleted_at IS NULL) AND (scope = 'org'::text));

CREATE INDEX videos_to_erase ON videos USING btree (erase_after) WHERE (deleted_at IS NOT NULL);

CREATE INDEX videos_without_clock ON videos USING btree (id) WHERE ((clock IS NULL) AND (status = 'UPLOADED'::text));

CREATE INDEX views_by_org ON views USING btree (org_id, primary_video_id);

CREATE INDEX vision_replies_by_age ON vision_replies USING btree (created_at);

CREATE INDEX vision_replies_by_video ON vision_replies USING btree (video_id);

CREATE INDEX vision_usage_by_batch ON vision_usage USING btree (batch_id) WHERE (batch_id <> ''::text);

CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries USING btree (endpoint_id, id);

CREATE INDEX webhook_deliveries_by_message ON webhook_deliveries USING btree (message_id);

CREATE INDEX webhook_endpoints_by_org ON webhook_endpoints USING btree (org_id, id);

CREATE INDEX webhook_messages_by_age ON webhook_messages USING btree (created_at);

CREATE UNIQUE INDEX zones_camera_name ON zones USING btree (camera_id, lower(name)) WHERE (camera_id IS NOT NULL);

CREATE UNIQUE INDEX zones_folder_name ON zones USING btree (folder_id, lower(name)) WHERE (folder_id IS NOT NULL);

CREATE UNIQUE INDEX zones_video_name ON zones USING btree (video_id, lower(name)) WHERE (video_id IS NOT NULL);

alter table account_links add constraint account_links_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id);

alter table account_links add constraint account_links_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table account_links add constraint account_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table activity_heads add constraint activity_heads_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table alert_mutes add constraint alert_mutes_question_id_fkey FOREIGN KEY (question_id) REFERENCES saved_questions(id) ON DELETE CASCADE;

alter table alert_mutes add constraint alert_mutes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table alert_reads add constraint alert_reads_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table alerts add constraint alerts_camera_fault_id_fkey FOREIGN KEY (camera_fault_id) REFERENCES camera_faults(id) ON DELETE CASCADE;

alter table alerts add constraint alerts_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table alerts add constraint alerts_question_id_fkey FOREIGN KEY (question_id) REFERENCES saved_questions(id) ON DELETE CASCADE;

alter table analyses add constraint analyses_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES batches(id) ON DELETE CASCADE;

alter table analyses add constraint analyses_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table analyses add constraint analyses_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);

alter table analysis_events add constraint analysis_events_analysis_id_fkey FOREIGN KEY (analysis_id) REFERENCES analyses(id) ON DELETE CASCADE;

alter table api_keys add constraint api_keys_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table api_keys add constraint api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table audit_chains add constraint audit_chains_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table audit_events add constraint audit_events_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table batches add constraint batches_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table batches add constraint batches_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);

alter table batches add constraint batches_stream_id_fkey FOREIGN KEY (stream_id) REFERENCES streams(id);

alter table camera_faults add constraint camera_faults_camera_id_fkey FOREIGN KEY (camera_id) REFERENCES cameras(id) ON DELETE CASCADE;

alter table camera_publishers add constraint camera_publishers_camera_id_fkey FOREIGN KEY (camera_id) REFERENCES cameras(id) ON DELETE CASCADE;

alter table camera_questions add constraint camera_questions_camera_id_fkey FOREIGN KEY (camera_id) REFERENCES cameras(id) ON DELETE CASCADE;

alter table camera_questions add constraint camera_questions_saved_question_id_fkey FOREIGN KEY (saved_question_id) REFERENCES saved_questions(id) ON DELETE CASCADE;

alter table cameras add constraint cameras_folder_id_fkey FOREIGN KEY (folder_id) REFERENCES folders(id) ON DELETE SET NULL;

alter table cameras add constraint cameras_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table cameras add constraint cameras_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);

alter table contents add constraint contents_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table dataset_clips add constraint dataset_clips_dataset_id_fkey FOREIGN KEY (dataset_id) REFERENCES datasets(id) ON DELETE CASCADE;

alter table dataset_clips add constraint dataset_clips_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE;

alter table dataset_event_values add constraint dataset_event_values_analysis_id_fkey FOREIGN KEY (analysis_id) REFERENCES analyses(id) ON DELETE CASCADE;

alter table dataset_event_values add constraint dataset_event_values_taxonomy_id_fkey FOREIGN KEY (taxonomy_id) REFERENCES dataset_taxonomies(id) ON DELETE CASCADE;

alter table dataset_exports add constraint dataset_exports_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table dataset_taxonomies add constraint dataset_taxonomies_dataset_id_fkey FOREIGN KEY (dataset_id) REFERENCES datasets(id) ON DELETE CASCADE;

alter table dataset_version_rows add constraint dataset_version_rows_version_id_fkey FOREIGN KEY (version_id) REFERENCES dataset_versions(id) ON DELETE CASCADE;

alter table dataset_version_rows add constraint dataset_version_rows_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE;

alter table dataset_versions add constraint dataset_versions_dataset_id_fkey FOREIGN KEY (dataset_id) REFERENCES datasets(id) ON DELETE CASCADE;

alter table datasets add constraint datasets_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table exports add constraint exports_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table folders add constraint folders_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id);

alter table folders add constraint folders_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table folders add constraint folders_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);

alter table frame_vectors add constraint frame_vectors_video_id_kind_version_fkey FOREIGN KEY (video_id, kind, version) REFERENCES observations(video_id, kind, version) ON DELETE CASCADE;

alter table import_jobs add constraint import_jobs_folder_id_fkey FOREIGN KEY (folder_id) REFERENCES folders(id) ON DELETE SET NULL;

alter table import_jobs add constraint import_jobs_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integrations(id) ON DELETE SET NULL;

alter table import_jobs add constraint import_jobs_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table import_jobs add constraint import_jobs_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);

alter table import_jobs add constraint import_jobs_sync_id_fkey FOREIGN KEY (sync_id) REFERENCES import_syncs(id) ON DELETE SET NULL;

alter table import_rows add constraint import_rows_folder_id_fkey FOREIGN KEY (folder_id) REFERENCES folders(id) ON DELETE SET NULL;

alter table import_rows add constraint import_rows_job_id_fkey FOREIGN KEY (job_id) REFERENCES import_jobs(id) ON DELETE CASCADE;

alter table import_rows add constraint import_rows_sync_id_fkey FOREIGN KEY (sync_id) REFERENCES import_syncs(id) ON DELETE SET NULL;

alter table import_syncs add constraint import_syncs_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integrations(id);

alter table import_syncs add constraint import_syncs_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table import_syncs add constraint import_syncs_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);

alter table incident_decisions add constraint incident_decisions_analysis_a_fkey FOREIGN KEY (analysis_a) REFERENCES analyses(id) ON DELETE CASCADE;

alter table incident_decisions add constraint incident_decisions_analysis_b_fkey FOREIGN KEY (analysis_b) REFERENCES analyses(id) ON DELETE CASCADE;

alter table incident_decisions add constraint incident_decisions_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE;

alter table integrations add constraint integrations_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id);

alter table integrations add constraint integrations_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table kept_recordings add constraint kept_recordings_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE;

alter table live_analyses add constraint live_analyses_session_id_fkey FOREIGN KEY (session_id) REFERENCES live_sessions(id) ON DELETE CASCADE;

alter table live_epochs add constraint live_epochs_session_id_fkey FOREIGN KEY (session_id) REFERENCES live_sessions(id) ON DELETE CASCADE;

alter table live_events add constraint live_events_session_id_fkey FOREIGN KEY (session_id) REFERENCES live_sessions(id) ON DELETE CASCADE;

alter table live_gaps add constraint live_gaps_session_id_fkey FOREIGN KEY (session_id) REFERENCES live_sessions(id) ON DELETE CASCADE;

alter table live_segment_observations add constraint live_segment_observations_session_id_fkey FOREIGN KEY (session_id) REFERENCES live_analyses(session_id) ON DELETE CASCADE;

alter table live_segments add constraint live_segments_session_id_epoch_fkey FOREIGN KEY (session_id, epoch) REFERENCES live_epochs(session_id, epoch) ON DELETE CASCADE;

alter table live_sessions add constraint live_sessions_camera_id_fkey FOREIGN KEY (camera_id) REFERENCES cameras(id) ON DELETE SET NULL;

alter table live_sessions add constraint live_sessions_folder_id_fkey FOREIGN KEY (folder_id) REFERENCES folders(id) ON DELETE SET NULL;

alter table live_sessions add constraint live_sessions_org_id_stream_id_fkey FOREIGN KEY (org_id, stream_id) REFERENCES live_streams(org_id, id);

alter table live_sessions add constraint live_sessions_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);

alter table live_streams add constraint live_streams_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table live_streams add constraint live_streams_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);

alter table live_walls add constraint live_walls_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table mail_recipients add constraint mail_recipients_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table mcap_films add constraint mcap_films_ingest_id_fkey FOREIGN KEY (ingest_id) REFERENCES mcap_ingests(id) ON DELETE CASCADE;

alter table mcap_imports add constraint mcap_imports_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table mcap_imports add constraint mcap_imports_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);

alter table mcap_ingests add constraint mcap_ingests_folder_id_fkey FOREIGN KEY (folder_id) REFERENCES folders(id) ON DELETE SET NULL;

alter table mcap_ingests add constraint mcap_ingests_import_id_fkey FOREIGN KEY (import_id) REFERENCES mcap_imports(id) ON DELETE CASCADE;

alter table mcap_ingests add constraint mcap_ingests_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table mcap_ingests add constraint mcap_ingests_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);

alter table object_vectors add constraint object_vectors_video_id_kind_version_fkey FOREIGN KEY (video_id, kind, version) REFERENCES observations(video_id, kind, version) ON DELETE CASCADE;

alter table observation_ranges add constraint observation_ranges_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE;

alter table observation_run_videos add constraint observation_run_videos_run_id_fkey FOREIGN KEY (run_id) REFERENCES observation_runs(id) ON DELETE CASCADE;

alter table observation_run_videos add constraint observation_run_videos_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE;

alter table observation_runs add constraint observation_runs_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE;

alter table observation_runs add constraint observation_runs_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE;

alter table observations add constraint observations_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE;

alter table organization_usage add constraint organization_usage_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE;

alter table recovery_codes add constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES second_factors(user_id) ON DELETE CASCADE;

alter table resumable_uploads add constraint resumable_uploads_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE;

alter table review_changes add constraint review_changes_analysis_id_fkey FOREIGN KEY (analysis_id) REFERENCES analyses(id) ON DELETE CASCADE;

alter table review_changes add constraint review_changes_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table review_policies add constraint review_policies_folder_id_fkey FOREIGN KEY (folder_id) REFERENCES folders(id) ON DELETE CASCADE;

alter table saved_question_digests add constraint saved_question_digests_question_id_fkey FOREIGN KEY (question_id) REFERENCES saved_questions(id) ON DELETE CASCADE;

alter table saved_question_runs add constraint saved_question_runs_question_id_fkey FOREIGN KEY (question_id) REFERENCES saved_questions(id) ON DELETE CASCADE;

alter table saved_question_runs add constraint saved_question_runs_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE;

alter table saved_questions add constraint saved_questions_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table saved_questions add constraint saved_questions_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);

alter table search_sessions add constraint search_sessions_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table search_sessions add constraint search_sessions_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);

alter table second_factors add constraint second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table sessions add constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table stream_events add constraint stream_events_stream_id_fkey FOREIGN KEY (stream_id) REFERENCES streams(id) ON DELETE CASCADE;

alter table streams add constraint streams_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table streams add constraint streams_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);

alter table users add constraint users_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table video_passages add constraint video_passages_video_id_kind_version_fkey FOREIGN KEY (video_id, kind, version) REFERENCES observations(video_id, kind, version) ON DELETE CASCADE;

alter table videos add constraint videos_camera_id_fkey FOREIGN KEY (camera_id) REFERENCES cameras(id) ON DELETE SET NULL;

alter table videos add constraint videos_folder_id_fkey FOREIGN KEY (folder_id) REFERENCES folders(id);

alter table videos add constraint videos_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table videos add constraint videos_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id);

alter table views add constraint views_primary_video_id_fkey FOREIGN KEY (primary_video_id) REFERENCES videos(id) ON DELETE CASCADE;

alter table views add constraint views_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE;

alter table vision_replies add constraint vision_replies_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table vision_usage add constraint vision_usage_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table webhook_deliveries add constraint webhook_deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE;

alter table webhook_deliveries add constraint webhook_deliveries_message_id_fkey FOREIGN KEY (message_id) REFERENCES webhook_messages(id) ON DELETE CASCADE;

alter table webhook_endpoints add constraint webhook_endpoints_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table webhook_messages add constraint webhook_messages_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table zones add constraint zones_camera_id_fkey FOREIGN KEY (camera_id) REFERENCES cameras(id) ON DELETE CASCADE;

alter table zones add constraint zones_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id);

alter table zones add constraint zones_folder_id_fkey FOREIGN KEY (folder_id) REFERENCES folders(id) ON DELETE CASCADE;

alter table zones add constraint zones_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id);

alter table zones add constraint zones_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE;

CREATE TRIGGER activity_changed AFTER UPDATE ON analyses FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) OR (old.stage IS DISTINCT FROM new.stage) OR (old.progress IS DISTINCT FROM new.progress))) EXECUTE FUNCTION record_analysis();

CREATE TRIGGER activity_created AFTER INSERT ON analyses FOR EACH ROW EXECUTE FUNCTION record_analysis();

CREATE TRIGGER activity_deleted AFTER DELETE ON analyses FOR EACH ROW EXECUTE FUNCTION record_analysis();

CREATE TRIGGER activity_reviewed AFTER UPDATE ON analyses FOR EACH ROW WHEN ((old.review_count <> new.review_count)) EXECUTE FUNCTION record_analysis();

CREATE TRIGGER activity_changed AFTER UPDATE ON batches FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) OR (old.completed IS DISTINCT FROM new.completed) OR (old.failed IS DISTINCT FROM new.failed) OR (old.metadata IS DISTINCT FROM new.metadata))) EXECUTE FUNCTION record_batch();

CREATE TRIGGER activity_created AFTER INSERT ON batches FOR EACH ROW EXECUTE FUNCTION record_batch();

CREATE TRIGGER activity_deleted AFTER DELETE ON batches FOR EACH ROW EXECUTE FUNCTION record_batch();

CREATE TRIGGER activity_changed AFTER UPDATE ON import_jobs FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) OR (old.total IS DISTINCT FROM new.total) OR (old.uploaded IS DISTINCT FROM new.uploaded) OR (old.failed IS DISTINCT FROM new.failed) OR (old.skipped IS DISTINCT FROM new.skipped))) EXECUTE FUNCTION record_import_job();

CREATE TRIGGER activity_created AFTER INSERT ON import_jobs FOR EACH ROW EXECUTE FUNCTION record_import_job();

CREATE TRIGGER activity_deleted AFTER DELETE ON import_jobs FOR EACH ROW EXECUTE FUNCTION record_import_job();

CREATE TRIGGER activity_changed AFTER UPDATE ON live_sessions FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) OR (old.connected IS DISTINCT FROM new.connected) OR (old.query IS DISTINCT FROM new.query) OR (old.segment_count IS DISTINCT FROM new.segment_count) OR (old.event_count IS DISTINCT FROM new.event_count))) EXECUTE FUNCTION record_live_session();

CREATE TRIGGER activity_created AFTER INSERT ON live_sessions FOR EACH ROW EXECUTE FUNCTION record_live_session();

CREATE TRIGGER activity_changed AFTER UPDATE ON mcap_ingests FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION record_mcap_ingest();

CREATE TRIGGER activity_created AFTER INSERT ON mcap_ingests FOR EACH ROW EXECUTE FUNCTION record_mcap_ingest();

CREATE TRIGGER activity_deleted AFTER DELETE ON mcap_ingests FOR EACH ROW EXECUTE FUNCTION record_mcap_ingest();

CREATE TRIGGER activity_upload AFTER INSERT OR DELETE ON resumable_uploads FOR EACH ROW EXECUTE FUNCTION record_upload();

CREATE TRIGGER activity_changed AFTER UPDATE ON videos FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) OR (old.scope IS DISTINCT FROM new.scope) OR (old.folder_id IS DISTINCT FROM new.folder_id) OR (old.deleted_at IS DISTINCT FROM new.deleted_at) OR (old.name IS DISTINCT FROM new.name) OR (old.tags IS DISTINCT FROM new.tags) OR (old.user_metadata IS DISTINCT FROM new.user_metadata) OR (old.metadata IS DISTINCT FROM new.metadata) OR (old.probe IS DISTINCT FROM new.probe))) EXECUTE FUNCTION record_video();

CREATE TRIGGER activity_created AFTER INSERT ON videos FOR EACH ROW EXECUTE FUNCTION record_video();

CREATE TRIGGER activity_deleted AFTER DELETE ON videos FOR EACH ROW EXECUTE FUNCTION record_video();

CREATE TRIGGER activity_held AFTER UPDATE ON videos FOR EACH ROW WHEN ((old.held_at IS DISTINCT FROM new.held_at)) EXECUTE FUNCTION record_video();

CREATE TRIGGER videos_held BEFORE DELETE ON videos FOR EACH ROW WHEN ((old.held_at IS NOT NULL)) EXECUTE FUNCTION refuse_deletion_of_held_video();
