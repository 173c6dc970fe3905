/** What PostgreSQL itself says about the schema, held against the rules that keep tenants apart: each breach is a sentence. */
import type { TestDatabase } from "./database.ts";

/** Tables that belong to no tenant, or are the tenant itself. */
const REGISTRY = [
  "cell",
  "plans",
  "migrations",
  "restaurants",
  "users",
  "sessions",
  "screen_pairings",
  "one_time_links",
  "known_devices",
  "code_guesses",
  "link_requests",
  "sign_ups",
  "security_alerts",
  "invitation_mails",
  "apps",
  "app_secrets",
  "consents",
  "venue_moves",
  "database_identity",
  "venue_epochs",
  "key_fingerprints",
  "user_answers",
];

/** The number in a token, a code or a refresh token arrives before the tenant is known. */
const UNIQUE_WITHOUT_TENANT = ["tokens_by_id", "grants_by_id", "screens_by_hash"];

/** Moments that no answer shows, kept as the database's clock gave them. */
const FINER_TIMES = ["migrations.ran_at", "orders.changed_at", "guests.changed_at", "tickets.changed_at"];

/** Functions with their owner's rights, each for one narrow thing: some read rows of several tenants, some write them. */
const DEFINER_FUNCTIONS = [
  "authenticate",
  "change_marks",
  "venues_with_unseen_orders",
  "change_position",
  "count_earlier_sales",
  "claim_endpoints",
  "consent_venues",
  "count_installations",
  "delivery_backlog",
  "language_of_venue",
  "list_venues",
  "purge_audit_entries",
  "purge_availability_changes",
  "purge_changes",
  "purge_order_counters",
  "purge_consents",
  "purge_deliveries",
  "purge_events",
  "purge_grants",
  "count_sent_to",
  "erase_audit_reasons",
  "erase_refund_reasons",
  "erase_refund_reasons_of",
  "book_gift_card_entry",
  "book_stock_entry",
  "count_experience_tickets",
  "purge_idempotency_keys",
  "purge_invitation_mails",
  "purge_known_devices",
  "purge_user_answers",
  "purge_notifications",
  "purge_request_log",
  "purge_security_alerts",
  "purge_sessions",
  "purge_sign_ups",
  "purge_screen_pairings",
  "purge_waitlist_entries",
  "purge_review_requests",
  "venues_with_due_review_requests",
  "purge_stock_entries",
  "purge_shifts",
  "purge_removed_shifts",
  "purge_experience_bookings",
  "purge_experience_sessions",
  "purge_experiences",
  "guests_by_name_beginning",
  "guests_by_phone_end",
  "screen_by_hash",
  "screens_still_paired",
  "purge_hourly_token_usage",
  "save_sandbox_sample",
  "invitation_languages",
  "invitations_of",
  "memberships_of",
  "never_live_venues",
  "remove_never_live_venue",
  "console_memberships_of",
  "record_requests",
  "replace_event_body",
  "reset_sandbox",
  "restaurant_id_by_grant",
  "restaurant_id_by_slug",
  "encryption_key_ids",
  "venues_encrypted_with",
  "withdraw_app",
];

/** Written once: not even the application may change or remove a row. */
export const APPEND_ONLY = ["audit_entries", "events", "availability_changes", "refunds", "stock_entries"];

const APP_ROLE = "comanda_app";

type Rule = { sentence: string; sql: string; values?: unknown[] };

const tables = (join = "") => `pg_class c ${join} where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p')`;
const tenants = (join = "") => `${tables(join)} and c.relname <> all($1)`;

