-- The operation of the API that an entry records, and whether it was carried out.
alter table audit_events
  add column operation text,
  add column outcome text not null default 'succeeded',
  -- Set when the entry joins the chain of digests: its place in the chain of its organization, and the digests that prove it.
  add column position bigint,
  add column salt text,
  add column content_digest text,
  add column digest text,
  -- Set when its personal content was erased; the digest of that content remains.
  add column erased_at timestamp with time zone,
  add constraint audit_events_outcome_check check (outcome in ('succeeded', 'refused'));

create unique index audit_events_by_position on audit_events (org_id, position) where position is not null;
create index audit_events_pending on audit_events (org_id, id) where position is null;
create index audit_events_by_subject on audit_events (org_id, subject_id, id);

-- The last entry in the chain of each organization; its row is the lock of those who append to it.
create table audit_chains (
  org_id text primary key references organizations (id),
  position bigint not null,
  digest text not null
);
