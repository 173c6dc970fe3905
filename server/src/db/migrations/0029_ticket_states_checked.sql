-- Reads all tickets and audit entries without blocking their writers.
set local search_path = app;
alter table tickets validate constraint tickets_state_check;
alter table audit_entries validate constraint audit_entries_actor_kind_check;
