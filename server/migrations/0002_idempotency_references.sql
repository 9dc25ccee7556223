-- What a request that changes things in several steps has created so far (an id), for the repeat that takes it over after a crash.
alter table idempotency_keys add column reference text;