/** Each statement returns the names of what breaks its rule. */
const RULES: Rule[] = [
  {
    sentence: "has no restaurant_id bigint not null",
    sql: `select c.relname as name from ${tenants()} and not exists (select from pg_attribute a
          where a.attrelid = c.oid and a.attname = 'restaurant_id' and a.atttypid = 'bigint'::regtype and a.attnotnull)`,
    values: [REGISTRY],
  },
  {
    sentence: "does not have row level security enabled and forced",
    sql: `select c.relname as name from ${tenants()} and not (c.relrowsecurity and c.relforcerowsecurity)`,
    values: [REGISTRY],
  },
  {
    sentence: "does not have exactly one policy, for all commands and everybody, on its restaurant_id",
    sql: `select c.relname as name from ${tenants()} and ${policyBreach("restaurant_id")}`,
    values: [REGISTRY],
  },
  {
    sentence: "is the tenant itself and does not have exactly one forced policy on its id",
    sql: `select c.relname as name from ${tables()} and c.relname = 'restaurants'
          and (not (c.relrowsecurity and c.relforcerowsecurity) or ${policyBreach("id")})`,
  },
  {
    sentence: "has no primary key",
    sql: `select c.relname as name from ${tables()} and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)`,
  },
  {
    sentence: "is unique without leading with restaurant_id",
    sql: `select i.indexrelid::regclass::text as name from ${tenants("join pg_index i on i.indrelid = c.oid")}
          and i.indisunique and i.indexrelid::regclass::text <> all($2)
          and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attnum = i.indkey[0] and a.attname = 'restaurant_id')`,
    values: [REGISTRY, UNIQUE_WITHOUT_TENANT],
  },
  {
    sentence: "refers to a tenant's row without the tenant",
    sql: `select c.relname || '.' || k.conname as name from ${tenants("join pg_constraint k on k.conrelid = c.oid")}
          and k.contype = 'f' and (k.confrelid::regclass::text <> all($1) or k.confrelid = 'app.restaurants'::regclass)
          and not (${leadingColumn("k.conrelid", "k.conkey")} = 'restaurant_id'
            and ${leadingColumn("k.confrelid", "k.confkey")} = case when k.confrelid = 'app.restaurants'::regclass then 'id' else 'restaurant_id' end)`,
    values: [REGISTRY],
  },
  {
    sentence: "is a moment in time, but not timestamptz(3)",
    sql: `select c.relname || '.' || a.attname as name from ${tables("join pg_attribute a on a.attrelid = c.oid")}
          and a.attnum > 0 and not a.attisdropped and format_type(a.atttypid, a.atttypmod) like 'time%'
          and format_type(a.atttypid, a.atttypmod) not in ('timestamp(3) with time zone', 'timestamp(3) with time zone[]') and c.relname || '.' || a.attname <> all($1)`,
    values: [FINER_TIMES],
  },
  {
    sentence: "holds encrypted texts, and no comment says what they are encrypted for",
    sql: "select table_name || '.' || column_name as name from app.encrypted_columns() where purpose is null",
  },
  {
    sentence: "holds encrypted texts, and no index begins with the name of their key",
    sql: `select s.table_name || '.' || s.column_name as name from app.encrypted_columns() s where s.table_name <> 'cell' and not exists (
          select from pg_index i where i.indrelid = ('app.' || quote_ident(s.table_name))::regclass
            and pg_get_indexdef(i.indexrelid, 1, true) = format('split_part(%s, ''.''::text, 2)', s.column_name))`,
  },
  {
    sentence: "is a view, which reads with its owner's rights",
    sql: "select c.relname as name from pg_class c where c.relnamespace = 'app'::regnamespace and c.relkind in ('v', 'm', 'f')",
  },
  {
    sentence: "runs with its owner's rights and no search_path pinned to app, pg_temp",
    sql: `select p.proname as name from pg_proc p where p.prosecdef and p.pronamespace = 'app'::regnamespace
          and not coalesce('search_path=app, pg_temp' = any(p.proconfig), false)`,
  },
  {
    sentence: "runs with its owner's rights and is not one of the known functions",
    sql: "select p.proname as name from pg_proc p where p.prosecdef and p.pronamespace = 'app'::regnamespace and p.proname <> all($1)",
    values: [DEFINER_FUNCTIONS],
  },
  {
    sentence: "is one of the known functions that run with their owner's rights, and is not there",
    sql: `select wanted as name from unnest($1::text[]) wanted
          where not exists (select from pg_proc p where p.prosecdef and p.pronamespace = 'app'::regnamespace and p.proname = wanted)`,
    values: [DEFINER_FUNCTIONS],
  },
  {
    sentence: "runs with its owner's rights and may be called by anybody",
    sql: `select p.proname as name from pg_proc p where p.prosecdef and p.pronamespace = 'app'::regnamespace
          and exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) x where x.grantee = 0)`,
  },
  {
    sentence: "must be written once only, but the application may change it",
    sql: `select wanted as name from unnest($1::text[]) wanted where has_table_privilege($2, 'app.' || wanted, 'update, delete, truncate')
          or has_any_column_privilege($2, 'app.' || wanted, 'update')`,
    values: [APPEND_ONLY, APP_ROLE],
  },
  {
    sentence: "grants the application more than rows, or grants anything to everybody",
    sql: `select distinct c.relname as name from pg_class c cross join lateral aclexplode(c.relacl) x where c.relnamespace = 'app'::regnamespace
          and (x.grantee = 0 or (x.grantee = $1::regrole and x.privilege_type in ('TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN')))`,
    values: [APP_ROLE],
  },
  {
    sentence: "is owned by the application's role",
    sql: `select pg_describe_object(classid, objid, objsubid) as name from pg_shdepend
          where refobjid = $1::regrole and refclassid = 'pg_authid'::regclass and deptype = 'o'
          and dbid in (0, (select oid from pg_database where datname = current_database()))`,
    values: [APP_ROLE],
  },
  {
    sentence: "is a power that the application's role must not have",
    sql: `select power as name from pg_roles r cross join lateral (values ('superuser', r.rolsuper), ('bypassrls', r.rolbypassrls),
          ('createrole', r.rolcreaterole), ('createdb', r.rolcreatedb), ('replication', r.rolreplication),
          ('create in schema app', has_schema_privilege(r.rolname, 'app', 'create')),
          ('membership in another role', exists (select from pg_auth_members m where m.member = r.oid))) held (power, is_held)
          where r.rolname = $1 and is_held`,
    values: [APP_ROLE],
  },
];

