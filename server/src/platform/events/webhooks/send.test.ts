/** The sender: what counts as delivered, when the deadline starts, and how connections are reused. */
import type { ServerResponse } from "node:http";
import { type AddressInfo, connect, createServer } from "node:net";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type Canaries, openCanaries } from "../../../../test/support/canaries.ts";
import { answer, createLocalSender, hang, type Receiver, startReceiver } from "../../../../test/support/webhook-receiver.ts";
import type { PostOutcome } from "./send/post.ts";
import { createSender, type Sender, type SenderOptions } from "./send/sender.ts";

const AT_ONCE = 64;

let receiver: Receiver;
let canaries: Canaries;
const senders: Sender[] = [];

beforeAll(async () => {
  receiver = await startReceiver();
  canaries = await openCanaries();
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  await Promise.all(senders.map((sender) => sender.close()));
  await receiver.close();
  canaries.close();
});

const kept = (sender: Sender): Sender => {
  senders.push(sender);
  return sender;
};
const local = (options: SenderOptions = {}): Sender =>
  kept(createLocalSender(receiver.authority.cert, { connectionsPerHost: AT_ONCE, ...options }));
const post = (sender: Sender, url = receiver.url): Promise<PostOutcome> => sender.send({ url, headers: { "X-Test": "1" }, body: "{}" });
const many = (count: number, send: () => Promise<PostOutcome>): Promise<PostOutcome[]> => Promise.all(Array.from({ length: count }, send));
const failures = (outcomes: PostOutcome[]): unknown[] => [...new Set(outcomes.map(({ failure }) => failure))];

describe("what counts as delivered", () => {
  test("R6.1-04 2xx is success: body, headers and host name arrive, and the beginning of the response is stored", async () => {
    receiver.behave(answer(200, {}, "x".repeat(5000)));
    const outcome = await post(local());
    expect(outcome).toMatchObject({ status: 200, failure: null, sentence: "Delivered.", excerpt: "x".repeat(1024) });
    const last = receiver.received.at(-1);
    expect(last).toMatchObject({ body: "{}", headers: { "x-test": "1", host: new URL(receiver.url).host, "content-length": "2" } });
  });

  const statuses: [number, string | null][] = [
    ...[200, 201, 202, 203, 204, 205, 206, 226, 299].map((status): [number, null] => [status, null]),
    ...[300, 301, 302, 303, 304, 305, 306, 307, 308, 399].map((status): [number, string] => [status, "redirect"]),
    ...[400, 401, 403, 404, 408, 409, 410, 413, 418, 425, 429, 451, 499].map((status): [number, string] => [status, "status"]),
    ...[500, 502, 503, 504, 511, 599, 600, 999].map((status): [number, string] => [status, "status"]),
  ];
  test(`D178 T5.5 ${statuses.length} statuses: only 2xx is success, and each message is sent once, whatever Retry-After asks for`, async () => {
    const sender = local();
    for (const [status, failure] of statuses)
      for (const retryAfter of ["0", "1", new Date().toUTCString()]) {
        const before = receiver.received.length;
        receiver.behave(answer(status, { "Retry-After": retryAfter, Refresh: `0; url=${receiver.url}` }));
        expect(await post(sender), String(status)).toMatchObject({ status, failure });
        expect(receiver.received.length - before).toBe(1);
      }
  });

  test("D178 T5.5 a 1xx response alone is no result", async () => {
    for (const status of [100, 102, 103, 199]) {
      receiver.behave((request) => void request.socket.end(`HTTP/1.1 ${status} X\r\n\r\n`));
      expect(await post(local()), String(status)).toMatchObject({ status: null, failure: "connection" });
    }
  });

  test("D178 T5.5 five redirects to five addresses: none is followed", async () => {
    canaries.hits();
    const sender = local();
    const [port] = canaries.ports;
    const places = [
      `http://127.0.0.1:${port}/`,
      `https://127.0.0.1:${port}/`,
      `https://pos.test:${port}/`,
      `//127.0.0.1:${port}/`,
      "/elsewhere",
    ];
    const before = receiver.received.length;
    for (const status of [301, 302, 303, 307, 308])
      for (const Location of places) {
        receiver.behave(answer(status, { Location }));
        expect(await post(sender)).toMatchObject({ status, failure: "redirect" });
      }
    expect(receiver.received.length - before).toBe(25);
    expect(canaries.hits()).toBe(0);
    // The canary works: a request to it is recorded.
    for (const place of places.slice(0, 1)) await fetch(place);
    expect(canaries.hits()).toBe(1);
  });

  test("a name that does not exist, a name that is never resolved, and a closed port", async () => {
    expect(await post(kept(createSender()), "https://nowhere.invalid/")).toMatchObject({ failure: "dns", status: null });
    const never = local({ deadlineMs: 300, resolve: () => new Promise(() => undefined) });
    expect(await post(never)).toMatchObject({ failure: "unreachable", status: null });
    expect(await post(local(), "https://pos.test:1/")).toMatchObject({ failure: "connection", status: null });
  });
});

