-- Endpoints of an organization that receive its events. No event types: all of them. During a rotation, messages are
-- signed with the previous secret, too.
create table webhook_endpoints (
  id text primary key,
  org_id text not null references organizations (id),
  created_by text not null,
  url text not null,
  description text not null,
  event_types text[] not null,
  folder_id text,
  enabled boolean not null default true,
  -- Reason if the service disabled it.
  disabled_reason text check (disabled_reason in ('failing', 'removed')),
  encrypted_secret jsonb not null,
  encrypted_previous_secret jsonb,
  previous_secret_until timestamptz,
  -- Time of the first failed attempt since the last successful one.
  failing_since timestamptz,
  -- Until then, an endpoint that does not respond at all gets no further request.
  paused_until timestamptz,
  created_at timestamptz not null default now()
);
create index webhook_endpoints_by_org on webhook_endpoints (org_id, id);

-- One row for each reported fact. Of two messages of a subject, the later one has the larger sequence.
create table webhook_messages (
  id text primary key,
  org_id text not null references organizations (id),
  sequence bigint generated always as identity,
  type text not null,
  subject text not null,
  data json not null,
  created_at timestamptz not null default now()
);
create index webhook_messages_by_age on webhook_messages (created_at);

-- A message on its way to an endpoint, with the result of its latest attempt. A message that is sent again is a new row.
create table webhook_deliveries (
  id text primary key,
  endpoint_id text not null references webhook_endpoints (id) on delete cascade,
  message_id text not null references webhook_messages (id) on delete cascade,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  -- Time of the next attempt; null once it is delivered or has failed.
  next_attempt_at timestamptz default now(),
  last_attempt_at timestamptz,
  duration_ms integer,
  response_status integer,
  response_excerpt text,
  problem_code text,
  problem_message text
);
create index webhook_deliveries_by_endpoint on webhook_deliveries (endpoint_id, id);
create index webhook_deliveries_by_message on webhook_deliveries (message_id);
