-- Analyses that divide a video into the actions of a robot, instead of an answer to the query; null: a query or captions.
alter table analyses add column workflow text check (workflow in ('action_segmentation', 'action_classification'));
