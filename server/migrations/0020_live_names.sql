-- Columns of livestreams are named by what they hold; see features/live.
alter table live_sessions rename column holder to lease_holder;
alter table live_sessions rename column segments to segment_count;
alter table live_sessions rename column epochs to epoch_count;
alter table live_sessions rename column events to event_count;
alter table live_sessions rename column longest_s to longest_segment_s;
alter table live_sessions rename column lead_s to timestamp_offset_s;
alter table live_sessions rename column recorded to capture_complete;
alter table live_sessions rename column removed to recordings_deleted;
alter index live_sessions_going rename to live_sessions_open;
alter index live_sessions_kept rename to live_sessions_by_end;

alter table live_segments rename column film_offset to recording_offset;

alter table live_observed rename to live_segment_observations;
alter table live_segment_observations rename constraint live_observed_pkey to live_segment_observations_pkey;
alter table live_segment_observations rename constraint live_observed_session_id_fkey to live_segment_observations_session_id_fkey;

alter table live_analyses rename column holder to lease_holder;
alter table live_analyses rename column next to next_sequence;
alter table live_analyses rename column until to end_sequence;
alter table live_analyses rename column known_s to analysed_s;
alter table live_analyses rename column behind_s to lag_s;
alter table live_analyses rename column told to reported_events;
alter table live_analyses rename column since to search_starts;
alter table live_analyses rename column pending to pending_ranges;
alter table live_analyses rename column skipped to skipped_ranges;
alter index live_analyses_going rename to live_analyses_open;

update live_analyses set pending_ranges = (
  select json_agg(
    (range::jsonb - 'told' - 'after') || jsonb_build_object('reportedEvents', range -> 'told', 'eventsAfter', range -> 'after')
    order by position)
  from json_array_elements(pending_ranges) with ordinality as pending (range, position))
where json_array_length(pending_ranges) > 0;
