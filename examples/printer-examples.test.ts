/** The two examples that print orders: one receives webhooks, one follows the event feed. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EVENT_SAMPLES } from "@comanda/contract/events/event-samples.ts";
import { afterEach, describe, expect, test } from "vitest";
import { signWebhook } from "../sdk/src/webhooks.ts";
import { startWorker } from "../server/src/compose/worker.ts";
import { addEndpoint } from "../server/src/platform/events/webhooks/service/endpoints.ts";
import { freePort } from "../server/test/support/processes.ts";
import { forVenue } from "../server/test/support/test-app.ts";
import { createLocalSender, startReceiver } from "../server/test/support/webhook-receiver.ts";
import { call, environment, fileOf, newFolder, place, RUN_MS_MAX, type SourceFault, service, startExamples } from "./test/example-runs.ts";

startExamples();

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
  const newCursorFile = (): string => join(newFolder("cursor"), "printer.cursor");
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
