/** How the commands read the event feed: of which time, how fast, through an outage, and until when. */
import { createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { verifyWebhook } from "../../sdk/src/index.ts";
import { errorResponse, type RunningService, startService } from "../../sdk/test/running-service.ts";
import { createSandbox } from "../../server/src/admin/sandbox.ts";
import { type InstalledCli, installCli, type Machine, newMachine, runCommand, runEach, startCommand } from "./installed-cli.ts";
import { startLocalReceiver } from "./local-receiver.ts";
import { type MeddlingProxy, startMeddlingProxy } from "./meddling-proxy.ts";

let cli: InstalledCli;
let service: RunningService;
let dishId: number;
beforeAll(async () => {
  [cli, service] = await Promise.all([installCli(), startService({ RATE_PER_MINUTE: "1000000" })]);
  const { data } = (await service.app.call(service.venue.token, "GET", "/items?available=true&per_page=100")).body;
  dishId = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
});
afterAll(async () => {
  await service?.close();
  cli?.remove();
});

let proxy: MeddlingProxy;
beforeEach(async () => {
  proxy = await startMeddlingProxy(service.rootUrl);
});
afterEach(() => proxy.close());

const place = async (): Promise<string> => {
  const body = { type: "pickup", customer_name: "Ada", customer_phone: "+44 1", lines: [{ item_id: dishId, quantity: 1 }] };
  return (await service.app.call(service.venue.token, "POST", "/orders", { body })).body.data.id;
};

/** Logged in through the proxy. */
const machineOf = (token = service.venue.token): Machine => {
  const machine = newMachine(cli.folder);
  return { ...machine, environment: { ...machine.environment, COMANDA_URL: proxy.rootUrl, COMANDA_TOKEN: token } };
};

const run = (machine: Machine, args: string[]) => runCommand(cli.main, machine, args);
const listed = (stdout: string): { id: string; created_at: string; type: string; data: { order: { id: string } } }[] =>
  stdout.split("\n").flatMap((line) => (line ? [JSON.parse(line).event] : []));

describe("--since", () => {
  const NO_MOMENTS = ["5", "30", "2h30m", "yesterday", "2026", "2026-02-31", "2026-11-18T09:00", "2026-11-18 09:00:00Z", "Nov 18 2026"];
  test("what is no moment is refused, with what is accepted", async () => {
    const runs = await runEach(
      cli.main,
      machineOf(),
      NO_MOMENTS.map((text) => ["events", "--since", text]),
    );
    for (const [index, { code, stderr }] of runs.entries())
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`"${NO_MOMENTS[index]}" is no moment. Write how long ago it was: 90s, 30m,`),
      ]);
    expect(proxy.requests).toEqual([]);
  });

  test("a date and a date with time are moments of the calendar", async () => {
    await place();
    const [last] = listed((await run(machineOf(), ["events", "--json", "--limit", "1"])).stdout);
    const at = new Date(last?.created_at ?? "").getTime();
    const count = async (since: string) => listed((await run(machineOf(), ["events", "--json", "--since", since])).stdout).length;
    const iso = (ms: number) => new Date(ms).toISOString();
    expect(await count(iso(at - 3_600_000).slice(0, 10))).toBeGreaterThan(0);
    expect([await count(iso(at + 1000)), await count(iso(at + 86_400_000).slice(0, 10))]).toEqual([0, 0]);
  });

  test("counts from the clock of a sandbox, which its program has moved", async () => {
    const sandbox = (await createSandbox(service.app.deps, service.venue.slug, 1_000_000)) ?? expect.fail("no sandbox");
    const machine = machineOf(sandbox.token);
    const receiver = await startLocalReceiver();
    const caused = async (type: string): Promise<string[]> => {
      const { stdout } = await run(machine, ["trigger", type, "--json"]);
      return JSON.parse(stdout).events.map(({ id }: { id: string }) => id);
    };
    const before = await caused("order.created");
    expect((await run(machine, ["clock", "+2h"])).code).toBe(0);
    const behind = await caused("order.paid");
    const idsSince = async (since: string) =>
      listed((await run(machine, ["events", "--json", "--since", since])).stdout).map(({ id }) => id);
    expect(await idsSince("30m")).toEqual(behind);
    expect((await idsSince("3h")).slice(-before.length - behind.length)).toEqual([...before, ...behind]);
    expect((await run(machine, ["replay", "--since", "30m", "--forward-to", receiver.url])).code).toBe(0);
    expect(receiver.received.map(({ body }) => JSON.parse(body).id)).toEqual(behind);
    await receiver.close();
  });

  test("for a live restaurant counts from the service's clock, not from this machine's", async () => {
    const orderId = await place();
    const [last] = listed((await run(machineOf(), ["events", "--json", "--limit", "1"])).stdout);
    expect(last?.data.order.id).toBe(orderId);
    const tenMinutesLater = new Date(Date.parse(last?.created_at ?? "") + 600_000).toUTCString();
    proxy.meddle(
      () => undefined,
      (headers) => headers.set("date", tenMinutesLater),
    );
    const found = async (since: string) =>
      listed((await run(machineOf(), ["events", "--json", "--limit", "1", "--since", since])).stdout).length;
    expect([await found("9m"), await found("11m")]).toEqual([0, 1]);
  });
});

