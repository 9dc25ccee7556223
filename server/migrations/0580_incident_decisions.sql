-- What people decided about two events of a video: the same incident, or not. The rule of incidents follows it whenever it runs.
create table incident_decisions (
  video_id text not null references videos (id) on delete cascade,
  -- The events, the one with the smaller id first.
  analysis_a text not null references analyses (id) on delete cascade,
  position_a integer not null,
  analysis_b text not null references analyses (id) on delete cascade,
  position_b integer not null,
  same boolean not null,
  decided_by text not null,
  decided_at timestamp with time zone not null default now(),
  primary key (analysis_a, position_a, analysis_b, position_b)
);
create index incident_decisions_video on incident_decisions (video_id);
create index incident_decisions_other on incident_decisions (analysis_b);
