-- Events that a running analysis has reported before it ends; null if none were requested.
alter table analyses add column preliminary jsonb;
