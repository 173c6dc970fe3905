-- Requests for a sign-up link are counted by mailbox, and all of an hour together.
set local search_path = app;

-- Null: written by a process that was started before.
alter table sign_ups add column mailbox text;
update sign_ups set mailbox = regexp_replace(email, '\+[^@]*@', '@') where source = 'asked';
create index sign_ups_asked_by_mailbox on sign_ups (mailbox, created_at) where source = 'asked';
create index sign_ups_asked on sign_ups (created_at) where source = 'asked';
