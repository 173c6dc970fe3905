/** Clients that hold connections open, or hardly read, take neither the database's connections nor those of others. */
import { once } from "node:events";
import { type AddressInfo, connect, type NetConnectOpts, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildApp } from "../../src/compose/api.ts";
import { READING_RULES } from "../../src/http/ops/socket-limits.ts";
import { API, createFleet, type Fleet, type ServerProcess } from "../support/processes.ts";
import { sendCall } from "../support/raw-http.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";
import { beginTiming } from "../support/timing-verdict.ts";

const LONG = Boolean(process.env.TEST_STRESS);
/** Fewer files than sockets that come, as in a process with the usual limit. The long form needs `ulimit -n` above its sockets here. */
const [SOCKETS, OPEN_FILES, AT_ONCE] = LONG ? [25_000, 4096, 200] : [2000, 1024, 50];
const FLOOD_FROM = ["127.0.0.2", "127.0.0.3"];

let app: TestApp;
let lab: TestVenue;
let fleet: Fleet;

beforeAll(async () => {
  app = await startApp({ environment: { RATE_PER_MINUTE: "1000000" } });
  lab = await app.venue("lab");
  // Requests over a limit would end their connections by themselves.
  const rates = { RATE_PER_MINUTE: "1000000", PAGE_RATE_PER_MINUTE: "1000000" };
  fleet = await createFleet(app.database.appUrl, { DATABASE_CONNECTIONS_MAX: "20", ...rates });
});
afterAll(async () => {
  await fleet.close();
  await app.close();
});

type IdleSocket = { socket: Socket; isOpen(): boolean };

/** One answered request, then nothing more. */
const openIdle = async (port: number, localAddress: string): Promise<IdleSocket> => {
  const socket = connect({ host: "127.0.0.1", port, localAddress });
  let isOpen = true;
  socket.on("error", () => undefined);
  socket.once("close", () => {
    isOpen = false;
  });
  const answered = new Promise((resolve) => socket.on("data", resolve).once("close", resolve));
  socket.write("GET /console/favicon.svg HTTP/1.1\r\nHost: x\r\n\r\n");
  await Promise.race([answered, sleep(5000)]);
  return { socket, isOpen: () => isOpen };
};

const flood = async (port: number, count: number): Promise<IdleSocket[]> => {
  const sockets: IdleSocket[] = [];
  while (sockets.length < count)
    sockets.push(
      ...(await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => openIdle(port, FLOOD_FROM[index % FLOOD_FROM.length] ?? "")))),
    );
  return sockets;
};

const readMenus = () => sendCall({ port: fleet.port, token: lab.token, method: "GET", path: "/menus" }).catch(() => null);
const askHonestly = async (count: number): Promise<number[]> =>
  (await Promise.all(Array.from({ length: count }, readMenus))).map((answer) => answer?.status ?? 0);

const floodAndAsk = async (server: ServerProcess, count: number) => {
  const flooding = flood(fleet.port, count);
  let isOver = false;
  const flooded = flooding.finally(() => {
    isOver = true;
  });
  const statuses: number[] = [];
  while (!isOver) {
    statuses.push(...(await askHonestly(2)));
    await sleep(50);
  }
  const sockets = await flooded;
  // So many requests need connections of the database that are not open yet.
  statuses.push(...(await askHonestly(100)));
  const open = sockets.filter(({ isOpen }) => isOpen()).length;
  for (const { socket } of sockets) socket.destroy();
  const failures = server.output().match(/EMFILE|too many open files/g)?.length ?? 0;
  return { open, failures, answered: statuses.filter((status) => status === 200).length, asked: statuses.length };
};

describe("connections that stay open", () => {
  test(`${SOCKETS} from two addresses, with ${OPEN_FILES} files: the database never lacks one, and requests from elsewhere are answered`, async () => {
    const server = await fleet.start({}, { ...API, openFilesMax: OPEN_FILES });
    const { open, failures, answered, asked } = await floodAndAsk(server, SOCKETS);
    const metrics = await (await fetch(`${server.opsUrl}/metrics`)).text();
    const ended = Number(/comanda_sockets_ended_total\{limit="address"\} (\d+)/.exec(metrics)?.[1]);
    await server.stop();
    console.info(
      `${SOCKETS} sockets: ${open} still open, ${ended} ended; ${answered} of ${asked} requests answered, ${failures} times out of files`,
    );
    expect([failures, answered]).toEqual([0, asked]);
    expect(open).toBeLessThanOrEqual(OPEN_FILES / 2);
    expect(ended).toBeGreaterThanOrEqual(SOCKETS - OPEN_FILES / 2 - AT_ONCE);
  }, 600_000);

  test("planted: a process that allows more connections than files loses requests", async () => {
    const limits = { SOCKETS_MAX: "100000", SOCKETS_PER_ADDRESS_MAX: "100000" };
    const server = await fleet.start(limits, { ...API, openFilesMax: OPEN_FILES });
    const { open, answered, asked } = await floodAndAsk(server, 2 * OPEN_FILES);
    await server.kill();
    console.info(`planted: ${open} still open, ${answered} of ${asked} requests answered`);
    expect(answered).toBeLessThan(asked);
  }, 600_000);
});

