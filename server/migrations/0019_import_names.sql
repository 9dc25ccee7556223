-- Names of imports and integrations in the terms that the code and the documentation use.
alter table import_rows rename column lane to worker;
alter table import_rows rename column holder to lease_holder;
alter table import_rows rename column begun to record_created;
alter table import_rows rename column known_video_id to existing_video_id;
alter table import_rows rename column read_version to imported_version;
alter table import_syncs rename column next_at to next_run_at;
alter table integrations rename column sealed to encrypted_credentials;

alter index import_rows_by_known_video rename to import_rows_by_existing_video;
alter index import_rows_by_place rename to import_rows_by_position;
alter index import_rows_of_sync rename to import_rows_by_sync;
alter index import_rows_waiting rename to import_rows_pending;

-- Payloads of queued transfers; a new database has no job queue yet.
do $$
begin
  if to_regclass('pgboss.job') is not null then
    update pgboss.job set data = (data - 'lane') || jsonb_build_object('worker', data -> 'lane')
      where name = 'imports.transfer' and data ? 'lane';
  end if;
end $$;
