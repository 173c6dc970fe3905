/** Runs each example in its own process against a running service and checks the result. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { EVENT_SAMPLES } from "@comanda/contract/events/event-samples.ts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { signWebhook } from "../sdk/src/webhooks.ts";
import { type RunningService, startService } from "../sdk/test/running-service.ts";
import { startWorker } from "../server/src/compose/worker.ts";
import { addEndpoint } from "../server/src/platform/webhooks/service/endpoints.ts";
import { freePort } from "../server/test/support/processes.ts";
import { forVenue } from "../server/test/support/test-app.ts";
import { createLocalSender, startReceiver } from "../server/test/support/webhook-receiver.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const SDK = join(HERE, "../sdk");
const EXAMPLES = ["web-shop-checkout.ts", "kitchen-printer.ts", "printer-behind-router.ts", "nightly-sales-export.ts"] as const;
type ExampleFile = (typeof EXAMPLES)[number];
const RUN_MS_MAX = 30_000;

let service: RunningService;
let folder: string;
let itemId: number;
beforeAll(async () => {
  await promisify(execFile)(join(HERE, "../node_modules/.bin/tsc"), ["-p", SDK], { timeout: 250_000 });
  folder = mkdtempSync(join(tmpdir(), "comanda-examples-"));
  mkdirSync(join(folder, "node_modules/@comanda"), { recursive: true });
  symlinkSync(SDK, join(folder, "node_modules/@comanda/sdk"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  service = await startService({ ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}` });
  const { body } = await service.app.call(service.venue.token, "GET", "/items?per_page=100&available=true");
  itemId = body.data.find((item: { name: { en: string } }) => item.name.en.toLowerCase().includes("plain")).id;
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The example itself, or a copy with faults in it. */
type SourceFault = [from: string, to: string];
const fileOf = (name: ExampleFile, faults: SourceFault[] = []): string => {
  if (faults.length === 0) return join(HERE, name);
  let text = readFileSync(join(HERE, name), "utf8");
  for (const [from, to] of faults) {
    expect(text).toContain(from);
    text = text.replace(from, to);
  }
  const path = join(mkdtempSync(join(folder, "planted-")), name);
  writeFileSync(path, text);
  return path;
};

const environment = (own: Record<string, string>): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  COMANDA_URL: service.rootUrl,
  COMANDA_TOKEN: service.venue.token,
  ...own,
});

type ProcessResult = { code: number; stdout: string; stderr: string };
type RunOptions = { parameters?: string[]; faults?: SourceFault[] };
const run = (
  name: ExampleFile,
  own: Record<string, string> = {},
  { parameters = [], faults = [] }: RunOptions = {},
): Promise<ProcessResult> =>
  new Promise((resolve) => {
    const options = { env: environment(own), timeout: RUN_MS_MAX, killSignal: "SIGKILL" as const };
    const child = execFile(process.execPath, [fileOf(name, faults), ...parameters], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });

const call = async (method: string, path: string, body?: unknown) => {
  const answer = await service.app.call(service.venue.token, method, path, body === undefined ? {} : { body });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body.data;
};
const place = (note: string | null = null): Promise<{ id: string; total_minor: number }> =>
  call("POST", "/orders", {
    type: "pickup",
    customer_name: "Ada",
    customer_phone: "+1 555 0100",
    note,
    lines: [{ item_id: itemId, quantity: 2 }],
  });
const countOrders = async (): Promise<number> => (await call("GET", "/orders?per_page=100")).length;

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
    expect(lines[0]).toMatch(/^Placed [\w-]{36}: \$\d+\.\d\d$/);
    expect(lines.slice(1)).toEqual(["placed", "accepted", "ready", "completed"]);
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
    // With the fault there is a second order, which is ended as well.
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
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^Placed /)]);
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
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^Placed /)]);
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

