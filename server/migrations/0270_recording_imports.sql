-- Recordings that are imported by directory: each has a name and a folder of its own, and its job ends once they are
-- converted to videos.
alter table import_jobs add column format text;
alter table import_rows add column name text;
alter table import_rows add column folder_id text references folders (id) on delete set null;
create index import_rows_folder on import_rows (folder_id) where folder_id is not null;
