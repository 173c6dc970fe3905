/**
 * Rules of the schema, read from the catalogue of a migrated database, and one planted violation of each.
 *
 * @every-postgres
 */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { APPEND_ONLY, catalogueFaults } from "../support/schema-rules.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";
import { testPostgres } from "../support/test-postgres.ts";

let app: TestApp;
let lab: TestVenue;
let cafe: TestVenue;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  cafe = await app.venue("gulf-cafe");
});
afterAll(() => app.close());

/** One statement as the role that serves requests, on behalf of a venue; nothing of it stays. */
const asApp = async (venue: TestVenue, sql: string, values: unknown[] = []): Promise<pg.QueryResult> => {
  const client = new pg.Client({ connectionString: app.database.appUrl, options: "-c search_path=app" });
  await client.connect();
  try {
    await client.query("begin");
    await client.query("select set_config('app.restaurant_id', $1, true)", [String(venue.id)]);
    return await client.query(sql, values);
  } finally {
    await client.query("rollback");
    await client.end();
  }
};

test("every table, index, reference, policy and function keeps tenants apart", async () => {
  expect(await catalogueFaults(app.database)).toEqual([]);
});

const TENANT_TABLE = "restaurant_id bigint not null, id bigint not null, primary key (restaurant_id, id)";
const PROTECTED = "call enable_tenant_rls('bad')";

/** What is planted, how it is taken away again, and the sentence that must name it. */
const BREACHES: Record<string, { plant: string; undo?: string; fault: string }> = {
  "a table without a tenant": { plant: "create table bad (id bigint primary key)", fault: "bad has no restaurant_id bigint not null" },
  "a tenant column that may be null": {
    plant: "create table bad (restaurant_id bigint, id bigint primary key)",
    fault: "bad has no restaurant_id bigint not null",
  },
  "a tenant column of another type": {
    plant: "create table bad (restaurant_id integer primary key)",
    fault: "bad has no restaurant_id bigint not null",
  },
  "a table without row level security": {
    plant: `create table bad (${TENANT_TABLE})`,
    fault: "bad does not have row level security enabled and forced",
  },
  "row level security that spares the owner": {
    plant: `create table bad (${TENANT_TABLE}); ${PROTECTED}; alter table bad no force row level security`,
    fault: "bad does not have row level security enabled and forced",
  },
  "a second policy, which widens the first": {
    plant: `create table bad (${TENANT_TABLE}); ${PROTECTED}; create policy more on bad using (true)`,
    fault: "bad does not have exactly one policy, for all commands and everybody, on its restaurant_id",
  },
  "a policy that lets rows of others be written": {
    plant: `create table bad (${TENANT_TABLE}); ${PROTECTED}; alter policy tenant on bad with check (true)`,
    fault: "bad does not have exactly one policy, for all commands and everybody, on its restaurant_id",
  },
  "a policy without its rule for writing": {
    plant: `create table bad (${TENANT_TABLE}); ${PROTECTED}; drop policy tenant on bad;
            create policy tenant on bad for select using (restaurant_id = (select app.current_tenant()))`,
    fault: "bad does not have exactly one policy, for all commands and everybody, on its restaurant_id",
  },
  "restaurants without their policy": {
    plant: "alter table restaurants disable row level security",
    undo: "alter table restaurants enable row level security",
    fault: "restaurants is the tenant itself and does not have exactly one forced policy on its id",
  },
  "a table without a key": {
    plant: `create table bad (restaurant_id bigint not null); ${PROTECTED}`,
    fault: "bad has no primary key",
  },
  "a unique index over all tenants": {
    plant: "create unique index bad_slug on menus (key)",
    undo: "drop index bad_slug",
    fault: "bad_slug is unique without leading with restaurant_id",
  },
  "a reference without the tenant": {
    plant: `create unique index bad_id on menus (id); create table bad (${TENANT_TABLE}, menu_id bigint references menus (id)); ${PROTECTED}`,
    undo: "drop table bad; drop index bad_id",
    fault: "bad.bad_menu_id_fkey refers to a tenant's row without the tenant",
  },
  "a time without a zone": {
    plant: `create table bad (${TENANT_TABLE}, at timestamp(3)); ${PROTECTED}`,
    fault: "bad.at is a moment in time, but not timestamptz(3)",
  },
  "a time finer than an answer can show": {
    plant: `create table bad (${TENANT_TABLE}, at timestamptz); ${PROTECTED}`,
    fault: "bad.at is a moment in time, but not timestamptz(3)",
  },
  "an encrypted column without its purpose": {
    plant: "alter table guests add column encrypted_note text; create index guests_key on guests (split_part(encrypted_note, '.', 2))",
    undo: "alter table guests drop column encrypted_note",
    fault: "guests.encrypted_note holds encrypted texts, and no comment says what they are encrypted for",
  },
  "an encrypted column without an index": {
    plant: "alter table guests add column encrypted_note text; comment on column guests.encrypted_note is 'encrypted for note:{id}'",
    undo: "alter table guests drop column encrypted_note",
    fault: "guests.encrypted_note holds encrypted texts, and no index begins with the name of their key",
  },
  "a view": {
    plant: "create view bad as select id from items",
    undo: "drop view bad",
    fault: "bad is a view, which reads with its owner's rights",
  },
  "a definer function with a loose search_path": {
    plant: "create function bad() returns bigint language sql security definer as 'select count(*) from app.items'",
    undo: "drop function bad()",
    fault: "bad runs with its owner's rights and no search_path pinned to app, pg_temp",
  },
  "an unlisted definer function": {
    plant: "create function bad() returns bigint language sql security definer set search_path = app, pg_temp as 'select 1::bigint'",
    undo: "drop function bad()",
    fault: "bad runs with its owner's rights and is not one of the known functions",
  },
  "a known function that is gone": {
    plant: "alter function list_venues(text, integer) security invoker",
    undo: "alter function list_venues(text, integer) security definer",
    fault: "list_venues is one of the known functions that run with their owner's rights, and is not there",
  },
  "a definer function for everybody": {
    plant: "grant execute on function authenticate(bigint) to public",
    undo: "revoke execute on function authenticate(bigint) from public",
    fault: "authenticate runs with its owner's rights and may be called by anybody",
  },
  "an audit entry that can be changed": {
    plant: "grant update on audit_entries to comanda_app",
    undo: "revoke update on audit_entries from comanda_app",
    fault: "audit_entries must be written once only, but the application may change it",
  },
  "the right to empty a table past its policy": {
    plant: "grant truncate on items to comanda_app",
    undo: "revoke truncate on items from comanda_app",
    fault: "items grants the application more than rows, or grants anything to everybody",
  },
  "a table that everybody may read": {
    plant: "grant select on items to public",
    undo: "revoke select on items from public",
    fault: "items grants the application more than rows, or grants anything to everybody",
  },
  "the right to make tables": {
    plant: "grant create on schema app to comanda_app",
    undo: "revoke create on schema app from comanda_app",
    fault: "create in schema app is a power that the application's role must not have",
  },
};

