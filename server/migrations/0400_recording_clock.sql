-- When a video was recorded. `clock`: what its sources say and what a person set; null until they are read.
alter table videos
  add column recorded_at timestamptz,
  add column recorded_until timestamptz,
  add column time_zone text,
  add column clock jsonb;

create index videos_recorded on videos (org_id, recorded_until) where recorded_until is not null;
create index videos_without_clock on videos (id) where clock is null and status = 'UPLOADED';

-- Instant of a second of a video. `jumps`: where the video goes on later than it stopped, as after a lost connection.
create function recorded_time(recorded_at timestamptz, clock jsonb, seconds double precision) returns timestamptz
  language sql stable parallel safe
  return recorded_at + make_interval(secs => seconds + coalesce((
    select sum((jump ->> 'seconds')::double precision) from jsonb_array_elements(clock -> 'jumps') as jump
    where (jump ->> 'atS')::double precision <= recorded_time.seconds), 0));

-- Local time of an instant. An offset (`+01:00`) is east of UTC, unlike in names of time zones.
create function local_time(instant timestamptz, zone text) returns timestamp
  language sql stable parallel safe
  return case when zone ~ '^[+-]' then instant at time zone zone::interval else instant at time zone coalesce(zone, 'UTC') end;
