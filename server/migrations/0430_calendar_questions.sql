-- Questions by the calendar. `time_zone`: that of the person who asks; null: that of each video. `requested_at`: the moment
-- from which "yesterday" counts; null: that of the request. `missed`: why no part of the video was searched.
alter table analyses
  add column time_zone text,
  add column requested_at timestamptz,
  add column missed text;
