-- Lists of videos by when they were recorded, in milliseconds, as cursors have it. Those without a known time sort as the
-- earliest.
create index videos_by_recording on videos
  (org_id, scope, coalesce(floor(extract(epoch from recorded_at - timestamptz '1970-01-01Z') * 1000), '-infinity'), id)
  where deleted_at is null;
create index videos_personal_by_recording on videos
  (owner_id, coalesce(floor(extract(epoch from recorded_at - timestamptz '1970-01-01Z') * 1000), '-infinity'), id)
  where deleted_at is null and scope = 'user';
create index videos_by_folder_and_recording on videos
  (folder_id, coalesce(floor(extract(epoch from recorded_at - timestamptz '1970-01-01Z') * 1000), '-infinity'), id)
  where deleted_at is null;
