/**
 * A venue moves to another cell while it is used: nothing is lost, nothing is doubled, and no other venue is affected.
 *
 * @long
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connectTo } from "../../../cells/src/connections.ts";
import { abortMove, moveVenue } from "../../../cells/src/move.ts";
import { type MovePhase, type MoveRequest, type MoveResult, PHASES } from "../../../cells/src/move-session.ts";
import { mapLines, openProxy, readMovedLines, updateProxy } from "../../../cells/src/proxy-map.ts";
import { forVenue } from "../../src/admin/command-context.ts";
import { createSandbox } from "../../src/admin/sandbox.ts";
import { parseEncryptionKeys } from "../../src/lib/encryption.ts";
import { addEndpoint } from "../../src/platform/events/webhooks/service/endpoints.ts";
import { BYSTANDER_MS_MAX, type Bystander, besideBystanders, complaintsOf, describeBystander } from "../support/bystander-load.ts";
import { faultsOf, fill, type OrderLog, underLoad } from "../support/order-load.ts";
import { CHILD_ENVIRONMENT, WORKER } from "../support/processes.ts";
import { sendCall } from "../support/raw-http.ts";
import { sentLink, switchReviewsOn } from "../support/review-links.ts";
import { bundled } from "../support/shared-by-files.ts";
import type { TestVenue } from "../support/test-app.ts";
import { beginTiming } from "../support/timing-verdict.ts";
import { cellAt, ENCRYPTION_KEYS, hasProxy, openCell, startProxy, type TestCell, type TestProxy } from "../support/two-cells.ts";
import { checksumsOf } from "../support/venue-checksums.ts";
import { type Receiver, startReceiver } from "../support/webhook-receiver.ts";
import { authorizeApp, placeOnce } from "./venue-move/before-move.ts";

const IS_LONG = Boolean(process.env.TEST_STRESS);
const ORDERS = Number(process.env.TEST_ORDERS ?? (IS_LONG ? 100_000 : 600));
/** Before and after it is decided where the venue lives. */
const KILLED_PHASES: readonly MovePhase[] = IS_LONG ? PHASES : ["arrived", "decided"];
const ABORTED_PHASES: readonly MovePhase[] = IS_LONG ? ["copied", "arrived"] : ["arrived"];
const PAUSE_MS_MAX = 5000;
/** The default is longer: it allows for a read that waits for a connection. The clients of the short form only write at this venue. */
const LATE_READS: Record<string, string> = IS_LONG ? {} : { LATE_READS_MS: "500" };
const KEYS = parseEncryptionKeys(ENCRYPTION_KEYS) ?? [];

let cells: [TestCell, TestCell];
let proxy: TestProxy;
let receiver: Receiver;
let venue: TestVenue;
let neighbours: Bystander[];
let named = 0;

const wantedMove = (from: TestCell, to: TestCell, changes: Partial<MoveRequest> = {}): MoveRequest => ({
  fromUrl: from.database.ownerUrl,
  toUrl: to.database.ownerUrl,
  slug: venue.slug,
  encryptionKeys: KEYS,
  onOpen: async (homes) => updateProxy(await openProxy(proxy.socket), homes),
  lateReadsMs: 0,
  ...changes,
});

const newVenue = (cell: TestCell): Promise<TestVenue> =>
  cell.venue("lab", (file) => {
    file.restaurant.slug = `mover-${++named}`;
  });

const ask = (port: number, token: string, path = "/items?per_page=1") => sendCall({ port, token, method: "GET", path });

/** What the processes of each cell answer: 200 the venue is here, 503 it is elsewhere or moving, 401 it is unknown. */
const servedBy = (): Promise<number[]> => Promise.all(cells.map(async ({ fleet }) => (await ask(fleet.port, venue.token)).status));

const availability = async (port: number, isAvailable: boolean): Promise<number> => {
  const { body } = await ask(port, venue.token, "/items?per_page=1");
  const [item] = (body as { data: { id: number }[] }).data;
  const path = `/items/${item?.id}/availability`;
  return (await sendCall({ port, token: venue.token, method: "PUT", path, body: { is_available: isAvailable } })).status;
};

type EndedMove = { signal: NodeJS.Signals | null; stdout: string };

