/**
 * Two restaurants, every place where one could name the other's rows, and three times over: with both nets, with the
 * code's own filter alone, with row level security alone.
 *
 * @every-postgres
 */
import type { Operation } from "@comanda/contract/operation.ts";
import { apiOperationEntries, operationEntries, operations } from "@comanda/contract/operations.ts";
import { Nullable, Paging } from "@comanda/contract/shared.ts";
import pg from "pg";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Config } from "#config.ts";
import { openPool } from "#db/pool.ts";
import { openLog } from "#deps.ts";
import { liveRoutes, referencesOf } from "../support/contract-references.ts";
import type { TestDatabase } from "../support/database.ts";
import { namesFor, type ReferenceCall, ROW_REFERENCES, type RowReference } from "../support/row-references.ts";
import { setRowSecurity, tenantTables } from "../support/schema-rules.ts";
import { createTenantFixture, type PlaceholderName, prepareRun, spreadIds, type TenantFixture } from "../support/tenant-fixtures.ts";
import { startApp, type TestAnswer, type TestApp } from "../support/test-app.ts";
import { checksumsOf } from "../support/venue-checksums.ts";

let app: TestApp;
let pairs: [TenantFixture, TenantFixture][];

beforeAll(async () => {
  app = await startApp();
  await spreadIds(app);
  const [lab, twin, cafe, sandbox] = [
    await createTenantFixture(app, "lab", "lab"),
    await createTenantFixture(app, "lab", "lab-twin"),
    await createTenantFixture(app, "gulf-cafe", "gulf-cafe"),
    await createTenantFixture(app, "lab", "lab-sandbox", "sandbox"),
  ];
  pairs = [
    [lab, twin],
    [lab, cafe],
    [lab, sandbox],
  ].flatMap(([a, b]) => [
    [a, b],
    [b, a],
  ]) as [TenantFixture, TenantFixture][];
});
afterAll(() => app.close());

/** In CI one protection alone is tried in every other direction, each direction with one of the two. */
const directionsFor = (turn: 0 | 1) => (process.env.TEST_STRESS ? pairs : pairs.filter((_pair, index) => index % 2 === turn));

const KEY_POINTS = ROW_REFERENCES.filter(({ kind }) => kind === "key");

type IsolationFindings = { cases: number; leaks: string[] };

const runMatrix = async (through: TestApp, directions = pairs): Promise<IsolationFindings> => {
  const findings: IsolationFindings = { cases: 0, leaks: [] };
  for (const [own, other] of directions) {
    const key = crypto.randomUUID();
    for (const floor of [own, other]) await prepareRun(app, floor);
    for (const point of KEY_POINTS) for (const used of usedKeys(point, key)) await askAs(other, app, point.ask(used, other, other));
    const before = await checksumOf(app.database, other.id);
    const meeting: TenantPair = { own, other, key, findings };
    for (const point of ROW_REFERENCES) if (!point.isAlwaysValid) await tryPoint(through, point, meeting);
    await tryLists(through, meeting);
    for (const point of KEY_POINTS) await tryForeignKey(through, point, meeting);
    if ((await checksumOf(app.database, other.id)) !== before) findings.leaks.push(`${own.slug} changed rows of ${other.slug}`);
  }
  return findings;
};

/** Two Idempotency-Keys for each operation that takes one; the other venue has used them all. */
const usedKeys = ({ operation }: RowReference, key: string) => [`${operation} ${key}`, `${operation} ${key} 2`] as const;

type TenantPair = { own: TenantFixture; other: TenantFixture; key: string; findings: IsolationFindings };

const askAs = ({ token }: TenantFixture, through: TestApp, { method, path, body, headers = {} }: ReferenceCall): Promise<TestAnswer> =>
  through.call(token, method, path, { headers, ...(body && { body }) });

const tryPoint = async (through: TestApp, point: RowReference, { own, other, key, findings }: TenantPair): Promise<void> => {
  const { own: ownName, unknown, ...wrong } = namesFor(point, own, other, usedKeys(point, key)[0]);
  const where = `${own.slug} → ${other.slug}, ${point.operation} ${point.at}`;
  const report = (what: string) => findings.leaks.push(`${where}: ${what}`);
  const ask = async (name: PlaceholderName, changes: Partial<ReferenceCall> = {}) => {
    findings.cases += 1;
    const answer = await askAs(own, through, { ...point.ask(name, own, other), ...changes });
    if (answer.text.includes(other.mark)) report(`${name} shows ${other.mark}`);
    return answer;
  };
  const unknownAnswer = await ask(unknown);
  if (!isAbsent(point, unknownAnswer)) report(`an unknown name is answered ${unknownAnswer.status} ${unknownAnswer.text.slice(0, 80)}`);
  for (const [how, name] of Object.entries(wrong)) {
    const answer = await ask(name);
    if (answer.status !== unknownAnswer.status || answer.text !== unknownAnswer.text)
      report(`${how} is told apart: ${answer.status} ${answer.text.slice(0, 80)}`);
  }
  if (operations[point.operation].method === "GET") {
    const heads = [await ask(unknown, { method: "HEAD" }), await ask(wrong.foreign, { method: "HEAD" })].map(
      ({ status, headers }) => `${status} ${headers.get("content-length")}`,
    );
    if (heads[0] !== heads[1]) report(`HEAD tells a foreign name apart: ${heads[1]} for ${heads[0]}`);
  }
  // The control of a key is its replay, which tryForeignKey sees.
  if (point.kind === "key") return;
  const control = await ask(ownName);
  if (control.status !== operations[point.operation].success.status) report(`our own name is refused: ${control.text.slice(0, 80)}`);
  if (isAbsent(point, control)) report("our own name finds nothing, so the case shows nothing");
};

