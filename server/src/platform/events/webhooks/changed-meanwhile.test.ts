/** Two owners who change one webhook address: the second one is told what it is now, and puts nothing back. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { newEncryptionKeys } from "../../../../test/support/review-links.ts";
import { startApp, type TestApp } from "../../../../test/support/test-app.ts";

const FIRST = { url: "https://hooks.example.com/first", events: ["order.created", "order.status_changed"], description: null };
const SECOND = { ...FIRST, url: "https://hooks.example.com/second" };

let app: TestApp;
let path: string;
let ada: TestUser;
let ben: TestUser;

beforeAll(async () => {
  app = await startApp({ environment: { ENCRYPTION_KEYS: newEncryptionKeys() } });
  const { slug } = await app.venue("lab");
  path = `/venues/${slug}/webhooks`;
  ada = await createUser(app, slug, "owner", "ada@hooks.example");
  ben = await createUser(app, slug, "owner", "ben@hooks.example");
});
afterAll(() => app.close());

const change = async (user: TestUser, id: number, body: object) => {
  const { status, body: answer } = await user.act("PATCH", `${path}/${id}`, { body });
  return [status, answer.error?.code, answer.error?.details.webhook, answer.error?.details.changed_by];
};
const present = async () => (await ada.call("GET", path)).body.data[0];

test("409 for a form that was opened before another owner changed the address; what is there stays", async () => {
  const { id } = (await ada.act("POST", path, { body: FIRST })).body.data;
  expect((await change(ben, id, { seen: FIRST, ...SECOND }))[0]).toBe(200);
  const late = { ...FIRST, description: "Kitchen" };
  expect(await change(ada, id, { seen: FIRST, ...late })).toEqual([409, "state_changed", SECOND, "ben"]);
  expect(await present()).toMatchObject(SECOND);
  const reordered = { ...SECOND, events: SECOND.events.toReversed() };
  expect((await change(ada, id, { seen: reordered, ...SECOND, description: "Kitchen" }))[0]).toBe(200);
  expect((await change(ada, id, { is_paused: true }))[0]).toBe(200);
  expect(await present()).toMatchObject({ ...SECOND, description: "Kitchen", state: "paused" });
  // Planted: without what the page showed, the form puts the first address back.
  expect((await change(ada, id, late))[0]).toBe(200);
  expect(await present()).toMatchObject({ url: FIRST.url });
});
