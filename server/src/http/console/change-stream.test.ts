/** The stream over real sockets, with a watch that the test controls. */
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import { addChangeStream } from "./change-stream.ts";
import type { ChangeNotice, ChangeWatch } from "./change-watch.ts";

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

type StreamStage = {
  app: FastifyInstance;
  port: number;
  listeners: Set<(notice: ChangeNotice) => void>;
  isAllowed: boolean;
  readMs: number;
};

let stage: StreamStage;
const start = async (): Promise<void> => {
  const app = Fastify();
  const listeners: StreamStage["listeners"] = new Set();
  const watch: ChangeWatch = {
    async watch(_, listener) {
      await sleep(stage.readMs);
      listeners.add(listener);
      return { id: "1-0.1", stop: () => void listeners.delete(listener) };
    },
    tell: () => undefined,
    stop: () => undefined,
  };
  addChangeStream(app, {
    path: "/live",
    authorize: async () => ({ userId: 1, restaurantId: 1, sessionHash: Buffer.alloc(32) }),
    checkAccess: async (streams) => streams.map(() => stage.isAllowed),
    limit: { countUser: async () => undefined },
    watch,
    log,
  });
  const { port } = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
  stage = { app, port: Number(port), listeners, isAllowed: true, readMs: 0 };
};
afterEach(() => stage.app.close());

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
  expect(many.filter(({ text }) => /^HTTP\/1.1 (429|500)/.test(text())).length).toBe(3);
  for (const { socket } of many) socket.destroy();
  await expect.poll(() => stage.listeners.size).toBe(0);
  const again = open();
  await expect.poll(() => again.text()).toContain("200");
  again.socket.destroy();
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
