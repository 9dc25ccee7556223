-- Verdicts that follow for an event from one on another event of its incident, which `implied_by` names. They are shown,
-- and never count as verdicts.
alter table analysis_events
  add column implied text,
  add column implied_by text;
