-- SHA-256 of the key with which an encoder publishes to a camera that has no address; null: no key yet, or a camera with one.
alter table cameras add column push_key_hash bytea;
create unique index cameras_by_push_key on cameras (push_key_hash) where push_key_hash is not null;

-- The encoder that publishes to a camera now, and the last one that was refused.
create table camera_publishers (
  camera_id text primary key references cameras (id) on delete cascade,
  -- The connection, its node as `host:port`, and when that node reported it last; null: nothing is published.
  connection_id text,
  node text,
  seen_at timestamptz,
  -- The newest connection: address of its client, and its start.
  remote text,
  connected_at timestamptz,
  -- The reason why an encoder with the key of the camera was refused or disconnected last.
  refused_at timestamptz,
  refused_reason text
);
create index camera_publishers_of_node on camera_publishers (node) where node is not null;
