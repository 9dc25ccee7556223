-- How a user arranges streams on the wall of the console.
create table live_walls (
  user_id text primary key references users (id) on delete cascade,
  -- Number of tiles that are shown at once.
  size integer not null,
  -- Ids of streams (those of cameras, too) in the order of their places, as an array of texts.
  stream_ids jsonb not null,
  changed_at timestamp with time zone not null default now()
);