function policyBreach(column: string): string {
  const wanted = `(${column} = ( SELECT current_tenant() AS current_tenant))`;
  return `(select count(*) <> 1 or bool_or(p.polcmd <> '*' or not p.polpermissive or p.polroles <> '{0}'
    or replace(pg_get_expr(p.polqual, p.polrelid), 'app.', '') <> '${wanted}'
    or coalesce(replace(pg_get_expr(p.polwithcheck, p.polrelid), 'app.', ''), '') <> '${wanted}') from pg_policy p where p.polrelid = c.oid)`;
}

function leadingColumn(table: string, key: string): string {
  return `(select a.attname from pg_attribute a where a.attrelid = ${table} and a.attnum = ${key}[1])`;
}

export const catalogueFaults = async (database: TestDatabase): Promise<string[]> => {
  const faults: string[] = [];
  for (const { sentence, sql, values } of RULES) {
    const rows = await database.asOwner<{ name: string }>(sql, values);
    faults.push(...rows.map(({ name }) => `${name} ${sentence}`).sort());
  }
  return faults;
};

/** Every table that holds rows of a tenant, the tenants themselves included. */
export const tenantTables = async (database: TestDatabase): Promise<string[]> => {
  const others = REGISTRY.filter((name) => name !== "restaurants");
  const rows = await database.asOwner<{ name: string }>(`select c.relname as name from ${tenants()} order by 1`, [others]);
  return rows.map(({ name }) => name);
};

/** Both switches of every tenant's table, for tests that take one of the two nets away. */
export const setRowSecurity = async (database: TestDatabase, isOn: boolean): Promise<void> => {
  const [enable, force] = isOn ? ["enable", "force"] : ["disable", "no force"];
  for (const table of await tenantTables(database))
    await database.asOwner(`alter table ${table} ${enable} row level security, ${force} row level security`);
};
