-- Where the alerts of a saved question go: ids of webhooks; null: all webhooks that want alerts.
alter table saved_questions add column webhook_ids text[];
-- True: the webhook receives only what saved questions that name it announce.
alter table webhook_endpoints add column saved_questions_only boolean not null default false;

-- Alerts as the console lists them. What is shown of an event is read from `analysis_events`.
create table alerts (
  id text primary key,
  org_id text not null references organizations (id),
  question_id text not null references saved_questions (id) on delete cascade,
  analysis_id text not null,
  position integer not null,
  -- Further events of the video that it stands for.
  other_events integer not null,
  created_at timestamp with time zone not null default now(),
  unique (analysis_id, position, question_id)
);
create index alerts_by_organization on alerts (org_id, id);
create index alerts_by_question on alerts (question_id);

-- Alerts up to this one were seen by a user.
create table alert_reads (
  user_id text primary key references users (id),
  alert_id text not null
);

-- Questions whose alerts a user does not want to be shown; `muted_until` null: until the user ends it.
create table alert_mutes (
  user_id text not null references users (id),
  question_id text not null references saved_questions (id) on delete cascade,
  muted_until timestamp with time zone,
  primary key (user_id, question_id)
);
create index alert_mutes_by_question on alert_mutes (question_id);
