-- Models of the service: which files its nodes use, and the latest download. A model without a row is what each node
-- has in its own folder.
create table models (
  name text primary key,
  files jsonb, -- [{name, bytes, sha256}] in storage; null: none
  changed_at timestamptz, -- when `files` was last set or removed; files that came to a node's folder later take precedence
  download text not null default 'none' check (download in ('none', 'running', 'failed', 'canceled')),
  job_id text,
  attempt integer not null default 0,
  bytes_done bigint not null default 0,
  problem jsonb, -- {code, message} of a failed download
  updated_at timestamptz not null default now()
);
