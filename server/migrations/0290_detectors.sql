-- Name of the detector of one query; null: that of the service.
alter table analyses add column detector text;