/** The move runs as operators run it: in a process of its own, beside the processes that it must not disturb. */
const runMove = async (more: Record<string, string>): Promise<EndedMove> => {
  const child = spawn(process.execPath, [await bundled(fileURLToPath(new URL("../support/move-process.ts", import.meta.url)))], {
    env: {
      ...CHILD_ENVIRONMENT,
      MIGRATION_DATABASE_URL: cells[0].database.ownerUrl,
      MOVE_TO_DATABASE_URL: cells[1].database.ownerUrl,
      ENCRYPTION_KEYS,
      SLUG: venue.slug,
      ...more,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let stdout = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  const [, signal] = await once(child, "close");
  return { signal, stdout };
};

/** Ends itself without tidying up when it comes to that phase. */
const moveUntil = async (phase: MovePhase): Promise<void> => {
  expect((await runMove({ STOP_AT: phase, LATE_READS_MS: "0" })).signal).toBe("SIGKILL");
};

/** The move itself is one entry; a look-up by token is a row in the log of requests. */
const MAY_DIFFER = /^(audit_entries|request_log|hourly_token_usage|tokens) /;
const tableRows = async (cell: TestCell): Promise<string[]> =>
  (await checksumsOf(cell.database, [venue.id])).filter((line) => !MAY_DIFFER.test(line)).sort();

/** When what is written after an answer, such as a sent message, has been written. */
const settledRows = async (cell: TestCell): Promise<string[]> => {
  for (let before: string[] = []; ; await sleep(250)) {
    const rows = await tableRows(cell);
    if (rows.join() === before.join()) return rows;
    before = rows;
  }
};

/** One move for several tests: of a venue that had an order, a sandbox, an app and a link to a review. */
const moveOnce = async () => {
  const mine = await newVenue(cells[0]);
  venue = mine;
  const sandbox = await createSandbox(cells[0].deps, mine.slug, null);
  const placed = await placeOnce(proxy.port, mine);
  const authorized = await authorizeApp(cells[0], proxy.port, mine);
  await switchReviewsOn(cells[0], mine);
  const reviewPath = await sentLink(cells[0], mine, { order: (placed.body as { data: { id: string } }).data.id }, new Date());
  const openReview = async (port: number): Promise<number> => (await fetch(`http://127.0.0.1:${port}${reviewPath}`)).status;
  const answersBefore = [await openReview(proxy.port), await openReview(cells[1].fleet.port)];
  const rowsBefore = await settledRows(cells[0]);
  const moved = await moveVenue(wantedMove(cells[0], cells[1]));
  const rowsAfter = await tableRows(cells[1]);
  return { venue: mine, sandbox, placed, authorized, reviewPath, openReview, answersBefore, rowsBefore, moved, rowsAfter };
};

let movedOnce: ReturnType<typeof moveOnce> | null = null;
const useMoved = async (): ReturnType<typeof moveOnce> => {
  movedOnce ??= moveOnce();
  const once = await movedOnce;
  venue = once.venue;
  return once;
};

describe.runIf(hasProxy)("a venue moves", () => {
  beforeAll(async () => {
    receiver = await startReceiver();
    cells = (await Promise.all([0, 1].map((number) => openCell(number, { AUTHORITY: receiver.authority.cert })))) as [TestCell, TestCell];
    for (const { fleet } of cells) await Promise.all([fleet.start(), fleet.start({}, WORKER)]);
    proxy = await startProxy(cells.map(cellAt));
    neighbours = await Promise.all(cells.map(async (cell) => ({ cell, venue: await cell.venue("gulf-cafe") })));
    // The hardest case for its planner: it knows the new cell as it was when almost nothing was in it.
    await cells[1].database.asOwner("analyze");
    for (const { venue: neighbour } of neighbours) while ((await ask(proxy.port, neighbour.token)).status !== 200) await sleep(50);
  });
  afterAll(async () => {
    await proxy?.stop();
    await Promise.all(cells.map((cell) => cell.close()));
    await receiver.close();
  });

  beforeEach(async () => {
    venue = await newVenue(cells[0]);
  });

  test(`with ${ORDERS} orders of history, while writers write: none lost, none doubled, no other venue affected`, {
    timeout: 900_000,
  }, async (context) => {
    await fill(cells[0], venue.id, ORDERS);
    const events = ["order.created"];
    await forVenue(cells[0].deps, venue.slug, (ctx) => addEndpoint(ctx, { url: receiver.url, description: null, events } as never, KEYS));
    const timing = beginTiming(context);
    const { result, diaries } = await underLoad(proxy.port, [venue], () =>
      besideBystanders(proxy.port, neighbours, IS_LONG ? 20_000 : 500, () => runMove({ PROXY: proxy.socket, ...LATE_READS })),
    );
    const [[mine], { seen }] = [diaries as [OrderLog], result];
    const moved = JSON.parse(result.result.stdout) as MoveResult;
    console.log(
      `move: ${ORDERS} orders, ${moved.rows} rows, writes waited ${moved.pauseMs} ms, slowest order ${Math.round(mine.slowestMs)} ms, ${mine.written.length} written, refused ${JSON.stringify([...mine.refused])}\n${seen.map(describeBystander).join("\n")}`,
    );
    expect(await faultsOf(cells[1], venue.id, mine, ORDERS)).toEqual([]);
    expect(mine.written.length).toBeGreaterThan(10);
    for (const { cell, venue: other, orderLog } of seen) expect(await faultsOf(cell, other.id, orderLog, 0)).toEqual([]);
    expect(await servedBy()).toEqual([503, 200]);
    expect(await cells[0].database.asOwner("select from orders where restaurant_id = $1 limit 1", [venue.id])).toEqual([]);
    // Every order has one event, of one of the two cells.
    await expect.poll(() => receiver.received.length).toBeGreaterThanOrEqual(mine.written.length);
    const told = receiver.received.map(({ body }) => (JSON.parse(body) as { data: { order: { id: string } } }).data.order.id).sort();
    expect(told).toEqual(mine.written.map(({ id }) => id).sort());
    // On a busy machine the proxy takes a cell for ill, and a request takes long by itself: only what a cell said counts, and waits for the mover.
    const said = seen.flatMap(({ waits, during }) => [...waits, ...during.faults.filter((fault) => !fault.includes("by the proxy"))]);
    expect(said).toEqual([]);
    if (!IS_LONG) return;
    timing.judge(() => {
      expect(moved.pauseMs).toBeLessThanOrEqual(PAUSE_MS_MAX);
      expect(seen.map((one) => complaintsOf(one, true))).toEqual([[], []]);
    });
  });

  test.runIf(process.env.TEST_STRESS)(
    "planted fault: a mover that locks a table is noticed by the neighbour in that cell, and by no other",
    async (context) => {
      const timing = beginTiming(context);
      const mover = await connectTo(cells[0].database.ownerUrl);
      const onPhase = async (phase: MovePhase): Promise<void> => {
        if (phase !== "paused") return;
        await mover.query("begin; lock table app.orders in share mode");
        await sleep(BYSTANDER_MS_MAX + 1000);
        await mover.query("rollback");
      };
      const { seen } = await besideBystanders(proxy.port, neighbours, 1000, () => moveVenue(wantedMove(cells[0], cells[1], { onPhase })));
      await mover.end();
      const [here, there] = seen.map((one) => complaintsOf(one, false));
      expect(here).toContain("waited for the mover: relation orders");
      expect(here).toContainEqual(expect.stringMatching(/^(POST 503|a request took \d+ ms)/));
      timing.judge(() => expect(there).toEqual([]));
    },
  );

  test("nothing is compiled for a statement of the move: it would take longer than the pause may", async () => {
    const clients = await Promise.all(cells.map(({ database }) => connectTo(database.ownerUrl)));
    // The move itself turned it off: the server of the tests compiles nothing either.
    const jit = "select setting, source from pg_settings where name = 'jit'";
    for (const client of clients) expect((await client.query(jit)).rows).toEqual([{ setting: "off", source: "session" }]);
    await Promise.all(clients.map((client) => client.end()));
  });

  test("two moves that tell one proxy at the same time leave both in its list", async () => {
    const open = await openProxy(proxy.socket);
    const homes = [0, 1, 2, 3].map((place) => ({ cell: 1, venues: [], tokens: [1024 * (900_000 + place)], grants: [] }));
    await Promise.all(homes.map((one) => updateProxy(open, one)));
    const list = readFileSync(join(proxy.folder, "moved.map"), "utf8");
    for (const line of homes.flatMap(mapLines)) expect(list).toContain(`${line}\n`);
    await Promise.all(homes.map((one) => updateProxy(open, { ...one, cell: 0 })));
    for (const line of homes.flatMap(mapLines)) expect(readFileSync(join(proxy.folder, "moved.map"), "utf8")).not.toContain(line);
  });

  for (const phase of KILLED_PHASES)
    test(`killed when ${phase}: one home, and running it again finishes it`, async () => {
      await moveUntil(phase);
      const isDecided = PHASES.indexOf(phase) >= PHASES.indexOf("decided");
      const [here, there] = await servedBy();
      expect(here).toBe(isDecided ? 503 : 200);
      expect(there).toBe(PHASES.indexOf(phase) >= PHASES.indexOf("opened") ? 200 : ["arrived", "decided"].includes(phase) ? 503 : 401);
      if (!isDecided) {
        // A pause that is not ended expires by itself. The end of this one is brought near.
        const soon = "update venue_moves set paused_until = least(paused_until, clock_timestamp() + interval '1 s')";
        await cells[0].database.asOwner(`${soon} where restaurant_id = $1 and phase = 'paused'`, [venue.id]);
        await expect.poll(() => availability(cells[0].fleet.port, true)).toBe(200);
      }
      await moveVenue(wantedMove(cells[0], cells[1]));
      expect(await servedBy()).toEqual([503, 200]);
      expect(await availability(proxy.port, false)).toBe(200);
    });

  test("given up before it is decided: it stays, and nothing of it is left in the other cell", async () => {
    for (const phase of ABORTED_PHASES) {
      await moveUntil(phase);
      await abortMove(wantedMove(cells[0], cells[1]));
      expect(await servedBy()).toEqual([200, 401]);
      expect(await availability(cells[0].fleet.port, true)).toBe(200);
      const left = await cells[1].database.asOwner(
        "select from restaurants where id = $1 union all select from venue_moves where restaurant_id = $1",
        [venue.id],
      );
      expect(left).toEqual([]);
    }
    await moveUntil("decided");
    await expect(abortMove(wantedMove(cells[0], cells[1]))).rejects.toThrow("is in the other cell already");
    await moveVenue(wantedMove(cells[0], cells[1]));
  });

  test.runIf(process.env.TEST_STRESS)("planted fault: without the pause orders are lost, and the accounts say so", async () => {
    const [{ definition } = { definition: "" }] = await cells[0].database.asOwner<{ definition: string }>(
      "select pg_get_functiondef('app.assert_venue_not_moving'::regproc) as definition",
    );
    await cells[0].database.asOwner(
      "create or replace function app.assert_venue_not_moving(venue bigint) returns void language sql as 'select'",
    );
    try {
      const onPhase = (phase: MovePhase) => (phase === "arrived" ? sleep(1500) : undefined);
      const { diaries } = await underLoad(proxy.port, [venue], () => moveVenue(wantedMove(cells[0], cells[1], { onPhase })));
      expect(await faultsOf(cells[1], venue.id, diaries[0] as OrderLog, 0)).not.toEqual([]);
    } finally {
      await cells[0].database.asOwner(definition);
    }
  });

  test("planted fault: a row that arrives changed, or not at all, stops the move; the venue stays", async () => {
    const there = cells[1].database;
    for (const [planted, table] of [
      ["new.note := 'changed on the way'; return new", "orders"],
      ["return null", "tickets"],
    ] as const) {
      await fill(cells[0], venue.id, 20);
      await there.asOwner(
        `create function pg_temp_fault() returns trigger language plpgsql as $$ begin ${planted}; end $$;
         create trigger fault before insert on ${table} for each row execute function pg_temp_fault()`,
      );
      try {
        await expect(moveVenue(wantedMove(cells[0], cells[1]))).rejects.toThrow(`${table} is not the same in both cells`);
      } finally {
        await there.asOwner(`drop trigger fault on ${table}; drop function pg_temp_fault()`);
      }
      expect(await servedBy()).toEqual([200, 401]);
      expect(await availability(cells[0].fleet.port, true)).toBe(200);
      venue = await newVenue(cells[0]);
    }
  });

  test("refused: a secret that the other cell could not open, a name that is taken there, a cell that is not meant", async () => {
    const events = ["order.created"];
    await forVenue(cells[0].deps, venue.slug, (ctx) => addEndpoint(ctx, { url: receiver.url, description: null, events } as never, KEYS));
    await expect(moveVenue(wantedMove(cells[0], cells[1], { encryptionKeys: [] }))).rejects.toThrow(
      "could not be opened in the other cell",
    );
    await expect(moveVenue(wantedMove(cells[0], cells[1], { toCell: 7 }))).rejects.toThrow("is of cell 1, not of cell 7");
    await expect(moveVenue(wantedMove(cells[0], cells[0]))).rejects.toThrow("Both addresses are of cell 0");
    await cells[1].venue("lab", (file) => {
      file.restaurant.slug = venue.slug;
    });
    await expect(moveVenue(wantedMove(cells[0], cells[1]))).rejects.toThrow("of its own");
    expect((await ask(proxy.port, venue.token)).status).toBe(200);
  });

  test("what arrives is what was there, in every table; tokens, answered keys and the sandbox work on", async () => {
    const { placed, sandbox, rowsBefore, rowsAfter, moved } = await useMoved();
    expect(rowsAfter).toEqual(rowsBefore);
    expect(rowsBefore.length).toBeGreaterThan(40);
    const again = await placeOnce(proxy.port, venue);
    expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([placed.status, placed.text, "true"]);
    expect((await ask(proxy.port, sandbox?.token ?? "")).status).toBe(200);
    expect((await ask(cells[1].fleet.port, sandbox?.token ?? "")).status).toBe(200);
    const jobs = "select name from jobs.job where (data ->> 'restaurant_id')::bigint = $1 and state = 'created'";
    expect(await cells[1].database.asOwner(jobs, [sandbox?.restaurant_id])).toEqual([{ name: "reset-sandbox" }]);
    expect(await cells[0].database.asOwner(jobs, [sandbox?.restaurant_id])).toEqual([]);
    // A proxy that restarts gets the same list from the databases.
    const owner = await connectTo(cells[1].database.ownerUrl);
    expect(await readMovedLines(owner)).toEqual(expect.arrayContaining(mapLines(moved.homes)));
    await owner.end();
    expect(mapLines(moved.homes).length).toBeGreaterThanOrEqual(2);
  });

  test("an authorized app moves along: it exchanges a code, refreshes and revokes in the new cell, with the same secret", async () => {
    const { before, exchange, late, post } = (await useMoved()).authorized;
    expect(before.status).toBe(200);
    expect((await ask(proxy.port, before.body.access_token)).status).toBe(200);
    const refreshed = await post("/oauth/token", { grant_type: "refresh_token", refresh_token: before.body.refresh_token });
    expect(refreshed.status).toBe(200);
    expect((await exchange(late)).status).toBe(200);
    expect((await ask(proxy.port, refreshed.body.access_token)).status).toBe(200);
    expect((await post("/oauth/revoke", { token: refreshed.body.refresh_token })).status).toBe(200);
    expect((await ask(proxy.port, refreshed.body.access_token)).status).toBe(401);
  });

  test("a guest's link to a review goes to the cell where its venue is, before and after the move", async () => {
    const { answersBefore, openReview, reviewPath } = await useMoved();
    expect(answersBefore).toEqual([200, 404]);
    expect([await openReview(proxy.port), await openReview(cells[0].fleet.port)]).toEqual([200, 503]);
    const form = new URLSearchParams({ rating: "5", comment: "" });
    const posted = await fetch(`http://127.0.0.1:${proxy.port}${reviewPath}`, { method: "POST", body: form, redirect: "manual" });
    expect(posted.status).toBe(303);
    expect(await cells[1].database.asOwner("select rating from reviews where restaurant_id = $1", [venue.id])).toEqual([{ rating: 5 }]);
  });

  test("a proxy that is reloaded goes on routing to the new cell; planted: one whose list was not written does not", async () => {
    await useMoved();
    const line = `token:${venue.token.split("|")[0]} 1\n`;
    const list = join(proxy.folder, "moved.map");
    expect(readFileSync(list, "utf8")).toContain(line);
    const statusAfterReload = async (): Promise<number> => {
      await proxy.reload();
      return (await ask(proxy.port, venue.token)).status;
    };
    expect(await statusAfterReload()).toBe(200);
    const written = readFileSync(list, "utf8");
    writeFileSync(list, written.replace(line, ""));
    expect(await statusAfterReload()).toBe(503);
    writeFileSync(list, written);
    expect(await statusAfterReload()).toBe(200);
  });

  /** Last of them: it ends what the others look at. */
  test("it moves back home, and its numbers say its cell again", async () => {
    await useMoved();
    await moveVenue(wantedMove(cells[1], cells[0]));
    expect(await servedBy()).toEqual([200, 503]);
    expect((await ask(proxy.port, venue.token)).status).toBe(200);
    expect(await proxy.movedMap()).not.toContain(`token:${venue.token.split("|")[0]} `);
  });
});
