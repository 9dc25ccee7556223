-- Curated datasets: named sets of batches, and of videos without analyses. Batches and videos that are deleted stay
-- listed, so that a dataset shows what it has lost.
create table datasets (
  id text primary key,
  org_id text not null references organizations (id),
  owner_id text not null,
  scope text not null check (scope in ('user', 'org')),
  name text not null,
  search_description text not null,
  analysis_type text not null check (analysis_type in ('ask', 'agent', 'unanalyzed')),
  batch_ids text[] not null,
  video_ids text[] not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index datasets_by_owner on datasets (owner_id, id);
create index datasets_shared on datasets (org_id, id) where scope = 'org';
