-- Who paired a screen, by id and address: when that person leaves, the venue is asked about the screen. Older rows are found by the activity log.
set local search_path = app;

alter table screens add column paired_by_user_id bigint;
alter table screens add column paired_by_email text;
