-- Lists of ingests, newest first.
create index mcap_ingests_by_org on mcap_ingests (org_id, id);
