-- Lists of the sets of views of an organization, newest primary video first.
alter table views add column org_id text;
update views set org_id = videos.org_id from videos where videos.id = views.primary_video_id;
alter table views alter column org_id set not null;
create index views_by_org on views (org_id, primary_video_id);
