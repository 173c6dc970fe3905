/** The stream over real sockets, with a watch that the test controls. */
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, expect, test, vi } from "vitest";
import type { ChangeNotice, ChangeWatch } from "../change-watch.ts";
import { sendApiError } from "../errors.ts";
import { addChangeStream } from "./change-stream.ts";

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

type StreamStage = {
  app: FastifyInstance;
  port: number;
  listeners: Set<(notice: ChangeNotice) => void>;
  isAllowed: boolean;
  readMs: number;
  /** How long ago changes could be read. */
  unreadMs: number;
  check: { takesMs: number; isFailing: boolean; running: number; runningMax: number };
};

let stage: StreamStage;
const start = async (kind: "user" | "screen" = "user"): Promise<void> => {
  const app = Fastify();
  app.setErrorHandler((error, request, reply) => sendApiError(request, reply, error));
  const listeners: StreamStage["listeners"] = new Set();
  const watch: ChangeWatch = {
    async watch(_, listener) {
      await sleep(stage.readMs);
      listeners.add(listener);
      return { id: "1-0.1", stop: () => void listeners.delete(listener) };
    },
    lastReadAt: () => performance.now() - stage.unreadMs,
    tell: () => undefined,
    stop: () => undefined,
  };
  addChangeStream(app, {
    paths: { "/live": async () => ({ kind, caller: `${kind}:1`, restaurantId: 1, cookieHash: Buffer.alloc(32) }) },
    async checkAccess(streams) {
      const { check, isAllowed } = stage;
      check.runningMax = Math.max(check.runningMax, ++check.running);
      await sleep(check.takesMs);
      check.running--;
      if (check.isFailing) throw new Error("The database does not answer");
      return streams.map(() => isAllowed);
    },
    limit: { countCaller: async () => undefined },
    watch,
    log,
  });
  const { port } = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
  const check = { takesMs: 0, isFailing: false, running: 0, runningMax: 0 };
  stage = { app, port: Number(port), listeners, isAllowed: true, readMs: 0, unreadMs: 0, check };
};
afterEach(async () => {
  vi.useRealTimers();
  await stage.app.close();
});
const notify = (notice: ChangeNotice): void => {
  for (const listener of stage.listeners) listener(notice);
};

const open = (): { socket: Socket; text(): string } => {
  const socket = connect(stage.port, "127.0.0.1");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString();
  });
  socket.on("error", () => undefined);
  socket.write("GET /live HTTP/1.1\r\nHost: x\r\n\r\n");
  return { socket, text: () => text };
};

test("a stream that opens slowly gets no beat before its headers", async () => {
  await start();
  const first = open();
  await expect.poll(() => first.text()).toContain("event: beat");
  stage.readMs = 2600;
  const second = open();
  await expect.poll(() => second.text()).toContain("event: beat");
  expect(second.text().slice(0, second.text().indexOf("event:"))).toContain("Content-Type: text/event-stream");
  for (const { socket } of [first, second]) socket.destroy();
});

test("a client that reads nothing is cut off and its listener released, whether its access ends or not", async () => {
  await start();
  const stalled = open();
  await expect.poll(() => stage.listeners.size).toBe(1);
  stalled.socket.pause();
  const notice: ChangeNotice = { id: "1-0.2", areas: ["orders"] };
  for (let round = 0; round < 2000 && stage.listeners.size > 0; round++) {
    for (let count = 0; count < 500; count++) for (const listener of stage.listeners) listener(notice);
    await sleep(1);
  }
  await expect.poll(() => stage.listeners.size).toBe(0);
  stalled.socket.destroy();
});

test("a stream without access ends within seconds, also when its client reads nothing", async () => {
  await start();
  const [reading, stalled] = [open(), open()];
  await expect.poll(() => stage.listeners.size).toBe(2);
  stalled.socket.pause();
  stage.isAllowed = false;
  await expect.poll(() => stage.listeners.size).toBe(0);
  for (const { socket } of [reading, stalled]) socket.destroy();
});

