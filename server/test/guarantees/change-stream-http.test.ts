/** The console's open line, over a real socket. */
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser, type TestUser } from "../support/console-client.ts";
import { plainDish } from "../support/operation-calls.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

let app: TestApp;
let lab: TestVenue;
let port: number;
let manager: TestUser;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  manager = await createUser(app, lab.slug, "manager");
  await app.app.http.listen({ host: "127.0.0.1", port: 0 });
  port = (app.app.http.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

type OpenStream = { status: number; text(): string; isEnded(): boolean; close(): void };

const open = (cookie: string, slug = lab.slug): Promise<OpenStream> =>
  new Promise((resolve, reject) => {
    const call = request({ port, path: `/console/api/venues/${slug}/live`, headers: { cookie: `__Host-comanda=${cookie}` } }, (answer) => {
      let [text, isEnded] = ["", false];
      answer.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      answer.on("end", () => {
        isEnded = true;
      });
      answer.on("error", () => undefined);
      resolve({ status: answer.statusCode ?? 0, text: () => text, isEnded: () => isEnded, close: () => call.destroy() });
    });
    call.once("error", reject);
    call.end();
  });

const until = async (isSo: () => boolean): Promise<void> => {
  for (const deadline = Date.now() + 60_000; !isSo(); await sleep(20))
    if (Date.now() > deadline) throw new Error("It did not happen in time");
};

test("says what has changed, and nothing of what it is", async () => {
  const line = await open(manager.cookie);
  expect(line.status).toBe(200);
  await sleep(1500);
  expect(line.text()).not.toContain("changed");
  expect((await manager.call("POST", `/venues/${lab.slug}/tokens`, { body: { name: "secret name", scopes: ["menu:read"] } })).status).toBe(
    201,
  );
  await until(() => /id: [\d-]+\.\d+\nevent: changed\ndata: \["tokens","activity"\]/.test(line.text()));
  expect(line.text()).not.toContain("secret name");
  line.close();
});

test("a commit of another process arrives, and so does what has no number", async () => {
  const line = await open(manager.cookie);
  const other = await startApp({ database: app.database });
  const { id } = (await manager.call("POST", `/venues/${lab.slug}/tokens`, { body: { name: "x", scopes: ["menu:read"] } })).body.data;
  const before = line.text().length;
  const itemId = await plainDish(app.database, lab.id);
  const order = { type: "pickup", customer_name: "Ada", customer_phone: "+39 06 1", lines: [{ item_id: itemId, quantity: 1 }] };
  expect([id > 0, (await other.call(lab.token, "POST", "/orders", { body: order })).status]).toEqual([true, 201]);
  await until(() => /"orders"[^\n]*"activity"/.test(line.text().slice(before)));
  line.close();
  await other.close();
});

test("a session that ended ends its line", async () => {
  const leaving = await createUser(app, lab.slug, "owner");
  const line = await open(leaving.cookie);
  expect(line.status).toBe(200);
  await leaving.call("DELETE", "/session");
  await until(line.isEnded);
});

test("401 when signed out, 404 for another venue; staff may listen", async () => {
  const staff = await createUser(app, lab.slug, "staff");
  const cafe = await app.venue("gulf-cafe");
  for (const [cookie, slug, status] of [
    ["0".repeat(43), lab.slug, 401],
    [staff.cookie, lab.slug, 200],
    [manager.cookie, cafe.slug, 404],
    [manager.cookie, "no-such-venue", 404],
  ] as const)
    expect((await open(cookie, slug)).status).toBe(status);
});

test("six lines for one person; a line that is closed makes room", async () => {
  const lines = await Promise.all(Array.from({ length: 6 }, () => open(manager.cookie)));
  expect(lines.map(({ status }) => status)).toEqual(Array(6).fill(200));
  expect((await open(manager.cookie)).status).toBe(429);
  for (const { close } of lines) close();
  await sleep(100);
  const again = await open(manager.cookie);
  expect(again.status).toBe(200);
  again.close();
});

test("a process that stops is not held up by an open line", async () => {
  const other = await startApp({ database: app.database });
  await other.app.http.listen({ host: "127.0.0.1", port: 0 });
  const [before] = [port];
  port = (other.app.http.server.address() as AddressInfo).port;
  const line = await open(manager.cookie);
  port = before;
  const startedAt = performance.now();
  await other.close();
  expect(performance.now() - startedAt).toBeLessThan(3000);
  await until(line.isEnded);
});

test("a sandbox has a stream of its own, for people of its venue alone; it ends with their session", async () => {
  const leaving = await createUser(app, lab.slug, "owner", "sandbox@lab.example");
  const outsider = await createUser(app, (await app.venue("gulf-cafe")).slug, "owner");
  const sandbox = `${lab.slug}.sandbox`;
  expect((await open(leaving.cookie, sandbox)).status).toBe(404);
  const { token } = (await leaving.call("POST", `/venues/${lab.slug}/sandbox`, { body: {} })).body.data;
  expect((await open(outsider.cookie, sandbox)).status).toBe(404);
  const [ofSandbox, ofVenue] = [await open(leaving.cookie, sandbox), await open(leaving.cookie)];
  const [item] = (await app.call(token, "GET", "/items?available=true")).body.data;
  const changed = await app.call(token, "PATCH", `/items/${item.id}`, { body: { show_online: !item.show_online } });
  expect(changed.status).toBe(200);
  await until(() => /event: changed\ndata: [^\n]*"menu"/.test(ofSandbox.text()));
  await sleep(1000);
  expect(ofVenue.text()).not.toContain('"menu"');
  await leaving.call("DELETE", "/session");
  await until(ofSandbox.isEnded);
});
