#!/bin/sh
# Run once, when the database is created: the owner of the schema, and the role that serves requests and owns nothing.
# psql reads the passwords from its environment, because a command line is read by every process of the machine.
set -eu
export OWNER_PASSWORD APP_PASSWORD
psql -v ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres <<'SQL'
\getenv owner_password OWNER_PASSWORD
\getenv app_password APP_PASSWORD
create role comanda_owner login bypassrls password :'owner_password';
create role comanda_app login nobypassrls password :'app_password';
create database comanda owner comanda_owner;
SQL
