-- Least confidence of an event of an analysis: what is found with less is a candidate. Earlier analyses had no limit, and
-- their documents are stored; those that still run get the default.
alter table analyses add column min_confidence real not null default 0.5 check (min_confidence between 0 and 1);