test("six streams of one user at most, also when they open at the same time; one that closes makes room", async () => {
  await start();
  stage.readMs = 50;
  const many = Array.from({ length: 9 }, open);
  await expect.poll(() => many.filter(({ text }) => text().startsWith("HTTP/1.1 200")).length).toBe(6);
  expect(many.filter(({ text }) => text().startsWith("HTTP/1.1 429")).length).toBe(3);
  for (const { socket } of many) socket.destroy();
  await expect.poll(() => stage.listeners.size).toBe(0);
  const again = open();
  await expect.poll(() => again.text()).toContain("200");
  again.socket.destroy();
});

test("a screen whose connections were lost without a word is not locked out: its oldest stream ends", async () => {
  await start("screen");
  const streams: ReturnType<typeof open>[] = [];
  for (let count = 1; count <= 7; count++) {
    streams.push(open());
    await expect.poll(() => streams.at(-1)?.text()).toMatch(/^HTTP\/1.1 200/);
  }
  const [oldest, ...others] = streams;
  const isEnded = (stream: ReturnType<typeof open> | undefined): boolean => stream?.text().endsWith("\r\n0\r\n\r\n") === true;
  await expect.poll(() => isEnded(oldest)).toBe(true);
  await expect.poll(() => stage.listeners.size).toBe(6);
  expect(others.some(isEnded)).toBe(false);
  for (const { socket } of streams) socket.destroy();
  await expect.poll(() => stage.listeners.size).toBe(0);
  stage.readMs = 50;
  const many = Array.from({ length: 9 }, open);
  await expect.poll(() => many.filter(({ text }) => text() !== "").length).toBe(9);
  await expect.poll(() => stage.listeners.size).toBe(6);
  for (const { socket } of many) socket.destroy();
});

const beatsIn = (text: string): number => text.split("event: beat").length - 1;

test("no beat while changes cannot be read, neither on open streams nor on new ones", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  await start();
  const listening = open();
  await expect.poll(() => beatsIn(listening.text())).toBe(1);
  stage.unreadMs = 3000;
  vi.advanceTimersByTime(2000);
  await expect.poll(() => beatsIn(listening.text())).toBe(2);
  stage.unreadMs = 4500;
  vi.advanceTimersByTime(8000);
  const late = open();
  await expect.poll(() => late.text()).toContain("retry:");
  await sleep(100);
  expect([beatsIn(listening.text()), beatsIn(late.text())]).toEqual([2, 0]);
  stage.unreadMs = 0;
  vi.advanceTimersByTime(2000);
  await expect.poll(() => [beatsIn(listening.text()), beatsIn(late.text())]).toEqual([3, 1]);
  for (const { socket } of [listening, late]) socket.destroy();
});

test("a stream whose access ends while it opens is ended right after", async () => {
  await start();
  stage.readMs = 200;
  const lost = open();
  await sleep(100);
  stage.isAllowed = false;
  await expect.poll(() => lost.text()).toContain("200");
  await expect.poll(() => stage.listeners.size, { timeout: 3000 }).toBe(0);
  lost.socket.destroy();
});

test("what may have ended access is told after a check that succeeded; other changes are told at once", async () => {
  await start();
  const listening = open();
  await expect.poll(() => listening.text()).toContain("beat");
  stage.check.isFailing = true;
  notify({ id: "1-0.2", areas: ["screens"] });
  notify({ id: "1-0.3", areas: ["orders"] });
  await expect.poll(() => listening.text()).toContain("orders");
  await sleep(300);
  expect(listening.text()).not.toContain("screens");
  stage.check.isFailing = false;
  await expect.poll(() => listening.text(), { timeout: 5000 }).toContain("screens");
  listening.socket.destroy();
});

test("one check at a time, of notices, new streams and the timer", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  await start();
  const listening = open();
  await expect.poll(() => listening.text()).toContain("beat");
  stage.check.takesMs = 100;
  notify({ id: "1-0.2", areas: ["team"] });
  const second = open();
  await expect.poll(() => stage.check.running).toBe(1);
  vi.advanceTimersByTime(10_000);
  await expect.poll(() => listening.text()).toContain("team");
  await sleep(400);
  expect([stage.check.running, stage.check.runningMax]).toEqual([0, 1]);
  for (const { socket } of [listening, second]) socket.destroy();
});

test("a stream that opens while the process stops does not delay it", async () => {
  await start();
  stage.readMs = 400;
  const late = open();
  await sleep(100);
  const startedAt = performance.now();
  await stage.app.close();
  expect(performance.now() - startedAt).toBeLessThan(5000);
  late.socket.destroy();
});