describe("a long feed", () => {
  /** One event in each answer, at a rate of 300 a minute: a page takes 400 ms. */
  const RATE = 300;
  const PAGE_MS = 60_000 / (RATE / 2);
  const stretch = (): void =>
    proxy.meddle(
      ({ url }) => void (url.pathname.endsWith("/events") && url.searchParams.set("limit", "1")),
      (headers) => headers.set("x-ratelimit-limit", String(RATE)),
    );

  test("is read at half of the token's rate, and says how far it is", async () => {
    const placed: string[] = [];
    for (let count = 0; count < 14; count++) placed.push(await place());
    stretch();
    const { code, stdout, stderr } = await run(machineOf(), ["events", "--json", "--types", "order.created", "--limit", "14"]);
    expect([code, listed(stdout).map(({ data }) => data.order.id)]).toEqual([0, placed]);
    const pages = proxy.requests.slice(1);
    const gaps = pages.slice(10).map(({ atMs }, index) => atMs - (pages[index + 9]?.atMs ?? 0));
    expect(gaps.length).toBeGreaterThanOrEqual(4);
    expect(Math.min(...gaps)).toBeGreaterThan(PAGE_MS * 0.9);
    expect(stderr).toContain("There are many events. They are read at half of the token's rate");
    expect(stderr).toMatch(/\n10 events read, up to \d{4}-\d{2}-\d{2}T/);
  });

  test("Ctrl+C ends a replay while it reads, also one that waits for an answer", async () => {
    const receiver = await startLocalReceiver();
    const absent = "01a1bf52-3c00-78d3-828e-0c997c900718";
    stretch();
    const reading = startCommand(cli.main, machineOf(), ["replay", absent, "--forward-to", receiver.url]);
    await expect.poll(reading.stderr).toContain("events read");
    reading.child.kill("SIGINT");
    expect([await reading.ended, reading.stderr()]).toEqual([130, expect.stringContaining("Interrupted. 0 events were sent.")]);
    proxy.requests.length = 0;
    proxy.meddle(() => null);
    const waiting = startCommand(cli.main, machineOf(), ["replay", absent, "--forward-to", receiver.url]);
    await expect.poll(() => proxy.requests.length).toBe(1);
    waiting.child.kill("SIGINT");
    expect(await waiting.ended).toBe(130);
    await receiver.close();
  });
});

describe("replay", () => {
  test("sends events again by id and since a moment, and says which id is not there", async () => {
    const machine = machineOf();
    const receiver = await startLocalReceiver();
    const [first, second] = [await place(), await place()];
    const types = ["--types", "order.created", "--forward-to", receiver.url];
    const listed = (await run(machine, ["events", "--json", "--types", "order.created", "--limit", "2"])).stdout.trim().split("\n");
    const ids = listed.map((line) => JSON.parse(line).event.id);
    expect((await run(machine, ["replay", ids[1], ids[0], "--forward-to", receiver.url])).code).toBe(0);
    const orders = () => receiver.received.map(({ body }) => JSON.parse(body).data.order.id);
    expect(orders()).toEqual([first, second]);
    const secret = (await run(machine, ["listen", "--print-secret"])).stdout.trim();
    for (const { body, headers } of receiver.received) await verifyWebhook({ body, headers, secret });
    receiver.received.length = 0;
    // The tests' clock stands in the past.
    expect((await run(machine, ["replay", "--since", "2020-01-01T00:00:00Z", ...types])).code).toBe(0);
    expect(orders().slice(-2)).toEqual([first, second]);
    const absent = "01a1bf52-3c00-78d3-828e-0c997c900718";
    expect(await run(machine, ["replay", absent, ...types])).toMatchObject({ code: 1, stderr: expect.stringContaining(absent) });
    receiver.behave(() => 500);
    const failed = await run(machine, ["replay", ids[0], "--attempts", "1", "--forward-to", receiver.url]);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining("was not answered") });
    await receiver.close();
  });

  test("Ctrl+C during the attempts of a replay is no failure of the receiver", async () => {
    await place();
    const receiver = await startLocalReceiver();
    receiver.behave(({ count }) => (count === 1 ? 204 : 500));
    await place();
    const replaying = startCommand(cli.main, machineOf(), [
      "replay",
      "--since",
      "2020-01-01",
      "--types",
      "order.created",
      "--forward-to",
      receiver.url,
    ]);
    await expect.poll(replaying.stdout).toContain("again in 1 s");
    replaying.child.kill("SIGINT");
    expect(await replaying.ended).toBe(130);
    expect(replaying.stderr()).toContain("Interrupted. 1 event was sent.");
    expect(replaying.stderr()).not.toContain("was not answered");
    await receiver.close();
  });
});

