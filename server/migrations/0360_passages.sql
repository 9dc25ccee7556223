-- Passages: sentences that are spoken in a video, and texts that are read in its frames, with their time. They are
-- derived from stored observations and are deleted with them. The columns of access are those of the video.
create table video_passages (
  video_id text not null,
  kind text not null check (kind in ('speech', 'subtitles', 'text')),
  version text not null,
  position integer not null,
  org_id text not null,
  owner_id text not null,
  scope text not null,
  folder_id text,
  hidden boolean not null, -- the video is deleted, but can be restored
  start_s double precision not null,
  end_s double precision not null,
  text text not null,
  words tsvector not null,
  primary key (video_id, kind, version, position),
  foreign key (video_id, kind, version) references observations (video_id, kind, version) on delete cascade
);
create index video_passages_by_org on video_passages (org_id, video_id desc, start_s, kind, position);
create index video_passages_shared on video_passages (org_id, video_id desc, start_s, kind, position)
  where scope = 'org';
create index video_passages_personal on video_passages (owner_id, video_id desc, start_s, kind, position)
  where scope = 'user';
create index video_passages_by_folder on video_passages (folder_id, video_id desc, start_s, kind, position)
  where folder_id is not null;
create index video_passages_by_video on video_passages (video_id, start_s, kind, position);
create index video_passages_by_words on video_passages using gin (words);

-- The text of a passage for full-text search. Text in frames is read without spaces: "EXIT42" is also "EXIT 42".
create function passage_words(text text) returns text
  language sql immutable parallel safe strict
  return text || case when text ~ '[[:alpha:]][[:digit:]]|[[:digit:]][[:alpha:]]' then ' ' || regexp_replace(
    regexp_replace(text, '([[:alpha:]])([[:digit:]])', '\1 \2', 'g'), '([[:digit:]])([[:alpha:]])', '\1 \2', 'g'
  ) else '' end;

-- Observations from before this migration; a job derives their passages.
alter table observations add column passages_stored boolean not null default false;
create index observations_without_passages on observations (created_at, video_id)
  where status = 'ready' and not passages_stored and kind in ('speech', 'subtitles', 'text');

-- Any word of a search. Null without a word that can be found.
create function event_query_any(org_id text, words text) returns tsquery
  language sql immutable parallel safe strict
  return (
    select string_agg('''' || right(org_id, 6) || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''', ' | ')::tsquery
    from unnest(to_tsvector('english', words))
  );

-- Events are found by the tags of their video and by notes of reviewers, too: a job derives their words again.
update analyses set events_indexed = false
where status = 'COMPLETED' and events_indexed and (
  video_id in (select id from videos where tags <> '{}')
  or id in (select analysis_id from analysis_events where review ->> 'note' is not null)
);
