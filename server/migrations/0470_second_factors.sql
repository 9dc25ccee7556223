-- Second factors of users who sign in with a password.
create table second_factors (
  user_id text primary key references users (id) on delete cascade,
  -- The key that the authenticator app has, too.
  encrypted_key jsonb not null,
  -- Null: the user has not entered a code yet, and signs in without one.
  confirmed_at timestamp with time zone,
  -- Time step (of 30 s, since 1970) of the last accepted code. Codes of it and of earlier ones are refused.
  last_step integer,
  created_at timestamp with time zone not null default now()
);

-- SHA-256 digests of unused recovery codes.
create table recovery_codes (
  user_id text not null references second_factors (user_id) on delete cascade,
  hash bytea not null,
  primary key (user_id, hash)
);

alter table organizations add column second_factor_required boolean not null default false;
