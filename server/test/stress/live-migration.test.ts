/**
 * `comanda-admin migrate` changes the schema while two processes and a worker serve: no request fails, and none waits for long.
 *
 * @every-postgres
 */
import { randomBytes, randomUUID } from "node:crypto";
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addEndpoint } from "#platform/events/webhooks/service/endpoints.ts";
import { answerProblems } from "../../../conformance/answer-check.ts";
import { type MigrationRun, type NextRelease, prepareRelease } from "../support/next-release.ts";
import { fill } from "../support/order-load.ts";
import { API, createFleet, type Fleet, WORKER } from "../support/processes.ts";
import { sendCall } from "../support/raw-http.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../support/test-app.ts";
import { beginTiming } from "../support/timing-verdict.ts";
import { type Receiver, startReceiver } from "../support/webhook-receiver.ts";

const IS_LONG = Boolean(process.env.TEST_STRESS);
const ORDERS = Number(process.env.TEST_ORDERS ?? (IS_LONG ? 300_000 : 1000));
const ROUNDS = Number(process.env.TEST_ROUNDS ?? (IS_LONG ? 20 : 1));
const CLIENTS = IS_LONG ? 8 : 4;
/** Answered before the work begins, and after it has ended. */
const REQUESTS_BESIDE = CLIENTS * 5;
const PAUSE_MS = 50;
/** Longer than a request waits for a lock: a migration that queued behind it would fail everybody else. */
const BACKUP_MS = 3000;
/** What a request may wait at worst: a lock that was asked for in vain, and what has piled up behind it. */
const WAIT_MS_MAX = 3000;
const LOOK_EVERY_MS = 40;

const ENCRYPTION_KEYS = `stress:${randomBytes(32).toString("base64")}`;

let app: TestApp;
let lab: TestVenue;
let fleet: Fleet;
let receiver: Receiver;
let itemId: number;
let answered = 0;

beforeAll(async () => {
  app = await startApp({ environment: { ENCRYPTION_KEYS } });
  app.clock.set(new Date().toISOString());
  [lab, receiver] = [await app.venue("lab"), await startReceiver()];
  await forVenue(app.deps, lab.slug, (ctx) =>
    addEndpoint(ctx, { url: receiver.url, events: ["order.created"], description: null }, app.deps.config.encryptionKeys),
  );
  await fill(app, lab.id, ORDERS);
  const { data } = (await app.call(lab.token, "GET", "/items?per_page=100")).body;
  itemId = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
  fleet = await createFleet(app.database.appUrl, { ENCRYPTION_KEYS, AUTHORITY: receiver.authority.cert });
  await Promise.all([API, API, WORKER].map((program) => fleet.start({}, program)));
}, 600_000);
afterAll(async () => {
  await fleet.close();
  await receiver.close();
  await app.close();
});

/** What a release brings: columns, a constraint, a table, a trigger's function, and an index on what is there already. */
const nextSchema = (round: number): Record<string, string> => ({
  [`9${round}01_tips.sql`]: `set local search_path = app;
    alter table orders add column tip_${round}_minor bigint not null default 0;
    alter table orders add constraint orders_tip_${round} check (tip_${round}_minor >= 0) not valid;
    alter table guests add column birthday_${round} date;
    call create_id_sequence('review_${round}_ids');
    create table reviews_${round} (
      restaurant_id bigint not null, id bigint not null default nextval('review_${round}_ids'), order_id uuid not null, stars integer not null,
      primary key (restaurant_id, id), foreign key (restaurant_id, order_id) references orders (restaurant_id, id)
    );
    call enable_tenant_rls('reviews_${round}');
    do $$ begin execute (select pg_get_functiondef(p.oid) from pg_proc p where proname = 'authenticate' and pronamespace = 'app'::regnamespace); end $$;`,
  [`9${round}02_tip_index.sql`]: `-- no-transaction\ncreate index concurrently orders_tip_${round} on app.orders (restaurant_id, tip_${round}_minor)`,
  [`9${round}03_tip_checked.sql`]: `set local search_path = app; alter table orders validate constraint orders_tip_${round};`,
});

/** `lockMs`: how long a request was seen to wait for a lock, at most. */
type MigrationFigures = { requests: number; failures: Map<string, number>; longestMs: number; lockMs: number };

