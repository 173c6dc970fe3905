/** Runs each example in its own process against a running service and checks the result. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import {
  call,
  countOrders,
  EXAMPLES,
  HERE,
  newFolder,
  type ProcessResult,
  place,
  RUN_MS_MAX,
  run,
  type SourceFault,
  service,
  startExamples,
} from "./test/example-runs.ts";

startExamples();

test("each is under 100 lines and imports nothing but Node and the SDK", () => {
  expect(
    readdirSync(HERE)
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .sort(),
  ).toEqual([...EXAMPLES].sort());
  for (const name of EXAMPLES) {
    const text = readFileSync(join(HERE, name), "utf8");
    expect(text.split("\n").length, name).toBeLessThanOrEqual(100);
    const imported = [...text.matchAll(/from "([^"]+)"/g)].map(([, module = ""]) => module);
    expect(imported.filter((module) => module !== "@comanda/sdk" && !module.startsWith("node:"))).toEqual([]);
    expect(imported).toContain("@comanda/sdk");
  }
});

describe("web-shop-checkout", () => {
  const NAME = "web-shop-checkout.ts";
  const newest = async (): Promise<{ id: string; status: string }> => (await call("GET", "/orders?per_page=1&status=placed"))[0];
  /** Plays the restaurant, once the order is there. */
  const moveNewest = async (before: number, statuses: string[]): Promise<void> => {
    await expect.poll(countOrders, { timeout: RUN_MS_MAX }).toBe(before + 1);
    const { id } = await newest();
    for (const status of statuses) {
      await sleep(400);
      await call("POST", `/orders/${id}/status`, { status });
    }
  };

  test("places an order, and tells of each step until it is over", async () => {
    const before = await countOrders();
    const [result] = await Promise.all([run(NAME, { POLL_MS: "50" }), moveNewest(before, ["accepted", "ready", "completed"])]);
    const lines = result.stdout.trim().split("\n");
    expect(result.code, result.stderr).toBe(0);
    const [, quoted] = /^The cart comes to (\$\d+\.\d\d)$/.exec(lines[0] ?? "") ?? [];
    expect(lines[1]).toMatch(/^Placed [\w-]{36}: \$\d+\.\d\d$/);
    expect(lines[1]).toContain(`: ${quoted}`);
    expect(lines.slice(2)).toEqual(["placed", "accepted", "ready", "completed"]);
  });

  test("a rejected order ends it with another code", async () => {
    const before = await countOrders();
    const [result] = await Promise.all([run(NAME, { POLL_MS: "50" }), moveNewest(before, ["rejected"])]);
    expect([result.code, result.stdout.trim().split("\n").at(-1)]).toEqual([1, "rejected"]);
  });

  const pressTwice = async (cart: string, faults: SourceFault[] = []): Promise<number> => {
    const before = await countOrders();
    const own = { CART: cart, POLL_MS: "50" };
    await Promise.all([run(NAME, own, { faults }), moveNewest(before, ["rejected"])]);
    const again = run(NAME, own, { faults });
    // The fault makes a second order, which is ended as well.
    if (faults.length > 0) await moveNewest(before + 1, ["rejected"]);
    expect((await again).code).toBe(1);
    return (await countOrders()) - before;
  };
  test("the same cart twice is one order", async () => expect(await pressTwice("17")).toBe(1));
  test("planted: without the cart's key it is two", async () =>
    expect(await pressTwice("18", [["CART ? {", "Math.random() > 1 ? {"]])).toBe(2));

  const NO_NAME: SourceFault = ['customer_name: "Ada"', 'customer_name: ""'];
  const CART_ALONE: SourceFault = ["await idempotencyKey(", "((name: string, _content: unknown) => name)("];
  /** Refused for a missing name, then sent with one, under the same cart. */
  const correctCart = async (cart: string, faults: SourceFault[] = []): Promise<ProcessResult> => {
    const own = { CART: cart, POLL_MS: "50" };
    const refused = await run(NAME, own, { faults: [NO_NAME, ...faults] });
    expect([refused.code, refused.stdout]).toEqual([2, expect.stringContaining("validation_failed")]);
    const before = await countOrders();
    const corrected = run(NAME, own, { faults });
    if (faults.length === 0) await moveNewest(before, ["rejected"]);
    return corrected;
  };
  test("a cart that was refused and corrected is placed", async () => {
    const { code, stdout } = await correctCart("19");
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^Placed /m)]);
  });
  test("planted: under the cart's name alone the corrected cart is refused", async () => {
    const { code, stdout } = await correctCart("20", [CART_ALONE]);
    expect([code, stdout]).toEqual([2, expect.stringContaining("idempotency_key_reused")]);
  });

  const ONE_ATTEMPT: SourceFault = ["if (!(error instanceof ApiError && error.isReplay)) throw error;", "throw error;"];
  /** Refused while the venue takes no orders for pickup, then sent unchanged when it does. */
  const retryAfterTypeReturns = async (cart: string, faults: SourceFault[] = []): Promise<ProcessResult> => {
    const own = { CART: cart, POLL_MS: "50" };
    const { asOwner } = service.app.database;
    const [kept] = await asOwner<{ ordering: string }>("select ordering::text from settings where restaurant_id = $1", [service.venue.id]);
    await asOwner("update settings set ordering = jsonb_set(ordering, '{types}', '[]') where restaurant_id = $1", [service.venue.id]);
    const refused = await run(NAME, own, { faults });
    await asOwner("update settings set ordering = $2 where restaurant_id = $1", [service.venue.id, kept?.ordering]);
    expect([refused.code, refused.stdout]).toEqual([2, expect.stringMatching(/validation_failed[\s\S]*\n {2}type: /)]);
    const before = await countOrders();
    const again = run(NAME, own, { faults });
    if (faults.length === 0) await moveNewest(before, ["rejected"]);
    return again;
  };
  test("a cart that was refused and is sent again unchanged is decided again", async () => {
    const { code, stdout } = await retryAfterTypeReturns("21");
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^Placed /m)]);
  });
  test("planted: without another attempt the first refusal comes back", async () => {
    expect((await retryAfterTypeReturns("22", [ONE_ATTEMPT])).stdout).toContain("validation_failed");
  });

  test("what was refused is said by field and scope", async () => {
    const weak = await service.app.token(service.venue.slug, { scopes: ["menu:read"] });
    const scope = await run(NAME, { COMANDA_TOKEN: weak });
    expect([scope.code, scope.stdout]).toEqual([2, expect.stringContaining("The token needs orders:write.")]);
    const field = await run(NAME, {}, { faults: [NO_NAME] });
    expect([field.code, field.stdout]).toEqual([2, expect.stringMatching(/validation_failed[\s\S]*\n {2}customer_name: /)]);
  });
});

