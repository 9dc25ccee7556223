-- When a session was asked to end, so that what it still lacks by then is fetched or stated as a gap.
alter table live_sessions add column end_requested_at timestamptz;
-- Whether it is recorded to its end; what is left is to put the recording together.
alter table live_sessions add column recorded boolean not null default false;
update live_sessions set recorded = true where status not in ('INITIALIZING', 'ACTIVE');
