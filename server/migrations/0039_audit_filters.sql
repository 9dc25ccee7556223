-- Lists of the audit log by action and by user cost a page, however long the log is.
create index audit_events_by_action on audit_events (org_id, action, id);
create index audit_events_by_user on audit_events (org_id, user_id, id);
