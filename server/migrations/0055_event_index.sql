-- Words of an event for full-text search. Words are prefixed with a part of the organization's id, so that a search does
-- not read those of others; conditions on the organization stay.
create function event_words(org_id text, words text) returns tsvector
  language sql immutable parallel safe strict
  return array_to_tsvector(array(select right(org_id, 6) || lexeme from unnest(to_tsvector('english', words))));

-- All words of a search, in any order. Null without a word that can be found, such as for "the".
create function event_query(org_id text, words text) returns tsquery
  language sql immutable parallel safe strict
  return (
    select string_agg('''' || right(org_id, 6) || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''', ' & ')::tsquery
    from unnest(to_tsvector('english', words))
  );

-- The events of completed analyses, one row each, derived from their documents. Rows of deleted videos are deleted, and
-- derived again when the video is restored. The folder is that of the video; it may be one that was deleted.
create table analysis_events (
  analysis_id text not null references analyses (id) on delete cascade,
  position integer not null,
  org_id text not null,
  -- Null: only admins see it, because it is about a personal video of somebody else than the owner of the analysis.
  owner_id text,
  scope text not null,
  video_id text not null,
  folder_id text,
  batch_id text,
  type text not null,
  label text not null,
  severity text not null,
  confidence real not null,
  start_s double precision not null,
  end_s double precision not null,
  image text,
  created_at timestamptz not null,
  words tsvector not null,
  primary key (analysis_id, position)
);
create index analysis_events_by_org on analysis_events (org_id, analysis_id, position);
create index analysis_events_shared on analysis_events (org_id, analysis_id, position) where scope = 'org';
create index analysis_events_personal on analysis_events (owner_id, analysis_id, position) where scope = 'user';
create index analysis_events_by_folder on analysis_events (folder_id, analysis_id, position) where folder_id is not null;
create index analysis_events_by_video on analysis_events (video_id, analysis_id, position);
create index analysis_events_by_batch on analysis_events (batch_id, analysis_id, position) where batch_id is not null;
create index analysis_events_by_label on analysis_events (org_id, left(label, 100), analysis_id, position);
create index analysis_events_by_type on analysis_events (org_id, type, analysis_id, position);
create index analysis_events_by_severity on analysis_events (org_id, severity, analysis_id, position);
create index analysis_events_by_confidence on analysis_events (org_id, confidence, analysis_id, position);
create index analysis_events_by_words on analysis_events using gin (words);

-- Analyses from before this migration; a job derives their events.
alter table analyses add column events_indexed boolean not null default false;
create index analyses_not_indexed on analyses (id) where status = 'COMPLETED' and not events_indexed;
