-- Daily digests of saved questions; there is one of a question for a day. Their settings are in the rule of the question.
create table saved_question_digests (
  question_id text not null references saved_questions (id) on delete cascade,
  -- Local date that it is about, YYYY-MM-DD.
  day text not null,
  status text not null check (status in ('rendering', 'sent')),
  -- Recap clip; null without events.
  export_id text,
  content jsonb not null,
  created_at timestamptz not null default now(),
  primary key (question_id, day)
);
create index saved_question_digests_rendering on saved_question_digests (created_at) where status = 'rendering';
