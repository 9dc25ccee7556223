-- How messages to an endpoint are written: as Standard Webhooks, or for a chat service.
alter table webhook_endpoints
  add column format text not null default 'standard' check (format in ('standard', 'slack', 'discord', 'teams', 'ntfy'));
