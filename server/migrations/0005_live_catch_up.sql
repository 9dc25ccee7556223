-- What the live analysis skipped to keep up and still has to catch up on, and what it will never cover; see features/live/analysis/ranges.ts.
alter table live_analyses add column pending json not null default '[]';
alter table live_analyses add column skipped json not null default '[]';

-- Coverage has the intervals in which each part of a query was looked for. Of earlier analyses only one is known: the whole.
update live_analyses set coverage = (
  select coalesce(json_agg(json_build_object(
    'search', found ->> 'text', 'text', found ->> 'text',
    'intervals', json_build_array(json_build_object(
      'fromS', 0, 'untilS', known_s, 'status', found ->> 'status', 'by', found -> 'by', 'reason', found -> 'reason'))
  )), '[]')
  from json_array_elements(coverage) as found
);
