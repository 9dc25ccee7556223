-- Vectors of the frames of videos, for searches by words and pictures. They are written with their stored observation
-- and are deleted with it. A block has the vectors of consecutive frames: numbers in memory order, little-endian.
create table frame_vectors (
  video_id text not null,
  kind text not null default 'embeddings' check (kind = 'embeddings'),
  version text not null,
  block integer not null,
  frames integer not null check (frames > 0),
  total_frames integer not null, -- of the video
  times bytea not null, -- seconds from the first frame, 8 bytes each
  scales bytea not null, -- what one step of a vector stands for, 4 bytes each
  vectors bytea not null, -- 512 signed bytes each
  primary key (video_id, version, block),
  foreign key (video_id, kind, version) references observations (video_id, kind, version) on delete cascade,
  check (octet_length(times) = 8 * frames and octet_length(scales) = 4 * frames and octet_length(vectors) = 512 * frames)
);
-- Vectors cannot be compressed.
alter table frame_vectors alter column vectors set storage external;
