-- Consent from before this version is the first entry of its history. It reads all guests without blocking their writers.
set local search_path = app;
alter table guests validate constraint guests_merged_check;
insert into guest_consents (restaurant_id, guest_id, is_given, source, recorded_by, at)
select restaurant_id, id, true, 'before', '', coalesce(marketing_opted_in_at, created_at)
from guests where marketing_opted_in and erased_at is null;
