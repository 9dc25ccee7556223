-- Clocks with a rate: `clock ->> 'rate'` is how many seconds of the calendar a second of the video is, as of a camera whose
-- clock drifts or of a time lapse; absent: 1.
create or replace function recorded_time(recorded_at timestamptz, clock jsonb, seconds double precision) returns timestamptz
  language sql stable parallel safe
  return recorded_at + make_interval(secs => seconds * coalesce((clock ->> 'rate')::double precision, 1) + coalesce((
    select sum((jump ->> 'seconds')::double precision) from jsonb_array_elements(clock -> 'jumps') as jump
    where (jump ->> 'atS')::double precision <= recorded_time.seconds), 0));

-- How the clocks of new videos of a folder are read: `pattern` of dates and times in their paths, and the settings that
-- they start with; null: by the files alone.
alter table folders add column clock_rule jsonb;