describe("listen", () => {
  test("goes on after an outage that is longer than the retries of a call, and says so once", async () => {
    const receiver = await startLocalReceiver();
    const listening = startCommand(cli.main, machineOf(), ["listen", "--forward-to", receiver.url, "--types", "order.created"]);
    await expect.poll(listening.stdout).toContain("Forwarding");
    const first = await place();
    const orders = () => receiver.received.map(({ body }) => JSON.parse(body).data.order.id);
    await expect.poll(orders).toEqual([first]);
    let refused = 0;
    proxy.meddle(() => {
      refused++;
      return errorResponse(503, "service_unavailable", { "retry-after": "0" });
    });
    const second = await place();
    await expect.poll(() => refused).toBeGreaterThan(6);
    expect([listening.child.exitCode, orders()]).toEqual([null, [first, second].slice(0, orders().length)]);
    proxy.meddle(() => undefined);
    const third = await place();
    await expect.poll(orders).toEqual([first, second, third]);
    await expect.poll(listening.stderr).toContain("Connected again.");
    expect(listening.stderr().match(/No event is lost: trying until it is there again\./g)).toHaveLength(1);
    listening.child.kill("SIGINT");
    expect(await listening.ended).toBe(0);
    await receiver.close();
  });

  test("takes at most half of a token's rate while orders come without a pause", async () => {
    const receiver = await startLocalReceiver();
    const listening = startCommand(cli.main, machineOf(), ["listen", "--forward-to", receiver.url, "--types", "order.created"]);
    await expect.poll(listening.stdout).toContain("Forwarding");
    proxy.requests.length = 0;
    const placed: string[] = [];
    const startedAt = performance.now();
    const elapsed = () => performance.now() - startedAt;
    for (; elapsed() < 3000 || placed.length < 12; await sleep(50)) placed.push(await place());
    await expect.poll(() => receiver.received.map(({ body }) => JSON.parse(body).data.order.id)).toEqual(placed);
    // One when the first order comes, then one in two seconds.
    expect(proxy.requests.length).toBeLessThanOrEqual(2 + elapsed() / 2000);
    listening.child.kill("SIGINT");
    await listening.ended;
    await receiver.close();
  });

  test("a receiver whose answer never ends keeps neither its connection nor the process", async () => {
    const open = new Set<Socket>();
    let [taken, answered] = [0, 0];
    const server = createServer((socket) => {
      taken++;
      open.add(socket);
      socket.once("close", () => open.delete(socket)).on("error", () => undefined);
      socket.once("data", () => {
        answered++;
        socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const listening = startCommand(cli.main, machineOf(), [
      "listen",
      "--forward-to",
      `http://127.0.0.1:${port}/`,
      "--types",
      "order.created",
    ]);
    await expect.poll(listening.stdout).toContain("Forwarding");
    await place();
    await expect.poll(listening.stdout).toContain("-> 200 in");
    await expect.poll(() => open.size, { timeout: 10_000 }).toBe(0);
    await place();
    await expect.poll(() => listening.stdout().split("-> 200 in").length).toBe(3);
    listening.child.kill("SIGINT");
    const ended = await Promise.race([listening.ended, sleep(10_000, "still there")]);
    listening.child.kill("SIGKILL");
    expect([ended, taken, answered]).toEqual([0, 2, 2]);
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  });
});
