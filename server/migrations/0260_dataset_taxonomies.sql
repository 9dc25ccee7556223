-- Fields that classify the events of a dataset, and their values. Fields that queries requested (`output_schema`) are in
-- the documents of their analyses.
alter table datasets add column vertical text;

create table dataset_taxonomies (
  id text primary key,
  dataset_id text not null references datasets (id) on delete cascade,
  label text not null,
  fields jsonb not null,
  status text not null check (status in ('processing', 'done', 'failed')),
  reason text,
  analyses_done integer not null default 0,
  analyses_total integer not null default 0,
  created_at timestamptz not null default now()
);
create index dataset_taxonomies_by_dataset on dataset_taxonomies (dataset_id, id);

create table dataset_event_values (
  taxonomy_id text not null references dataset_taxonomies (id) on delete cascade,
  analysis_id text not null references analyses (id) on delete cascade,
  position integer not null,
  field_values jsonb not null,
  primary key (taxonomy_id, analysis_id, position)
);
create index dataset_event_values_by_analysis on dataset_event_values (analysis_id);
