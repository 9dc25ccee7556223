-- Recordings that consist of several objects: which files of the bucket belong to a row, and the episodes of an ingest.
alter table import_rows add column content jsonb;
alter table mcap_ingests add column episodes jsonb;
