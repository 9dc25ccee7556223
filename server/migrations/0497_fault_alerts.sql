-- Alerts about faults of cameras, which no question raised.
alter table alerts
  alter column question_id drop not null,
  add column camera_fault_id text references camera_faults (id) on delete cascade;
create unique index alerts_of_camera_faults on alerts (camera_fault_id) where camera_fault_id is not null;
