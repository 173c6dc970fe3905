/** How many connections a process holds, from which hosts, and which of them end first. */
import { type AddressInfo, connect, type Socket } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp } from "../../../test/support/test-app.ts";
import { readFilesMax, socketLimitsOf } from "./socket-limits.ts";

const SETTINGS = { databaseConnectionsMax: 10, socketsMax: null, socketsPerAddressMax: 1000 };

test.each([
  [1024, { all: 768, ofAddress: 192 }],
  [4096, { all: 3072, ofAddress: 768 }],
  [1_048_576, { all: 10_000, ofAddress: 1000 }],
  [256, { all: 36, ofAddress: 9 }],
  [64, { all: 4, ofAddress: 1 }],
])("with %i files %j", (files, limits) => {
  expect(socketLimitsOf(SETTINGS, files)).toEqual(limits);
});

test("more connections of the database leave fewer for clients; a setting decides alone", () => {
  expect(socketLimitsOf({ ...SETTINGS, databaseConnectionsMax: 200 }, 1024)).toEqual({ all: 424, ofAddress: 106 });
  expect(socketLimitsOf({ ...SETTINGS, socketsMax: 50_000, socketsPerAddressMax: 20 }, 1024)).toEqual({ all: 50_000, ofAddress: 20 });
});

test("the limit of open files is read from the system, and the usual one is taken where it does not tell", () => {
  const lines = (soft: string) => () =>
    `Max processes   127235    127235    processes\nMax open files            ${soft}      1048576    files\n`;
  expect([readFilesMax(lines("2048")), readFilesMax(lines("unlimited")), readFilesMax(() => "")]).toEqual([
    2048,
    Number.MAX_SAFE_INTEGER,
    1024,
  ]);
  const missing = () => {
    throw new Error("ENOENT");
  };
  expect([readFilesMax(missing), readFilesMax() > 0]).toEqual([1024, true]);
});

let app: TestApp;
let port: number;
beforeAll(async () => {
  const environment = { SOCKETS_MAX: "40", SOCKETS_PER_ADDRESS_MAX: "8", PAGE_RATE_PER_MINUTE: "40", TRUSTED_PROXIES: "127.0.9.0/24" };
  app = await startApp({ environment });
  await app.app.http.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = app.app.http.server.address() as AddressInfo);
});
afterAll(() => app.close());

type HeldSocket = { socket: Socket; isOpen(): boolean; ask(headers?: string): Promise<string> };

const hold = async (localAddress: string): Promise<HeldSocket> => {
  const socket = connect({ host: "127.0.0.1", port, localAddress }).setMaxListeners(0);
  socket.on("error", () => undefined);
  await new Promise((resolve) => socket.once("connect", resolve));
  const ask = (headers = "") =>
    new Promise<string>((resolve) => {
      socket.once("data", (part) => resolve(part.toString("latin1"))).once("close", () => resolve(""));
      socket.write(`GET /no-such-page HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
    });
  return { socket, isOpen: () => !socket.destroyed, ask };
};
const holdMany = async (count: number, addressOf: (index: number) => string): Promise<HeldSocket[]> => {
  const held: HeldSocket[] = [];
  for (let index = 0; index < count; index++) held.push(await hold(addressOf(index)));
  return held;
};
const openOf = (held: readonly HeldSocket[]): number => held.filter(({ isOpen }) => isOpen()).length;
const countOpen = () => promisify(app.app.http.server.getConnections.bind(app.app.http.server))();
const release = async (...held: HeldSocket[][]): Promise<void> => {
  for (const { socket } of held.flat()) socket.destroy();
  await expect.poll(countOpen).toBe(0);
};

test("at an address's limit its connection that was idle longest ends; others and a proxy's stay", async () => {
  const [other, proxy] = [await holdMany(3, () => "127.0.2.1"), await holdMany(12, () => "127.0.9.1")];
  const many = await holdMany(8, () => "127.0.1.1");
  expect(await many[0]?.ask()).toMatch(/^HTTP\/1.1 404/);
  const next = await holdMany(1, () => "127.0.1.1");
  await expect.poll(() => openOf(many)).toBe(7);
  expect([many[0]?.isOpen(), many[1]?.isOpen(), openOf(next), openOf(other), openOf(proxy)]).toEqual([true, false, 1, 3, 12]);
  await release(other, proxy, many, next);
});

test("at the process's limit idle ones of the largest network end; answers end their connections before that", async () => {
  const honest = await holdMany(2, () => "127.0.2.1");
  expect(await honest[0]?.ask()).not.toMatch(/connection: close/i);
  const proxy = await holdMany(8, () => "127.0.9.1");
  const many = await holdMany(30, (index) => `127.0.3.${index + 1}`);
  expect(await countOpen()).toBe(40);
  expect(await proxy[0]?.ask()).not.toMatch(/connection: close/i);
  expect(await many[0]?.ask()).toMatch(/connection: close/i);
  const later = await holdMany(6, () => "127.0.4.1");
  await expect.poll(() => openOf(many)).toBeLessThanOrEqual(24);
  expect([openOf(later), openOf(honest), openOf(proxy)]).toEqual([6, 2, 8]);
  expect(await honest[1]?.ask()).toMatch(/^HTTP\/1.1 404/);
  await release(honest, proxy, many, later);
});

test("429 for an address ends its own connection, but not that of a proxy", async () => {
  const [[own], [proxy]] = [await holdMany(1, () => "127.0.5.1"), await holdMany(1, () => "127.0.9.2")];
  for (let count = 0; count < 40; count++) {
    expect(await own?.ask()).toMatch(/^HTTP\/1.1 404/);
    expect(await proxy?.ask("X-Forwarded-For: 127.0.6.1\r\n")).toMatch(/^HTTP\/1.1 404/);
  }
  expect(await own?.ask()).toMatch(/^HTTP\/1.1 429[\s\S]*connection: close/i);
  const forwarded = await proxy?.ask("X-Forwarded-For: 127.0.6.1\r\n");
  expect(forwarded).toMatch(/^HTTP\/1.1 429/);
  expect(forwarded).not.toMatch(/connection: close/i);
  await expect.poll(() => own?.isOpen()).toBe(false);
  expect(await proxy?.ask("X-Forwarded-For: 127.0.6.2\r\n")).toMatch(/^HTTP\/1.1 404/);
  await release(proxy ? [proxy] : []);
});

test("429 for a token keeps the connection", async () => {
  const { slug } = await app.venue("lab");
  const token = await app.token(slug, { ratePerMinute: 2 });
  const held = await hold("127.0.7.1");
  const answers: string[] = [];
  for (let count = 0; count < 3; count++)
    answers.push(
      await new Promise<string>((resolve) => {
        held.socket.once("data", (part) => resolve(part.toString("latin1")));
        held.socket.write(`GET /api/v1/menus?per_page=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`);
      }),
    );
  expect(answers.map((answer) => answer.slice(9, 12))).toEqual(["200", "200", "429"]);
  expect(answers.at(-1)).not.toMatch(/connection: close/i);
  await release([held]);
});
