-- Name of the vision profile of queries on videos of a folder, and of one query; null: that of the service.
alter table folders add column vision_profile text;
alter table analyses add column vision_profile text;