describe("kitchen-printer", () => {
  const SECRET = `whsec_${"aB3".repeat(13)}x`;
  let printer: ChildProcess | undefined;
  let [paper, errors] = ["", ""];
  afterEach(() => void printer?.kill("SIGKILL"));

  const open = async (secret = SECRET, faults: SourceFault[] = []): Promise<string> => {
    const port = String(await freePort());
    [paper, errors] = ["", ""];
    printer = spawn(process.execPath, [fileOf("kitchen-printer.ts", faults)], {
      env: environment({ WEBHOOK_SECRET: secret, PORT: port }),
      timeout: 250_000,
      killSignal: "SIGKILL",
    });
    printer.stdout?.on("data", (chunk: Buffer) => (paper += chunk.toString()));
    printer.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    await expect.poll(() => errors, { timeout: RUN_MS_MAX }).toContain("listens");
    return `http://127.0.0.1:${port}/`;
  };
  const post = async (url: string, body: string, signature: string): Promise<number> =>
    (await fetch(url, { method: "POST", body, headers: { "service-signature": signature } })).status;
  const tickets = (): number => paper.split("=".repeat(32)).filter((part) => part.trim()).length;
  const body = JSON.stringify(EVENT_SAMPLES["order.created"]);
  const cancelled = JSON.stringify({
    ...EVENT_SAMPLES["order.status_changed"],
    data: { order: { ...EVENT_SAMPLES["order.created"].data.order, status: "cancelled" }, previous_status: "placed" },
  });

  test("prints what is signed once, stops what is cancelled, and refuses what is forged", async () => {
    const url = await open();
    const right = await signWebhook(body, SECRET);
    expect(await post(url, body, right)).toBe(204);
    expect(await post(url, body, await signWebhook(body, SECRET))).toBe(204);
    const [line] = EVENT_SAMPLES["order.created"].data.order.items;
    await expect.poll(() => paper).toContain(`${line?.quantity} x ${line?.name.en}`);
    expect(tickets()).toBe(1);
    expect(await post(url, cancelled, await signWebhook(cancelled, SECRET))).toBe(204);
    await expect.poll(tickets).toBe(2);
    expect(paper).toContain("*** STOP ***");
    const other = body.replace(EVENT_SAMPLES["order.created"].id, "01a1db39-5ca0-7a62-8a44-000000000000");
    for (const [text, signature] of [
      [other, right],
      [other, await signWebhook(other, `${SECRET}x`)],
      [other, await signWebhook(other, SECRET, new Date(Date.now() - 400_000))],
      [other, ""],
    ] as const)
      expect(await post(url, text, signature)).toBe(401);
    expect((await fetch(url)).status).toBe(405);
    expect(await post(url, "x".repeat(1024 * 1024 + 1), right).catch(() => 413)).toBe(413);
    expect(tickets()).toBe(2);
  });

  test("what a guest writes cannot command the printer", async () => {
    const url = await open();
    const evil = JSON.parse(body);
    evil.data.order.note = "\u001b@\u001dV\u0000no onions\n=====";
    const text = JSON.stringify(evil);
    expect(await post(url, text, await signWebhook(text, SECRET))).toBe(204);
    await expect.poll(() => paper).toContain("no onions =====");
    expect([...paper].filter((character) => character < " " && character !== "\n")).toEqual([]);
  });

  test.each<[string, SourceFault, number, number]>([
    ["without a memory a repeat is printed again", ["await handleOnce(event.id, () => handle(event))", "handle(event)"], 204, 2],
    [
      "without the check a forged one is printed",
      ["await verifyWebhook({ body,", "JSON.parse(String(body)) as WebhookEvent; ({ body,"],
      204,
      1,
    ],
  ])("planted: %s", async (_name, fault, status, count) => {
    const url = await open(SECRET, [fault]);
    const isForged = count === 1;
    const signature = isForged ? "forged" : await signWebhook(body, SECRET);
    expect(await post(url, body, signature)).toBe(status);
    expect(await post(url, body, signature)).toBe(status);
    await expect.poll(tickets).toBe(count);
  });

  const JAM: SourceFault[] = [
    ["const WIDTH = 32;", "const WIDTH = 32;\nlet jams = 1;"],
    ["const handle = (event: WebhookEvent): void => {", '$&\n  if (jams-- > 0) throw new Error("The paper is jammed");'],
  ];
  const REMEMBERED_FIRST: SourceFault[] = [
    ["const handleOnce = deduplicate();", "const seen = new Set();"],
    [
      "await handleOnce(event.id, () => handle(event));",
      "const isNew = !seen.has(event.id);\n    seen.add(event.id);\n    if (isNew) handle(event);",
    ],
  ];
  /** The statuses and tickets of an event that is sent three times, of which the first is not printed. */
  const sendPastJam = async (faults: SourceFault[] = []) => {
    const url = await open(SECRET, [...JAM, ...faults]);
    const statuses: number[] = [];
    for (let count = 0; count < 3; count++) statuses.push(await post(url, body, await signWebhook(body, SECRET)));
    await expect.poll(() => errors).toContain("jammed");
    return { statuses, tickets: tickets() };
  };
  test("an event that could not be printed is printed when it comes again, once", async () =>
    expect(await sendPastJam()).toEqual({ statuses: [500, 204, 204], tickets: 1 }));
  test("planted: remembered before it is printed, the event is lost", async () =>
    expect(await sendPastJam(REMEMBERED_FIRST)).toEqual({ statuses: [500, 204, 204], tickets: 0 }));

  test("the service's own worker drives it, through a proxy that ends TLS", async () => {
    service.app.clock.set(new Date().toISOString());
    const receiver = await startReceiver();
    const endpoint = { url: receiver.url, events: ["order.created", "order.status_changed"], description: null };
    const { secret } = await forVenue(service.app.deps, service.venue.slug, (ctx) =>
      addEndpoint(ctx, endpoint, service.app.deps.config.encryptionKeys),
    );
    const url = await open(secret);
    receiver.behave((_request, response) => {
      const last = receiver.received.at(-1);
      void post(url, last?.body ?? "", String(last?.headers["service-signature"])).then((status) => response.writeHead(status).end());
    });
    const worker = await startWorker(service.app.deps, { sender: createLocalSender(receiver.authority.cert) });
    try {
      const { id } = await place("no onions");
      await expect.poll(() => paper, { timeout: RUN_MS_MAX }).toContain("! no onions");
      await call("POST", `/orders/${id}/status`, { status: "rejected" });
      await expect.poll(() => paper, { timeout: RUN_MS_MAX }).toContain("*** STOP ***");
      expect([tickets(), paper.split(id.slice(-8)).length - 1, errors.includes("Refused")]).toEqual([2, 2, false]);
    } finally {
      await worker.stop();
      await receiver.close();
    }
  });
});

