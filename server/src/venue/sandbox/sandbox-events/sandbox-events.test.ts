/** Every event about a restaurant can be triggered in its sandbox, more than once, and its body keeps to the strict schema. */
import { EVENT_TYPES, eventSchema, isSent } from "@comanda/contract/events/envelope.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { strictCheck } from "../../../../../conformance/strict-schema.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { createSandbox, inSandbox } from "../../../admin/sandbox.ts";
import { TRIGGERED_EVENTS, triggerEvent } from "./service.ts";

let app: TestApp;
let lab: TestVenue;
let sandboxId: number;

beforeAll(async () => {
  app = await startApp();
  app.clock.set("2026-11-20T18:00:00Z");
  lab = await app.venue("lab");
  sandboxId = (await createSandbox(app.deps, lab.slug, null))?.restaurant_id ?? 0;
});
afterAll(() => app.close());

const emitted = async (type: string): Promise<{ body: string }[]> =>
  app.database.asOwner<{ body: string }>("select body from events where restaurant_id = $1 and type = $2 order by created_at, id", [
    sandboxId,
    type,
  ]);

test("all types of the contract can be triggered", () => {
  expect([...TRIGGERED_EVENTS].sort()).toEqual(EVENT_TYPES.filter(isSent).sort());
});

test.each(TRIGGERED_EVENTS)("%s is emitted by each of two triggers, and its body keeps to its schema", async (type) => {
  const before = (await emitted(type)).length;
  for (let times = 0; times < 2; times++) await inSandbox(app.deps, lab.slug, (ctx) => triggerEvent(ctx, type));
  const bodies = (await emitted(type)).slice(before).map(({ body }) => JSON.parse(body));
  expect(bodies.length).toBeGreaterThanOrEqual(2);
  expect(bodies.flatMap((body) => strictCheck(eventSchema(type))(body))).toEqual([]);
});

test("a ticket is sold when the sample's sessions are over, and when those after them are sold out", async () => {
  app.clock.advance(30 * 24 * 60 * 60 * 1000);
  const before = (await emitted("experience.booked")).length;
  for (let times = 0; times < 18; times++) await inSandbox(app.deps, lab.slug, (ctx) => triggerEvent(ctx, "experience.booked"));
  expect((await emitted("experience.booked")).length).toBe(before + 18);
});

test("in a live restaurant the trigger of an order is refused, and no order is placed", async () => {
  await expect(forVenue(app.deps, lab.slug, (ctx) => triggerEvent(ctx, "order.created"))).rejects.toThrow("triggered in sandboxes only");
  const [row] = await app.database.asOwner<{ count: number }>("select count(*)::int as count from orders where restaurant_id = $1", [
    lab.id,
  ]);
  expect(row?.count).toBe(0);
});
