-- Reads all bookings, held tables and payments without blocking their writers.
set local search_path = app;
alter table reservations validate constraint reservations_left_check;
alter table reservation_tables validate constraint reservation_tables_block_fkey;
alter table reservation_tables validate constraint reservation_tables_holder;
alter table payments validate constraint payments_reservation_fkey;
alter table payments validate constraint payments_subject;
