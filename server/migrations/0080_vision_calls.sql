-- Replies of vision-language models by the digest of pixels, question, model and settings, so that no node asks twice.
create table vision_replies (
  org_id text not null references organizations (id),
  key text not null,
  -- The video that was shown: its replies are deleted with it.
  video_id text not null,
  reply text not null,
  created_at timestamptz not null default now(),
  primary key (org_id, key)
);
create index vision_replies_by_video on vision_replies (video_id);
create index vision_replies_by_age on vision_replies (created_at);

-- Tokens of vision-language models by month (UTC, such as 2026-11), API key and batch. Empty: without a key or batch.
create table vision_usage (
  org_id text not null references organizations (id),
  month text not null,
  key_id text not null,
  batch_id text not null,
  calls integer not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  -- In the currency of the configured prices.
  cost double precision not null,
  primary key (org_id, month, key_id, batch_id)
);
create index vision_usage_by_batch on vision_usage (batch_id) where batch_id <> '';

alter table analyses
  -- API key that requested the analysis; null if a user did.
  add column key_id text,
  -- Which events of observers a vision-language model verifies: auto, always, never.
  add column verify text not null default 'auto';
