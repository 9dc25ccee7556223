-- Use of the language model that read the prompt, as JSON; null without one.
alter table analyses add column reading jsonb;