describe("planted", () => {
  for (const [what, { plant, undo = "drop table bad", fault }] of Object.entries(BREACHES))
    test(`planted: ${what} is named`, async () => {
      await app.database.asOwner(plant);
      try {
        expect(await catalogueFaults(app.database)).toContain(fault);
      } finally {
        await app.database.asOwner(undo);
      }
    });

  test("planted: a table that belongs to the application's role is named", async () => {
    const url = new URL((await testPostgres()).adminUrl);
    url.pathname = new URL(app.database.ownerUrl).pathname;
    const admin = new pg.Client({ connectionString: url.href });
    await admin.connect();
    await admin.query("create table app.bad (id bigint); alter table app.bad owner to comanda_app");
    expect(await catalogueFaults(app.database)).toContain("table bad is owned by the application's role");
    await admin.query("drop table app.bad");
    await admin.end();
  });

  test("nothing planted is left", async () => {
    expect(await catalogueFaults(app.database)).toEqual([]);
  });
});

describe("as the role that serves requests", () => {
  for (const table of APPEND_ONLY)
    test(`R1-06 permission denied to change, remove or empty ${table}`, async () => {
      for (const sql of [`update ${table} set id = id`, `delete from ${table}`, `truncate ${table}`])
        await expect(asApp(lab, sql)).rejects.toMatchObject({ code: "42501" });
    });

  test("a row of another venue cannot be written, moved or seen, and without a tenant nothing can", async () => {
    const insert = "insert into modifier_groups (restaurant_id, key, name, min_select, sort_order) values ($1, 'planted', '{}', 0, 0)";
    await expect(asApp(lab, insert, [cafe.id])).rejects.toMatchObject({ code: "42501" });
    await expect(asApp(lab, "update modifier_groups set restaurant_id = $1", [cafe.id])).rejects.toMatchObject({ code: "42501" });
    expect((await asApp(lab, "select from items where restaurant_id = $1", [cafe.id])).rowCount).toBe(0);
    expect((await asApp(lab, "delete from item_modifier_groups where restaurant_id = $1", [cafe.id])).rowCount).toBe(0);
    expect((await asApp({ ...lab, id: "" as unknown as number }, "select from items")).rowCount).toBe(0);
  });
});

describe("a reference to another venue's row", () => {
  const insertAstray = async () => {
    const [category] = await app.database.asOwner<{ id: string }>("select id from categories where restaurant_id = $1 limit 1", [cafe.id]);
    return asApp(
      lab,
      `insert into items (restaurant_id, key, category_id, name, is_available, show_online, dietary, sort_order)
       values ($1, 'astray', $2, '{}', true, true, 'none', 0)`,
      [lab.id, category?.id],
    );
  };

  test("is refused by the composite key, past all code", async () => {
    await expect(insertAstray()).rejects.toMatchObject({ code: "23503" });
  });

  test("planted: a plain foreign key accepts it, and is named by the catalogue's check", async () => {
    await app.database.asOwner(`alter table items drop constraint items_restaurant_id_category_id_fkey;
      create unique index categories_id on categories (id);
      alter table items add constraint items_category_id_fkey foreign key (category_id) references categories (id)`);
    expect((await insertAstray()).rowCount).toBe(1);
    const faults = await catalogueFaults(app.database);
    expect(faults).toContain("items.items_category_id_fkey refers to a tenant's row without the tenant");
    expect(faults).toContain("categories_id is unique without leading with restaurant_id");
  });
});
