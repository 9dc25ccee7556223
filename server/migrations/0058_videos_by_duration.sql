-- Lists of videos by duration. Videos whose duration is not known yet sort as the shortest.
create index videos_by_duration on videos (org_id, scope, coalesce(duration_s, 0), id) where deleted_at is null;
create index videos_personal_by_duration on videos (owner_id, coalesce(duration_s, 0), id) where deleted_at is null and scope = 'user';
create index videos_by_folder_and_duration on videos (folder_id, coalesce(duration_s, 0), id) where deleted_at is null;