const countSlow = async (): Promise<number> =>
  Number(/comanda_sockets_ended_total\{limit="slow"\} (\d+)/.exec(await app.deps.metrics.registry.metrics())?.[1] ?? 0);

const READERS = LONG ? 200 : 20;
const READ_BYTES = 100;
/** The short form has a tenth of the pauses between looks. */
const READING = LONG ? READING_RULES : { ...READING_RULES, lookEveryMs: READING_RULES.lookEveryMs / 10 };
/** Two looks, and the making of the answers: a minute in the long form. */
const ENDED_MS_MAX = 2 * READING.lookEveryMs + 20_000;
/** More than the buffers between two sockets hold. */
const LARGE_ANSWER = Buffer.alloc(12 * 1024 * 1024, "x");

describe("readers", () => {
  /** The bytes are shared, because readers and server are one process here. */
  const startLarge = async (reading = READING) => {
    const large = await buildApp(app.deps, { reading });
    large.http.get("/large", (_request, reply) => reply.type("text/plain").send(LARGE_ANSWER));
    await large.http.listen({ host: "127.0.0.1", port: 0 });
    const { port } = large.http.server.address() as AddressInfo;
    const asked = "GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let accepted = 0;
    large.http.server.on("connection", () => accepted++);
    const countOpen = () => promisify(large.http.server.getConnections.bind(large.http.server))();
    return { large, port, asked, countOpen, countAccepted: () => accepted };
  };
  /** Reads so many bytes at each of so many moments; a paused socket reads nothing more than its buffer holds. */
  const readSlowly = (port: number, asked: string, { bytes, everyMs }: { bytes: number; everyMs: number }) => {
    const socket = connect({ host: "127.0.0.1", port, highWaterMark: bytes } as NetConnectOpts);
    let [read, reset] = [0, false];
    socket.on("error", () => {
      reset = true;
    });
    socket.on("readable", () => undefined);
    const timer = setInterval(() => {
      const part = socket.read(bytes) as Buffer | null;
      read += part?.length ?? 0;
    }, everyMs);
    socket.write(asked);
    const closed = once(socket, "close").finally(() => clearInterval(timer));
    return { socket, closed, read: () => read, isReset: () => reset };
  };

  test(`${READERS} that read ${READ_BYTES} bytes a second are ended within a minute, and others are answered meanwhile`, async (context) => {
    const { large, port, asked, countOpen, countAccepted } = await startLarge();
    const timing = beginTiming(context);
    const begin = performance.now();
    const readers = Array.from({ length: READERS }, () => readSlowly(port, asked, { bytes: READ_BYTES, everyMs: 1000 }));
    await expect.poll(countAccepted, { timeout: 60_000 }).toBe(READERS);
    for (let open = READERS; open > 0; open = await countOpen()) {
      expect((await sendCall({ port, token: lab.token, method: "GET", path: "/menus", headers: { connection: "close" } })).status).toBe(
        200,
      );
      await sleep(100);
    }
    const tookMs = performance.now() - begin;
    console.info(`${READERS} slow readers ended within ${Math.round(tookMs)} ms`);
    for (const { socket } of readers) socket.destroy();
    await large.stop();
    expect(await countSlow()).toBe(READERS);
    timing.judge(() => expect(tookMs).toBeLessThan(ENDED_MS_MAX));
  }, 120_000);

  test("planted: without a least speed, one that reads a little at a time stays; a fast enough one gets all of it", async () => {
    const { large, port, asked, countOpen } = await startLarge({
      ...READING,
      bytesPerSecondMin: 0,
      unreadBytesMax: Number.POSITIVE_INFINITY,
    });
    const slow = readSlowly(port, asked, { bytes: READ_BYTES, everyMs: 1000 });
    await sleep(READING.lookEveryMs * 3);
    expect(await countOpen()).toBe(1);
    slow.socket.destroy();
    await large.stop();
    const checked = await startLarge();
    const fast = readSlowly(checked.port, asked, { bytes: 1024 * 1024, everyMs: READING.lookEveryMs / 100 });
    await fast.closed;
    expect([fast.isReset(), fast.read() > LARGE_ANSWER.length]).toEqual([false, true]);
    await checked.large.stop();
  }, 240_000);
});
