-- Whether people agreed to mails of an organization. Addresses are in lower case.
create table mail_recipients (
  id text primary key,
  org_id text not null references organizations (id),
  address text not null,
  confirmed_at timestamp with time zone,
  declined_at timestamp with time zone,
  -- The last mail that asked.
  requested_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  unique (org_id, address)
);

-- Recipients from before go on to receive mails, which have a link to stop them.
alter table webhook_endpoints add column known_recipient boolean not null default false;
update webhook_endpoints set known_recipient = true where format = 'email';