describe("nightly-sales-export", () => {
  const NAME = "nightly-sales-export.ts";
  const DAY = "2026-06-10";
  const rowsOf = (file: string): string[][] =>
    readFileSync(join(folder(), file), "utf8")
      .trimEnd()
      .split("\r\n")
      .map((line) => line.split(",").map((cell) => cell.replace(/^"(.*)"$/, "$1")));
  const folder = (): string => (out ??= newFolder("out"));
  let out: string | undefined;
  let placed: { id: string; total_minor: number }[];
  beforeAll(async () => {
    placed = [];
    // The first and the last second of the day are in it, those around it are not; more than a page in all.
    for (const instant of ["2026-06-09T23:59:59Z", "2026-06-11T00:00:00Z"]) {
      service.app.clock.set(instant);
      await place();
    }
    for (let index = 0; index < 105; index++) {
      service.app.clock.set(index === 0 ? `${DAY}T00:00:00Z` : index === 104 ? `${DAY}T23:59:59Z` : `${DAY}T12:00:00Z`);
      placed.push(await place());
    }
    await call("POST", `/orders/${placed[0]?.id}/status`, { status: "rejected" });
  });

  test("every order of the day is in one file, what they come to in the other", async () => {
    const result = await run(NAME, { FOLDER: folder() }, { parameters: [DAY] });
    expect([result.code, result.stderr]).toEqual([0, ""]);
    const [head = [], ...rows] = rowsOf(`orders-${DAY}.csv`);
    expect(rows.map(([id = ""]) => id).sort()).toEqual(placed.map(({ id }) => id).sort());
    const sum = rows
      .filter((row) => row[head.indexOf("status")] !== "rejected")
      .reduce((total, row) => total + Number(row[head.indexOf("total_minor")]), 0);
    const [, summary = []] = rowsOf(`summary-${DAY}.csv`);
    expect(summary.slice(0, 4)).toEqual([DAY, "USD", "104", String(sum)]);
    expect(readdirSync(folder()).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("without a day it is yesterday's", async () => {
    const dayBefore = () => new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
    // Before and after, in case it is midnight just then.
    const days = [dayBefore()];
    const out = newFolder("out");
    const result = await run(NAME, { FOLDER: out });
    days.push(dayBefore());
    expect([result.code, result.stderr]).toEqual([0, ""]);
    const [, summary] = readdirSync(out).sort();
    expect(days.map((day) => `summary-${day}.csv`)).toContain(summary);
  });

  test("planted: a list that ends with its first page does not come to the summary, and it says so", async () => {
    const fault: SourceFault = [
      "of comanda.orders.list({ placed_from: day, placed_to: day, per_page: 100 })",
      "of (await comanda.orders.list({ placed_from: day, placed_to: day, per_page: 100 })).data",
    ];
    const result = await run(NAME, { FOLDER: newFolder("out") }, { parameters: [DAY], faults: [fault] });
    expect([result.code, result.stderr]).toEqual([1, expect.stringContaining("the summary says otherwise")]);
  });
});