const isAbsent = ({ operation, at, kind }: RowReference, { status, body }: TestAnswer): boolean => {
  if (at.startsWith("path.") || (kind === "key" && operations[operation].path.includes("{"))) return status === 404;
  // A report of a branch that is not there is refused: an empty one would look like a bad week.
  if (operation === "getSalesSummary") return status === 422;
  // The answer of a quote says what would be refused.
  if (operation === "quoteOrder") return status === 200 && !body.data.ok;
  if (at.startsWith("query.") && kind !== "cursor") return status === 200 && body.data.length === 0;
  return status === 422;
};

/** What is read without naming a row and shows names; free times and sales figures show none. */
const LISTS = operationEntries.map(([id]) => id).filter((id) => !["getAvailability", "getSalesSummary"].includes(id));

const tryLists = async (through: TestApp, { own, other, findings }: TenantPair): Promise<void> => {
  for (const [id, { method, path }] of operationEntries) {
    if (method !== "GET" || path.includes("{") || !LISTS.includes(id)) continue;
    findings.cases += 1;
    const { text } = await askAs(own, through, { method, path: `${path}?per_page=100` });
    if (text.includes(other.mark)) findings.leaks.push(`${own.slug} → ${other.slug}, ${id} lists rows of ${other.mark}`);
    if (!text.includes(own.mark)) findings.leaks.push(`${id} does not list our own rows, so the case shows nothing`);
  }
};

/** Another tenant's idempotency key has no effect: the change is made, not replayed and not refused as a reused key. */
const tryForeignKey = async (through: TestApp, point: RowReference, { own, other, key, findings }: TenantPair): Promise<void> => {
  const { status } = operations[point.operation].success;
  for (const isReplay of [false, true]) {
    findings.cases += 1;
    const answer = await askAs(own, through, point.ask(usedKeys(point, key)[1], own, own));
    const isReplayed = answer.headers.get("idempotent-replayed") === "true";
    if (answer.status !== status || isReplayed !== isReplay || answer.text.includes(other.mark))
      findings.leaks.push(`${own.slug}, ${point.operation}: a key that ${other.slug} has used is answered ${answer.text.slice(0, 80)}`);
  }
};

/** Whatever it has; that its token was used is noted in passing. */
const checksumOf = async (database: TestDatabase, restaurantId: number): Promise<string> =>
  (await checksumsOf(database, [restaurantId], ["last_used_at"])).join("\n");

const TENANT_FILTER = /(?:"?\w+"?\.)?"?restaurant_id"? = \$\d+/g;

type FilteredStatement = { text: string; name?: string };

/** A pool that makes the code's own filter void: every comparison of a tenant column with a parameter is always true. */
const openUnfilteredPool = () => {
  const seen = { opened: new Set<string>(), untouched: new Set<string>() };
  const opened = (statement: FilteredStatement): FilteredStatement => {
    const text = statement.text.replaceAll(TENANT_FILTER, "($& or true)");
    (text === statement.text ? seen.untouched : seen.opened).add(statement.text);
    if (text === statement.text) return statement;
    const changes = { text, ...(statement.name && { name: `${statement.name}_open` }) };
    // A query object is sent as it is, so it is changed in place.
    return statement instanceof pg.Query ? Object.assign(statement, changes) : { ...statement, ...changes };
  };
  const open = ({ databaseUrl, databaseConnectionsMax }: Config): pg.Pool => {
    const pool = openPool({ url: databaseUrl, connectionsMax: databaseConnectionsMax, log: openLog("fatal") });
    pool.on("connect", (client) => {
      const send = client.query.bind(client) as (...parameters: unknown[]) => unknown;
      const query = (first: string | FilteredStatement, ...rest: unknown[]) =>
        send(typeof first === "string" ? first : opened(first), ...rest);
      client.query = query as unknown as typeof client.query;
    });
    return pool;
  };
  return { open, seen };
};

const printFindings = (mode: string, { cases, leaks }: IsolationFindings) =>
  console.info(`tenant isolation, ${mode}: ${cases} cases, ${leaks.length} leaks`);

