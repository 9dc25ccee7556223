-- Alerts about events of a session. Their analysis is known once the recording has one.
alter table alerts
  alter column analysis_id drop not null,
  alter column position drop not null,
  add column session_id text,
  add column live_event_id text;
create unique index alerts_of_live_events on alerts (session_id, live_event_id, question_id) where session_id is not null;
