-- Reads all payments without blocking their writers.
set local search_path = app;
alter table payments validate constraint payments_method_check;
