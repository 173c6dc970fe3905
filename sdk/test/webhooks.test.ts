/** Messages as the service signs them, and everything that can be wrong with one. */
import { EVENT_SAMPLES } from "@comanda/contract/event-samples.ts";
import { EVENT_TYPES } from "@comanda/contract/events.ts";
import { expect, expectTypeOf, test } from "vitest";
import { signatureOf } from "../../server/src/platform/webhooks/sign.ts";
import { rememberIds, signWebhook, verifyWebhook, type WebhookEvent, type WebhookFault } from "../src/index.ts";

const SECRET = `whsec_${"aB3".repeat(13)}x`;
const OTHER = `whsec_${"zY9".repeat(13)}q`;
const NOW = new Date("2026-11-15T12:00:00Z");
const body = JSON.stringify(EVENT_SAMPLES["order.created"]);

const signed = (secrets = [SECRET], at = NOW, text = body): string => signatureOf(text, secrets, at);

test("what the service signs is accepted, as text and as bytes, with one secret or several", async () => {
  for (const received of [body, new TextEncoder().encode(body)])
    for (const secret of [SECRET, [OTHER, SECRET]])
      expect((await verifyWebhook({ body: received, header: signed(), secret, now: NOW })).type).toBe("order.created");
  expect((await verifyWebhook({ body, header: signed([OTHER, SECRET]), secret: SECRET, now: NOW })).id).toBe(
    EVENT_SAMPLES["order.created"].id,
  );
});

test("our own header for tests is the service's", async () => {
  expect(await signWebhook(body, SECRET, NOW)).toBe(signed());
});

test.each(EVENT_TYPES)("%s is one of the union", async (type) => {
  const text = JSON.stringify(EVENT_SAMPLES[type]);
  const event = await verifyWebhook({ body: text, header: signed([SECRET], NOW, text), secret: SECRET, now: NOW });
  expect(event).toEqual(EVENT_SAMPLES[type]);
});

const WRONG: [WebhookFault, Partial<Parameters<typeof verifyWebhook>[0]>][] = [
  ["no_header", { header: undefined }],
  ["no_header", { header: "" }],
  ["bad_header", { header: "v1=abc" }],
  ["bad_header", { header: `t=now,v1=${"a".repeat(64)}` }],
  ["bad_header", { header: "t=1763208000,v1=xyz" }],
  ["no_secret", { secret: "" }],
  ["no_secret", { secret: [] }],
  ["not_raw_body", { body: JSON.parse(body) }],
  ["no_match", { secret: OTHER }],
  ["no_match", { body: `${body} ` }],
  ["no_match", { body: JSON.stringify(JSON.parse(body), null, 2) }],
  ["no_match", { header: signed().replace(/t=\d+/, `t=${NOW.getTime() / 1000 + 1}`) }],
  ["too_old", { now: new Date(NOW.getTime() + 301_000) }],
  ["too_old", { toleranceSeconds: Number.NaN }],
  ["from_the_future", { now: new Date(NOW.getTime() - 301_000) }],
];
test.each(WRONG)("%s: %j", async (fault, changes) => {
  const right = { body, header: signed(), secret: SECRET, now: NOW };
  await expect(verifyWebhook({ ...right, ...changes })).rejects.toMatchObject({ name: "WebhookError", fault });
  await expect(verifyWebhook(right)).resolves.toBeDefined();
});

test("a right signature over something else is told apart", async () => {
  for (const text of ["[]", "{}", "not json"])
    await expect(verifyWebhook({ body: text, header: signed([SECRET], NOW, text), secret: SECRET, now: NOW })).rejects.toMatchObject({
      fault: "not_an_event",
    });
});

test("the type of the data follows from the type of the event", () => {
  const totalOf = (event: WebhookEvent): number => (event.type === "order.created" ? event.data.order.total_minor : 0);
  expectTypeOf(totalOf).returns.toBeNumber();
  expectTypeOf<WebhookEvent["type"]>().toEqualTypeOf<(typeof EVENT_TYPES)[number]>();
});

test("an id is new once; the oldest are forgotten", () => {
  const isNew = rememberIds(2);
  expect([isNew("a"), isNew("a"), isNew("b"), isNew("c"), isNew("a")]).toEqual([true, false, true, true, true]);
});
