/**
 * Every operation in a sandbox, and its nightly reset, many times over: no byte of a live restaurant changes.
 *
 * @own-process The conformance kit reads its target once per process.
 * @every-postgres
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operationEntries, operations } from "@comanda/contract/operations.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDemo, type Demo } from "../../src/admin/demo.ts";
import { inSandbox } from "../../src/admin/sandbox.ts";
import { asSystem } from "../../src/compose/as-system.ts";
import { sandboxJobs } from "../../src/venue/sandbox/jobs.ts";
import { readSandbox, resetSandbox } from "../../src/venue/sandbox/service.ts";
import { startApp, type TestApp } from "../support/test-app.ts";
import { checksumsOf } from "../support/venue-checksums.ts";

const RESETS = Number(process.env.TEST_ROUNDS ?? (process.env.TEST_STRESS ? 1000 : 20));
const CALLS_PER_RESET = 3;

type Kit = typeof import("../../../conformance/examples.ts") & typeof import("../../../conformance/target.ts");

let app: TestApp;
let demo: Demo;
let kit: Kit;
let folder: string;
let liveIds: number[];
let slug: string;

beforeAll(async () => {
  app = await startApp();
  // The kit's examples reckon with today.
  app.clock.set(new Date().toISOString());
  await app.app.http.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.app.http.server.address() as AddressInfo;
  demo = await createDemo(app.deps, `http://127.0.0.1:${port}`);
  folder = mkdtempSync(join(tmpdir(), "comanda-wall-"));
  process.env.CONFORMANCE_TARGET = join(folder, "target.json");
  writeFileSync(process.env.CONFORMANCE_TARGET, JSON.stringify(demo));
  kit = { ...(await import("../../../conformance/examples.ts")), ...(await import("../../../conformance/target.ts")) };
  liveIds = demo.venues.map(({ restaurant_id }) => restaurant_id);
  slug = kit.sandboxed.slug;
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const resetByHand = () => inSandbox(app.deps, slug, (ctx) => resetSandbox(ctx, null), { sandboxLock: "exclusive" });

/** As the worker would, some minutes after the hour; then back to today, which the kit's examples reckon with. */
const runNights = async (count: number): Promise<void> => {
  const today = app.clock.now();
  for (let night = 0; night < count; night++) {
    const due = (await inSandbox(app.deps, slug, readSandbox))?.next_reset_at as Date;
    app.clock.set(new Date(due.getTime() + 300_000).toISOString());
    await sandboxJobs["reset-sandbox"](asSystem(app.deps, kit.sandbox.restaurant_id), { due_at: due.toISOString() });
  }
  app.clock.set(today.toISOString());
  await resetByHand();
};

/** What the operation gave back as the sandbox; anything but success is an error of the test. */
const tryOut = async (index: number): Promise<string[]> => {
  const [id] = operationEntries[index % operationEntries.length] as (typeof operationEntries)[number];
  const { status, text } = await kit.perform(id, kit.sandbox);
  return status === operations[id].success.status ? [] : [`${id}: ${status} ${text}`];
};

test(`R1-12 R1-13 every operation as the sandbox and ${RESETS} resets leave every live row as it was`, {
  timeout: 300_000 + RESETS * 2000,
}, async () => {
  const before = await checksumsOf(app.database, liveIds);
  const failed: string[] = [];
  for (let call = 0; call < operationEntries.length; call++) failed.push(...(await tryOut(call)));
  let calls = operationEntries.length;
  for (let round = 0; round < RESETS; round++) {
    for (let call = 0; call < CALLS_PER_RESET; call++) failed.push(...(await tryOut(calls++)));
    await resetByHand();
    if (round % 20 === 19) await runNights(5);
  }
  const [{ resets } = { resets: "0" }] = await app.database.asOwner<{ resets: string }>(
    "select count(*) as resets from audit_entries where restaurant_id = $1 and action = 'sandbox.reset'",
    [kit.sandbox.restaurant_id],
  );
  console.info(
    `${calls} calls of ${operationEntries.length} operations, ${resets} resets, ${before.length} tables of ${liveIds.length} live venues`,
  );
  expect(failed).toEqual([]);
  expect(Number(resets)).toBeGreaterThanOrEqual(RESETS);
  expect(await checksumsOf(app.database, liveIds)).toEqual(before);
});

test("planted fault: a reset that deletes rows of every venue is found by the same digests", async () => {
  const [{ text } = { text: "" }] = await app.database.asOwner<{ text: string }>(
    "select pg_get_functiondef('reset_sandbox'::regproc) as text",
  );
  const careless = text.replace("delete from %I where restaurant_id = $1", "delete from %I where $1 > 0");
  expect(careless).not.toBe(text);
  const before = await checksumsOf(app.database, liveIds);
  await app.database.asOwner(careless);
  await resetByHand();
  await app.database.asOwner(text);
  const after = await checksumsOf(app.database, liveIds);
  expect(after.filter((line, index) => line !== before[index]).length).toBeGreaterThan(15);
});
