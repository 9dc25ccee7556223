-- Language that a user chose for the console, as a BCP 47 tag; null: that of their browser.
alter table users add column locale text;
