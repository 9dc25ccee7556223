-- How often the worker of a job died while it ran the job. pg-boss counts attempts alone, whatever ended them.
create table job_interruptions (
  job_id uuid primary key,            -- of pg-boss; no reference, since its rows are replaced and removed
  interruptions integer not null,
  charge double precision not null,   -- the job's share of the blame: 1 for a worker that ran nothing else, 1/n where it ran n jobs
  silent_since timestamptz not null   -- last heartbeat of the last worker that died
);
create index job_interruptions_by_age on job_interruptions (silent_since);
