-- Events that were exported as a file. `filter` has the conditions of the request by their names in the code; `as_admin`
-- is true if it was made with the rights of an admin.
create table exports (
  id text primary key,
  org_id text not null references organizations (id),
  owner_id text not null,
  as_admin boolean not null,
  folder_id text,
  format text not null,
  filter jsonb not null,
  status text not null check (status in ('processing', 'completed', 'failed')),
  event_count integer not null default 0,
  size_bytes bigint,
  problem_code text,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  expires_at timestamptz not null
);
create index exports_by_owner on exports (owner_id, id);
create index exports_by_expiry on exports (expires_at);
