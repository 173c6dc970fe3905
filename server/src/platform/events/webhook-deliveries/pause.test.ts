/** Pausing, resuming and removing an endpoint while an event is emitted: no delivery stays in the old state. */

import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { EVENT_SAMPLES } from "@comanda/contract/events/event-samples.ts";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startWorker } from "#compose/worker.ts";
import type { Ctx } from "#lib/context.ts";
import { emit } from "#platform/events/service.ts";
import { addEndpoint } from "#platform/events/webhooks/service/endpoints.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { answer, createLocalSender, type Receiver, startReceiver } from "../../../../test/support/webhook-receiver.ts";
import { pauseEndpoint, removeEndpoint, resumeEndpoint } from "./service/endpoints.ts";
import { readDeliveries } from "./service/log.ts";
import { replayDelivery } from "./service/resend.ts";

let app: TestApp;
let lab: TestVenue;
let receiver: Receiver;
let dish: number;
let endpointId: number;

beforeAll(async () => {
  app = await startApp({ environment: { ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}` } });
  receiver = await startReceiver();
  lab = await app.venue("lab");
  const { body } = await app.call(lab.token, "GET", "/items?per_page=100");
  dish = body.data.find((item: { name: { en: string } }) => item.name.en.toLowerCase().includes("plain")).id;
});
beforeEach(async () => {
  const wanted = { url: receiver.url, events: ["order.created"], description: null };
  endpointId = (await inLab((ctx) => addEndpoint(ctx, wanted, app.deps.config.encryptionKeys))).endpoint.id;
});
afterEach(() => app.database.asOwner("update webhook_endpoints set removed_at = now()"));
afterAll(async () => {
  await receiver.close();
  await app.close();
});

const inLab = <T>(act: (ctx: Ctx) => Promise<T>): Promise<T> => forVenue(app.deps, lab.slug, act);
const place = async (): Promise<void> => {
  const body = { type: "pickup", customer_name: "Ada", customer_phone: "1", lines: [{ item_id: dish, quantity: 1 }] };
  expect((await app.call(lab.token, "POST", "/orders", { body })).status).toBe(201);
};
const states = async (): Promise<string[]> => (await inLab((ctx) => readDeliveries(ctx, { endpointId }, 100))).map(({ state }) => state);
const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  for (const deadline = Date.now() + 10_000; !(await isSo()); await sleep(20))
    if (Date.now() > deadline) throw new Error("It did not happen in time");
};

/** `meanwhile` starts when the change is made and not yet committed. */
const during = async (change: (ctx: Ctx) => Promise<void>, meanwhile: () => Promise<void>): Promise<void> => {
  let other: Promise<void> = Promise.resolve();
  await inLab(async (ctx) => {
    await change(ctx);
    other = meanwhile();
    await sleep(300);
  });
  await other;
};

test("D181 an event during a resume is sent, one during a pause is held, one during a removal is not queued", async () => {
  await inLab((ctx) => pauseEndpoint(ctx, endpointId));
  await place();
  expect(await states()).toEqual(["held"]);
  await during((ctx) => resumeEndpoint(ctx, endpointId), place);
  expect(await states()).toEqual(["ready", "ready"]);
  await during((ctx) => pauseEndpoint(ctx, endpointId), place);
  expect(await states()).toEqual(["held", "held", "held"]);
  await during((ctx) => removeEndpoint(ctx, endpointId), place);
  expect(await states()).toEqual(["failed", "failed", "failed"]);
});

/** The reverse: the event is written first and committed while the change waits for it. */
const beforeCommitOfEvent = async (change: (ctx: Ctx) => Promise<unknown>): Promise<void> => {
  let commit = (): void => undefined;
  const mayCommit = new Promise<void>((resolve) => {
    commit = resolve;
  });
  let written = (): void => undefined;
  const isWritten = new Promise<void>((resolve) => {
    written = resolve;
  });
  const event = inLab(async (ctx) => {
    emit(ctx, "order.created", EVENT_SAMPLES["order.created"].data);
    await ctx.db.query(sql`select 1`);
    written();
    await mayCommit;
  });
  await isWritten;
  const changed = inLab(change);
  await sleep(300);
  commit();
  await Promise.all([event, changed]);
};

test("D181 an event that commits while its endpoint is resumed, paused or removed gets the new state", async () => {
  await inLab((ctx) => pauseEndpoint(ctx, endpointId));
  await beforeCommitOfEvent((ctx) => resumeEndpoint(ctx, endpointId));
  expect(await states()).toEqual(["ready"]);
  await beforeCommitOfEvent((ctx) => pauseEndpoint(ctx, endpointId));
  expect(await states()).toEqual(["held", "held"]);
  await beforeCommitOfEvent((ctx) => removeEndpoint(ctx, endpointId));
  expect(await states()).toEqual(["failed", "failed", "failed"]);
});

test("D182 a replay during a resume is sent", async () => {
  await place();
  await inLab((ctx) => pauseEndpoint(ctx, endpointId));
  await app.database.asOwner("update deliveries set state = 'failed', due_at = null where endpoint_id = $1", [endpointId]);
  const [delivery] = await inLab((ctx) => readDeliveries(ctx, { endpointId }, 1));
  await during(
    (ctx) => resumeEndpoint(ctx, endpointId),
    () => inLab((ctx) => replayDelivery(ctx, delivery?.id ?? 0)),
  );
  expect(await states()).toEqual(["ready"]);
});

test("D181 a delivery that fails while its endpoint is paused stays held, and is due when the endpoint is resumed", async () => {
  let letGo = (): void => undefined;
  receiver.behave((request, response) => {
    letGo = () => answer(500)(request, response);
  });
  const worker = await startWorker(app.deps, { sender: createLocalSender(receiver.authority.cert) });
  try {
    await place();
    await until(async () => receiver.received.length === 1);
    await inLab((ctx) => pauseEndpoint(ctx, endpointId));
    letGo();
    await until(async () => (await inLab((ctx) => readDeliveries(ctx, { endpointId }, 1)))[0]?.attempts === 1);
    expect(await states()).toEqual(["held"]);
    receiver.behave(answer(200));
    await inLab((ctx) => resumeEndpoint(ctx, endpointId));
    await until(async () => (await states())[0] === "done");
  } finally {
    await worker.stop();
  }
});
