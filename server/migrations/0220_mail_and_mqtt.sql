-- Webhooks also send mail, and messages to an MQTT broker.
alter table webhook_endpoints drop constraint webhook_endpoints_format_check;
alter table webhook_endpoints
  add check (format in ('standard', 'slack', 'discord', 'teams', 'ntfy', 'email', 'mqtt'));
