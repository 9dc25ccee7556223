-- Vectors of views of tracked objects, for searches by words and pictures; one row for each observed video, also for one
-- without objects. They are written with their stored observation and are deleted with it. Views of one object are
-- beside each other; numbers are in memory order, little-endian.
create table object_vectors (
  video_id text not null,
  kind text not null default 'object_embeddings' check (kind = 'object_embeddings'),
  version text not null,
  views integer not null check (views >= 0),
  tracks bytea not null, -- number of the object's track, 4 bytes each
  times bytea not null, -- seconds from the first frame, 8 bytes each
  boxes bytea not null, -- left, top, width and height as fractions of the frame, 4 bytes each
  class_names text[] not null,
  scales bytea not null, -- what one step of a vector stands for, 4 bytes each
  vectors bytea not null, -- 512 signed bytes each
  primary key (video_id, version),
  foreign key (video_id, kind, version) references observations (video_id, kind, version) on delete cascade,
  check (octet_length(tracks) = 4 * views and octet_length(times) = 8 * views and octet_length(boxes) = 16 * views),
  check (octet_length(scales) = 4 * views and octet_length(vectors) = 512 * views and cardinality(class_names) = views)
);
-- Vectors cannot be compressed.
alter table object_vectors alter column vectors set storage external;
