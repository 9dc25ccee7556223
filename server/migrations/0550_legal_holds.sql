-- Legal holds: since when a video is held, by whom, and why. A held video exists, or is in the trash without an end: no code
-- can mark it as deleted, or delete its row, before the hold is released.
alter table videos
  add column held_at timestamptz,
  add column held_by text,
  add column hold_reason text,
  add constraint videos_hold_check check (num_nulls(held_at, held_by, hold_reason) in (0, 3)),
  add constraint videos_held_check check (held_at is null or erase_after is null or erase_after = timestamptz '9999-12-31 00:00:00+00');

create function refuse_deletion_of_held_video() returns trigger language plpgsql as $$
begin
  raise exception 'the video % is on legal hold', old.id using errcode = 'restrict_violation';
end $$;
create trigger videos_held before delete on videos for each row when (old.held_at is not null)
  execute function refuse_deletion_of_held_video();

create trigger activity_held after update on videos for each row when (old.held_at is distinct from new.held_at)
  execute function record_video();

-- Why a video was deleted, for the entry that the audit log has of its erasure: the user, if a user did it, the rule, if one
-- did, and the reason that was given.
alter table videos
  add column deleted_by text,
  add column deletion_rule text,
  add column deletion_reason text;