describe("when the deadline starts", () => {
  /** Deadlines and durations pass when the test says so; sockets are real. */
  const stopTime = () => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });

  test(`${AT_ONCE} at once to a host, the others wait in order: waiting for a slot does not count`, async () => {
    const [deadlineMs, heldMs, rounds] = [5000, 3000, 4];
    const held: ServerResponse[] = [];
    let most = 0;
    receiver.behave((_request, response) => {
      most = Math.max(most, held.push(response));
    });
    const sender = local({ deadlineMs });
    stopTime();
    const sent = many(AT_ONCE * rounds, () => post(sender));
    for (let round = 0; round < rounds; round++) {
      // `expect.poll` would move the time.
      while (held.length < AT_ONCE) await sleep(2);
      vi.advanceTimersByTime(heldMs);
      for (const response of held.splice(0)) response.end("ok");
    }
    const outcomes = await sent;
    expect(failures(outcomes)).toEqual([null]);
    expect(most).toBe(AT_ONCE);
    expect(new Set(outcomes.map(({ durationMs }) => durationMs))).toEqual(new Set([heldMs]));
  });

  test("a host that hangs, with twice as many messages as slots, does not delay another host", async () => {
    const other = await startReceiver({ authority: receiver.authority });
    receiver.behave(hang);
    const before = receiver.received.length;
    const sender = local({ deadlineMs: 60_000 });
    let given = 0;
    const stuck = many(AT_ONCE * 2, () => post(sender).finally(() => given++));
    await expect.poll(() => receiver.received.length - before).toBe(AT_ONCE);
    expect((await post(sender, other.url)).failure).toBeNull();
    expect(given).toBe(0);
    await sender.close();
    expect(failures(await stuck)).not.toContain(null);
    await other.close();
  });

  /** A proxy in front of the receiver: the first connection is passed on when the test says so, the others at once. */
  const startGate = async () => {
    const { promise: first, resolve: keepFirst } = Promise.withResolvers<() => Promise<void>>();
    let seen = 0;
    const gate = createServer((socket) => {
      const pass = () => pipeline(socket, connect(receiver.port, "127.0.0.1"), socket).catch(() => undefined);
      socket.on("error", () => undefined);
      if (seen++ > 0) void pass();
      else keepFirst(pass);
    });
    await new Promise<void>((resolve) => gate.listen(0, "127.0.0.1", resolve));
    return { url: `https://pos.test:${(gate.address() as AddressInfo).port}/`, first, close: () => gate.close() };
  };

  test("a stuck connection delays no other to the same host", async () => {
    receiver.behave(answer(200));
    const gate = await startGate();
    const sender = local();
    stopTime();
    let isStuck = true;
    const stuck = post(sender, gate.url).finally(() => {
      isStuck = false;
    });
    await gate.first;
    const others = await many(10, () => post(sender, gate.url));
    expect([failures(others), isStuck]).toEqual([[null], true]);
    vi.runAllTimers();
    expect((await stuck).failure).toBe("unreachable");
    gate.close();
  });

  test("a message that was given up before it was connected is not sent afterwards", async () => {
    const gate = await startGate();
    const before = receiver.received.length;
    stopTime();
    const sent = post(local(), gate.url);
    const pass = await gate.first;
    vi.runAllTimers();
    expect((await sent).failure).toBe("unreachable");
    await pass();
    expect(receiver.received.length).toBe(before);
    gate.close();
  });

  test("closing ends running and waiting sends, and nothing is sent after it", async () => {
    receiver.behave(hang);
    const sender = local();
    const before = receiver.received.length;
    const sent = many(AT_ONCE * 2, () => post(sender));
    await expect.poll(() => receiver.received.length - before).toBe(AT_ONCE);
    await sender.close();
    expect(failures(await sent)).toEqual(["connection"]);
    expect((await post(sender)).failure).toBe("connection");
    expect(receiver.received.length - before).toBe(AT_ONCE);
  });
});

describe("reuse of connections", () => {
  test("connections are reused: twenty messages in a row need no more than four", async () => {
    const ports = new Set<number>();
    receiver.behave((request, response) => {
      ports.add(request.socket.remotePort ?? 0);
      response.end("ok");
    });
    const sender = local();
    for (let round = 0; round < 20; round++) expect((await post(sender)).failure).toBeNull();
    expect(ports.size).toBeLessThanOrEqual(4);
  });

  test("data that a receiver sends unasked does not affect later messages", async () => {
    const unasked = ["hello", "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"];
    for (const text of unasked)
      for (const lateMs of [0, 30]) {
        const sender = local();
        receiver.behave(({ socket }) => {
          socket.write("HTTP/1.1 204 None\r\nContent-Length: 5\r\n\r\n");
          setTimeout(() => socket.write(text), lateMs);
        });
        expect(await post(sender)).toMatchObject({ status: 204, failure: null });
        await sleep(60);
        receiver.behave(answer(200));
        expect(await post(sender), `${text} after ${lateMs} ms`).toMatchObject({ status: 200, failure: null });
      }
  });
});
