-- Until when the rest of a resumable upload counts against the free disk; null (of earlier nodes): until it expires.
alter table resumable_uploads add column reserved_until timestamptz;
