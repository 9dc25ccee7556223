-- Incidents: what events of several questions on one video show. `incident_subject`: class, signal or label; null until
-- the incident is computed, and again after a review changed the event. `footprint`: paths and boxes, thinned.
alter table analysis_events
  add column incident_id text,
  add column incident_subject text,
  add column footprint jsonb;

create index analysis_events_by_incident on analysis_events (incident_id, analysis_id, position);
create index analysis_events_by_subject on analysis_events (video_id, incident_subject);
create index analysis_events_without_incident on analysis_events (video_id) where incident_subject is null;
