-- Review of events. The state of an event (verdicts, edited label, note) is a part of its analysis document; these columns
-- are derived from it, as the others.
alter table analysis_events
  add column approval text not null default 'pending',
  add column added boolean not null default false,
  -- Verdicts of reviewers differ, and none has the required number.
  add column disputed boolean not null default false,
  add column reviewer_ids text[] not null default '{}',
  -- The field `review` of the event; null until somebody reviews it.
  add column review jsonb,
  -- Who works on the event, until when. Not in the document: it ends by itself.
  add column lease_user_id text,
  add column lease_until timestamptz;
create index analysis_events_by_approval on analysis_events (org_id, approval, analysis_id, position);
create index analysis_events_pending on analysis_events (org_id, confidence, analysis_id, position) where approval = 'pending';
create index analysis_events_disputed on analysis_events (org_id, analysis_id, position) where disputed;
create index analysis_events_leased on analysis_events (lease_user_id, analysis_id, position) where lease_user_id is not null;
create index analysis_events_reviewed on analysis_events (org_id, analysis_id, position) where review is not null;

-- Number of changes by reviewers. Reviewed events of a running analysis do not exist.
alter table analyses add column review_count integer not null default 0;

-- What reviewers changed: fields before and after, so that each change can be shown and undone.
create table review_changes (
  id text primary key,
  -- Changes of one request; undone together.
  action_id text not null,
  org_id text not null references organizations (id),
  user_id text not null,
  analysis_id text not null references analyses (id) on delete cascade,
  position integer not null,
  kind text not null check (kind in ('changed', 'added', 'undone')),
  before jsonb not null,
  after jsonb not null,
  undone boolean not null default false,
  created_at timestamptz not null default now()
);
create index review_changes_by_event on review_changes (analysis_id, position, id);
create index review_changes_by_user on review_changes (org_id, user_id, id) where not undone and kind <> 'undone';
create index review_changes_by_action on review_changes (action_id);

-- Folders whose events need more than one reviewer.
create table review_policies (
  folder_id text primary key references folders (id) on delete cascade,
  reviewers integer not null check (reviewers between 1 and 2)
);

create or replace function record_analysis() returns trigger language plpgsql as $$
declare
  analysis record := case when tg_op = 'DELETE' then old else new end;
begin
  perform record_activity(analysis.org_id, 'analysis', analysis.id,
    case
      when tg_op = 'INSERT' then 'created'
      when tg_op = 'DELETE' then 'deleted'
      when old.review_count <> new.review_count then 'reviewed'
      when old.status <> new.status then 'done'
      else 'progress'
    end,
    analysis.owner_id, analysis.scope, (select folder_id from videos where id = analysis.video_id),
    json_build_object('video_id', analysis.video_id, 'batch_id', analysis.batch_id, 'status', analysis.status, 'stage', analysis.stage,
      'progress', round(analysis.progress::numeric, 1)));
  return null;
end $$;
create trigger activity_reviewed after update on analyses for each row
  when (old.review_count <> new.review_count)
  execute function record_analysis();
create index analyses_reviewed on analyses (org_id) where review_count > 0;
