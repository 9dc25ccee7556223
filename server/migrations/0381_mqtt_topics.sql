-- True if the MQTT topic starts with the organization, as that of new webhooks does. The topics of webhooks from before
-- remain, since brokers, automations and access lists name them.
alter table webhook_endpoints add column org_topic boolean not null default false;
