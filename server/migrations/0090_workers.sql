-- Worker nodes that run jobs. Each updates its row while it runs, and removes it when it closes.
create table workers (
  id text primary key,
  host text not null,
  pid integer not null,
  running jsonb not null default '{}', -- number of running jobs by kind
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now()
);
