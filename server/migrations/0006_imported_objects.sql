-- An object that is imported again is known: by its organisation, the bucket, the key and the version.
alter table import_jobs
  add column endpoint text not null default '',         -- the server of the bucket, where it is not the provider's own
  add column force boolean not null default false,      -- whether known objects are imported again
  add column skipped integer not null default 0;        -- objects that were known; they count as uploaded as well
alter table import_rows
  add column object_id text,                            -- digest of the organisation, the bucket and the key
  add column known_video_id text;                       -- the video of an object that was skipped; no reference
alter table mcap_ingests
  add column object_id text,
  add column object_version text;
alter table mcap_imports
  add column skipped jsonb not null default '[]';       -- files that were known: their key and ingest

update import_jobs set endpoint = coalesce(integrations.endpoint_url, '')
  from integrations where integrations.id = import_jobs.integration_id;
update import_rows set object_id = encode(sha256(convert_to(
    concat(j.org_id, E'\n', j.provider, E'\n', j.endpoint, E'\n', j.bucket, E'\n', import_rows.object_key), 'UTF8')), 'hex')
  from import_jobs j where j.id = import_rows.job_id;
update mcap_ingests set object_id = r.object_id, object_version = coalesce(r.read_version, r.version)
  from import_rows r where r.video_id = mcap_ingests.id;
alter table import_rows alter column object_id set not null;

create index import_rows_by_object on import_rows (object_id) where known_video_id is null and status <> 'UPLOADING_FAILED';
create index import_rows_by_known_video on import_rows (known_video_id) where known_video_id is not null;
create index mcap_ingests_by_object on mcap_ingests (object_id) where object_id is not null;
