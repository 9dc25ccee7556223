-- Who waits for an analysis: a person, an organization that started many at once, or nobody in particular.
alter table analyses add column job_class text not null default 'batch'
  check (job_class in ('interactive', 'batch', 'background'));
