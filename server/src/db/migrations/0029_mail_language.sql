-- Mail about an account belongs to no venue. Without a language of the person's own choice it is written in the one that their venue's mail has.
set local search_path = app;

create function invitation_languages(person_email text) returns table (invited text, venue text)
  language sql stable security definer set search_path = app, pg_temp as $$
  select s.locale, r.default_language from staff s join restaurants r on r.id = s.restaurant_id
  where s.email = lower(person_email) and r.kind = 'live'
    and not exists (select from moves m where m.restaurant_id = r.id and m.phase in ('moved', 'arriving'))
  order by r.slug limit 1
$$;

revoke all on function invitation_languages from public;
grant execute on function invitation_languages to comanda_app;
