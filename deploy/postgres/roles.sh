#!/bin/sh
# Run once, when the database is created: the owner of the schema, and the role that serves requests and owns nothing.
set -eu
psql -v ON_ERROR_STOP=1 -v owner_password="$OWNER_PASSWORD" -v app_password="$APP_PASSWORD" --username "${POSTGRES_USER:-postgres}" --dbname postgres <<'SQL'
create role comanda_owner login bypassrls password :'owner_password';
create role comanda_app login nobypassrls password :'app_password';
create database comanda owner comanda_owner;
SQL
