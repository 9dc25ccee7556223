-- Random ranges without events that reviewers looked at, for recall: whether an event that was missed starts there.
create table review_samples (
  analysis_id text not null,
  start_s double precision not null,
  end_s double precision not null,
  org_id text not null,
  user_id text not null,
  verdict text not null check (verdict in ('clear', 'missed', 'unsure')),
  created_at timestamptz not null default now(),
  primary key (analysis_id, start_s)
);
create index review_samples_by_org on review_samples (org_id);
