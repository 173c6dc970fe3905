-- Which door a change came through when that was not the usual one: an agent's hand stays recognisable, whoever owns the token.
set local search_path = app;

alter table audit_entries add column via text check (via in ('mcp'));