const asks = (): { method: string; path: string; body?: object }[] => [
  { method: "GET", path: "/orders?status=placed&per_page=5" },
  { method: "GET", path: `/items/${itemId}` },
  { method: "GET", path: "/guests?per_page=5" },
  {
    method: "POST",
    path: "/orders",
    body: { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100", lines: [{ item_id: itemId, quantity: 1 }] },
  },
];

/** Only the service's own connections count; another process on the machine makes the wait no longer. */
const longestLockWait = async (): Promise<number> => {
  const [row] = await app.database.asOwner<{ ms: number }>(
    `select coalesce(max(extract(epoch from clock_timestamp() - l.waitstart)), 0)::float8 * 1000 as ms
     from pg_locks l join pg_stat_activity a using (pid)
     where not l.granted and l.locktype = 'relation' and a.usename <> session_user and a.datname = current_database()`,
  );
  return row?.ms ?? 0;
};

/** Clients who count whatever is not a good answer. Nothing is tried again. */
const underLoad = async <T>(work: () => Promise<T>): Promise<{ result: T; figures: MigrationFigures }> => {
  const figures: MigrationFigures = { requests: 0, failures: new Map(), longestMs: 0, lockMs: 0 };
  let isOver = false;
  const ask = async (agent: Agent, turn: number): Promise<void> => {
    const [wanted, begin] = [asks()[turn % asks().length] as ReturnType<typeof asks>[number], performance.now()];
    const call = { ...wanted, token: lab.token, headers: { "idempotency-key": randomUUID() } };
    const failure = await sendCall({ ...call, port: fleet.port, agent }).then(
      (answer) => {
        if (answer.status === 201) answered++;
        const problems = answerProblems(call, answer);
        return answer.status < 300 && problems.length === 0 ? null : `${answer.status} ${problems}`;
      },
      (error: NodeJS.ErrnoException) => String(error.code ?? error),
    );
    figures.requests++;
    figures.longestMs = Math.max(figures.longestMs, performance.now() - begin);
    if (failure !== null) figures.failures.set(failure, (figures.failures.get(failure) ?? 0) + 1);
  };
  const client = async (_: unknown, number: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let turn = number; !isOver; turn++) {
      await ask(agent, turn);
      await sleep(Math.random() * 2 * PAUSE_MS);
    }
    agent.destroy();
  };
  const watch = async (): Promise<void> => {
    for (; !isOver; await sleep(LOOK_EVERY_MS)) figures.lockMs = Math.max(figures.lockMs, await longestLockWait());
  };
  const answeredMore = async (): Promise<void> => {
    for (const enough = figures.requests + REQUESTS_BESIDE; figures.requests < enough; ) await sleep(20);
  };
  const all = [...Array.from({ length: CLIENTS }, client), watch()];
  await answeredMore();
  try {
    const result = await work();
    await answeredMore();
    return { result, figures };
  } finally {
    isOver = true;
    await Promise.all(all);
  }
};

/** A transaction locks tables for reading, as a backup does, and goes on for a while when another one waits for an exclusive lock. */
const duringBackup = async <T>(work: () => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: app.database.ownerUrl });
  await client.connect();
  await client.query("begin; lock table app.orders, app.guests in access share mode");
  let isOver = false;
  const isAwaited = async (): Promise<boolean> =>
    (await client.query("select from pg_locks where relation = 'app.orders'::regclass and not granted")).rowCount !== 0;
  const backup = (async () => {
    while (!isOver && !(await isAwaited())) await sleep(20);
    if (!isOver) await sleep(BACKUP_MS);
    await client.query("commit");
  })();
  try {
    return await work();
  } finally {
    isOver = true;
    await backup;
    await client.end();
  }
};

const migrateUnderLoad = async (release: NextRelease): Promise<{ result: MigrationRun; figures: MigrationFigures }> => {
  try {
    return await underLoad(() => duringBackup(() => release.migrate(app.database.ownerUrl)));
  } finally {
    release.remove();
  }
};

const report = (name: string, { requests, failures, longestMs, lockMs }: MigrationFigures, seconds: number): void =>
  console.info(
    `${name}: ${ORDERS} orders, ${seconds.toFixed(1)} s, ${requests} requests meanwhile, the longest ${longestMs.toFixed(0)} ms, of which for a lock ` +
      `at most ${lockMs.toFixed(0)} ms, ` +
      `failed ${JSON.stringify(Object.fromEntries(failures))}`,
  );

test(`${ROUNDS} × comanda-admin migrate while two processes and a worker serve, and a backup runs: no request fails`, {
  timeout: ROUNDS * 300_000,
}, async (context) => {
  const timing = beginTiming(context);
  for (let round = 0; round < ROUNDS; round++) {
    const schema = nextSchema(round);
    const { result, figures } = await migrateUnderLoad(prepareRelease(schema));
    report("migration under load", figures, result.seconds);
    expect([result.code, result.output.split("\n").slice(1)]).toEqual([0, [`Ran ${Object.keys(schema).join(", ")}.`, ""]]);
    expect(Object.fromEntries(figures.failures)).toEqual({});
    expect(figures.lockMs).toBeLessThan(WAIT_MS_MAX);
    if (IS_LONG) timing.judge(() => expect(figures.longestMs).toBeLessThan(WAIT_MS_MAX));
  }
  const [row] = await app.database.asOwner<{ count: number }>("select count(*)::integer as count from orders where restaurant_id = $1", [
    lab.id,
  ]);
  expect(row?.count).toBe(ORDERS + answered);
});

test.runIf(process.env.TEST_STRESS)(
  "planted fault: a migration that keeps a table for itself fails requests, and the same load counts them",
  async () => {
    const selfish = "set local search_path = app; set local lock_timeout = 10000; lock table orders; select pg_sleep(3);";
    const { result, figures } = await migrateUnderLoad(prepareRelease({ "9900_selfish.sql": selfish }));
    report("a selfish migration", figures, result.seconds);
    expect(result.code).toBe(0);
    expect([...figures.failures.keys()].some((failure) => failure.startsWith("503"))).toBe(true);
  },
);