test("T1.2 every reference of every route is in the matrix, and the matrix holds nothing else", async () => {
  await app.app.http.ready();
  const live = liveRoutes(app.app.http.printRoutes({ commonPrefix: false })).filter(
    (route) => !route.startsWith("HEAD ") && !route.endsWith("*"),
  );
  const routeOf = ({ method, path }: Pick<Operation, "method" | "path">) => `${method} ${path}`;
  expect(live.toSorted()).toEqual(apiOperationEntries.map(([, operation]) => routeOf(operation)).toSorted());
  const byRoute = new Map(operationEntries.map(([id, operation]) => [routeOf(operation), id]));
  // Venues cannot call the operations of a sandbox; sandbox-control.test.ts tries the rows of a venue there.
  const ofSandbox = new Set(apiOperationEntries.flatMap(([, operation]) => (operation.onlyInSandbox ? [routeOf(operation)] : [])));
  const wanted = live
    .filter((route) => !ofSandbox.has(route))
    .flatMap((route) => {
      const id = byRoute.get(route);
      return id ? referencesOf(operations[id]).map((at) => `${id} ${at}`) : [`${route} (unknown)`];
    });
  expect([...new Set(ROW_REFERENCES.map(({ operation, at }) => `${operation} ${at}`))].toSorted()).toEqual(wanted.toSorted());
});

test("T1.2 planted: a new operation's references are asked for, wherever they stand", () => {
  const Line = Type.Object({ item_id: Type.Integer(), course: Type.Integer(), option_ids: Type.Optional(Type.Array(Type.Integer())) });
  const body = Type.Object({ lines: Type.Array(Line), table_code: Nullable(Type.String()), note: Type.String() });
  const operation = {
    ...operations.createItem,
    path: "/orders/{order}/lines",
    query: Type.Object({ branch_id: Type.Integer(), ...Paging }),
    body,
  } as const;
  expect(referencesOf(operation)).toEqual([
    "path.order",
    "query.branch_id",
    "query.cursor",
    "body.lines.item_id",
    "body.lines.course (undecided)",
    "body.lines.option_ids",
    "body.table_code",
    "header.Idempotency-Key",
  ]);
});

test("T1.2 RX-13 RX-14 RX-15 with both nets: a foreign row is answered byte for byte like one that never was", async () => {
  const findings = await runMatrix(app);
  printFindings("both protections", findings);
  expect(findings.leaks).toEqual([]);
});

test("the code's filter holds alone, with row level security off on every table", async () => {
  await setRowSecurity(app.database, false);
  try {
    const findings = await runMatrix(app, directionsFor(0));
    printFindings("code filter alone", findings);
    expect(findings.leaks).toEqual([]);
  } finally {
    await setRowSecurity(app.database, true);
  }
});

describe("with the code's filter made void", () => {
  let blind: TestApp;
  const pool = openUnfilteredPool();
  beforeAll(async () => {
    blind = await startApp({ database: app.database, pool: pool.open });
  });
  afterAll(() => blind.close());

  test("row level security holds alone", async () => {
    const findings = await runMatrix(blind, directionsFor(1));
    printFindings("row level security alone", findings);
    expect(findings.leaks).toEqual([]);
  });

  test("each statement on a tenant's table has a filter of its own, which the void one replaced", async () => {
    const tables = new RegExp(`\\b(?:from|join|update) "?(?:${(await tenantTables(app.database)).join("|")})\\b`);
    expect(pool.seen.opened.size).toBeGreaterThan(5);
    // The restaurant's own row is found by its id, which is the tenant.
    const others = [...pool.seen.untouched].filter((text) => tables.test(text) && !text.endsWith('from "restaurants" where "id" = $1'));
    expect(others).toEqual([]);
  });

  test("planted: one table without its policy is found", async () => {
    await app.database.asOwner("alter table items disable row level security");
    try {
      const { leaks } = await runMatrix(blind, pairs.slice(0, 1));
      expect(leaks.some((leak) => leak.includes("getItem path.item: foreign is told apart: 200"))).toBe(true);
      expect(leaks).toContain("lab changed rows of lab-twin");
    } finally {
      await app.database.asOwner("alter table items enable row level security");
    }
  });

  test("planted: with neither net nearly every point leaks, and only the composite key keeps references apart", async () => {
    await setRowSecurity(app.database, false);
    try {
      const { leaks } = await runMatrix(blind, pairs.slice(0, 1));
      const leaking = ROW_REFERENCES.filter(({ operation, at }) => leaks.some((leak) => leak.includes(`${operation} ${at}:`)));
      expect(leaking.map(({ kind }) => kind)).not.toContain("cursor");
      expect(leaking.length).toBeGreaterThanOrEqual(17);
      // Sizes, options and tables are looked for only inside what was found, so no id of another venue can reach them.
      const named = leaking.map(({ operation, at }) => `${operation} ${at}`);
      expect(named).toEqual(expect.arrayContaining(["getOrder path.order", "moveOrder path.order", "createOrder body.lines.item_id"]));
      const [own, other] = pairs[0] as [TenantFixture, TenantFixture];
      const dish = { category_id: other.alive.categories, name: "Astray", price_minor: 1 };
      expect((await blind.call(own.token, "POST", "/items", { body: dish })).status).toBe(500);
      await app.database.asOwner("alter table items drop constraint items_restaurant_id_category_id_fkey");
      expect((await blind.call(own.token, "POST", "/items", { body: dish })).status).toBe(201);
    } finally {
      await setRowSecurity(app.database, true);
    }
  });
});
