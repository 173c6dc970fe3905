-- Codes of eight characters, from where a device asked for its code, and when it last asked about it.
set local search_path = app;

-- Processes that were started before go on to write six digits, without a source, for devices that are not seen to ask. Such a row has
-- its ten minutes.
alter table screen_pairings drop constraint screen_pairings_code_check;
alter table screen_pairings
  add constraint screen_pairings_code_check check (code ~ '^([0-9]{6}|[0-9A-HJKMNP-TV-Z]{8})$'),
  add column network text not null default 'unknown',
  add column host text not null default 'unknown',
  add column polled_at timestamptz(3) not null default now() + interval '10 minutes';
grant update (polled_at) on screen_pairings to comanda_app;
