-- Names in the field's words: usage of an organisation, references to stored content, heartbeats of uploads, requests for a lease.
alter table organization_space rename to organization_usage;
alter table organization_usage rename constraint organization_space_pkey to organization_usage_pkey;
alter table organization_usage rename constraint organization_space_org_id_fkey to organization_usage_org_id_fkey;
alter table contents rename column uses to reference_count;
alter table contents rename constraint contents_uses_check to contents_reference_count_check;
alter table videos rename column touched_at to heartbeat_at;
alter index videos_arriving rename to videos_pending;
alter table resumable_uploads rename column wanted_at to lease_requested_at;
