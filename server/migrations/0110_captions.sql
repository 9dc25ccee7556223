-- Analyses that caption a whole video, its index, for one kind of footage. Their events are the captions; null: a query.
alter table analyses add column caption_mode text check (caption_mode in ('driving', 'construction', 'robotics'));
create index analyses_captions on analyses (video_id, id) where caption_mode is not null;