describe("printer-behind-router", () => {
  const NAME = "printer-behind-router.ts";
  let printer: ChildProcess | undefined;
  let [paper, errors] = ["", ""];
  afterEach(() => void printer?.kill("SIGKILL"));

  const open = async (cursorFile: string, faults: SourceFault[] = []): Promise<void> => {
    [paper, errors] = ["", ""];
    printer = spawn(process.execPath, [fileOf(NAME, faults)], {
      env: environment({ CURSOR_FILE: cursorFile }),
      timeout: 250_000,
      killSignal: "SIGKILL",
    });
    printer.stdout?.on("data", (chunk: Buffer) => (paper += chunk.toString()));
    printer.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    await expect.poll(() => errors, { timeout: RUN_MS_MAX }).toContain("follows");
  };
  const stop = async (): Promise<void> => {
    const ended = new Promise((resolve) => printer?.once("exit", resolve));
    printer?.kill("SIGKILL");
    await ended;
  };
  const newCursorFile = (): string => join(mkdtempSync(join(folder, "cursor-")), "printer.cursor");
  const printed = (): string[] => [...paper.matchAll(/^! order (\S+) ?$/gm)].map(([, name = ""]) => name);

  test("prints each order once, those too that came while it was off, and no control characters", async () => {
    const file = newCursorFile();
    await open(file);
    await place("order a");
    await expect.poll(printed, { timeout: RUN_MS_MAX }).toEqual(["a"]);
    await sleep(200);
    await stop();
    await place("order b");
    await place("order c\u001b");
    await open(file);
    await expect.poll(printed, { timeout: RUN_MS_MAX }).toEqual(["b", "c"]);
    await place("order d");
    await expect.poll(printed, { timeout: RUN_MS_MAX }).toEqual(["b", "c", "d"]);
    expect([...paper].filter((character) => character < " " && character !== "\n")).toEqual([]);
  });

  const JAM: SourceFault[] = [
    ["const WIDTH = 32;", "const WIDTH = 32;\nlet jams = 1;"],
    ["const handle = (event: FeedEvent): void => {", '$&\n  if (jams-- > 0) throw new Error("The paper is jammed");'],
  ];
  const STORED_FIRST: SourceFault = ["    handle(event);\n", "    store(cursor);\n    handle(event);\n"];
  const printPastJam = async (faults: SourceFault[] = []): Promise<string[]> => {
    await open(newCursorFile(), [...JAM, ...faults]);
    await place("order e");
    await expect.poll(() => errors, { timeout: RUN_MS_MAX }).toContain("jammed");
    await place("order f");
    await expect.poll(printed, { timeout: RUN_MS_MAX }).toContain("f");
    return printed();
  };
  test("an order that could not be printed is printed when it comes again", async () => expect(await printPastJam()).toEqual(["e", "f"]));
  test("planted: with the position stored first, the order is lost", async () => expect(await printPastJam([STORED_FIRST])).toEqual(["f"]));
});

describe("nightly-sales-export", () => {
  const NAME = "nightly-sales-export.ts";
  const DAY = "2026-06-10";
  const rowsOf = (file: string): string[][] =>
    readFileSync(join(folder, file), "utf8")
      .trimEnd()
      .split("\r\n")
      .map((line) => line.split(","));
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
    const result = await run(NAME, { FOLDER: folder, ZONE: "UTC" }, { parameters: [DAY] });
    expect([result.code, result.stderr]).toEqual([0, ""]);
    const [head = [], ...rows] = rowsOf(`orders-${DAY}.csv`);
    expect(rows.map(([id = ""]) => id).sort()).toEqual(placed.map(({ id }) => id).sort());
    const sum = rows
      .filter((row) => row[head.indexOf("status")] !== "rejected")
      .reduce((total, row) => total + Number(row[head.indexOf("total_minor")]), 0);
    const [, summary = []] = rowsOf(`summary-${DAY}.csv`);
    expect(summary.slice(0, 4)).toEqual([DAY, "USD", "104", String(sum)]);
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("without a day it is yesterday's", async () => {
    const dayBefore = () => new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
    // Before and after, in case it is midnight just then.
    const days = [dayBefore()];
    const out = mkdtempSync(join(folder, "out-"));
    const result = await run(NAME, { FOLDER: out, ZONE: "UTC" });
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
    const result = await run(NAME, { FOLDER: mkdtempSync(join(folder, "out-")) }, { parameters: [DAY], faults: [fault] });
    expect([result.code, result.stderr]).toEqual([1, expect.stringContaining("the summary says otherwise")]);
  });
});
