/** Messages as the service signs them, and everything that can be wrong with one. */

import { EVENT_TYPES } from "@comanda/contract/events/envelope.ts";
import { EVENT_SAMPLES } from "@comanda/contract/events/event-samples.ts";
import { describe, expect, expectTypeOf, test, vi } from "vitest";
import { signatureOf, standardHeadersOf } from "../../server/src/platform/events/webhooks/sign.ts";
import { deduplicate, rememberIds, signWebhook, verifyWebhook, type WebhookEvent, type WebhookFault } from "../src/index.ts";

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

const ID = EVENT_SAMPLES["order.created"].id;
const standard = (secrets = [SECRET]): Record<string, string> => standardHeadersOf(ID, body, secrets, NOW);

test("the headers of Standard Webhooks are accepted, as an object in any case and as Headers", async () => {
  const capital = Object.fromEntries(Object.entries(standard()).map(([name, value]) => [name.toUpperCase(), value]));
  for (const headers of [standard(), standard([OTHER, SECRET]), capital, new Headers(standard())])
    expect((await verifyWebhook({ body, headers, secret: [SECRET], now: NOW })).id).toBe(ID);
});

test("among all headers the service's own signature is verified, and without it that of Standard Webhooks", async () => {
  const both = { ...standard(), "service-signature": signed() };
  for (const headers of [both, { "service-signature": [signed()] }, new Headers(both)])
    expect((await verifyWebhook({ body, headers, secret: SECRET, now: NOW })).id).toBe(ID);
  const forged = { ...both, "service-signature": signed([OTHER]) };
  await expect(verifyWebhook({ body, headers: forged, secret: SECRET, now: NOW })).rejects.toMatchObject({ fault: "no_match" });
});

const NO_KEYS = ["whsec_***", "whsec_", "não"];
test("Standard Webhooks: a secret that is no key does not hide one that fits, and nothing fits it", async () => {
  for (const wrong of NO_KEYS)
    for (const secret of [
      [wrong, SECRET],
      [SECRET, wrong],
    ])
      expect((await verifyWebhook({ body, headers: standard(), secret, now: NOW })).id).toBe(ID);
  const empty = { ...standard(), "webhook-signature": "v1," };
  for (const secret of [NO_KEYS, [...NO_KEYS, SECRET]])
    await expect(verifyWebhook({ body, headers: empty, secret, now: NOW })).rejects.toMatchObject({ fault: "no_match" });
});

const WRONG_STANDARD: [WebhookFault, Record<string, string>, Partial<Parameters<typeof verifyWebhook>[0]>][] = [
  ["no_header", {}, {}],
  ["bad_header", { "webhook-signature": standard()["webhook-signature"] ?? "" }, {}],
  ["bad_header", { ...standard(), "webhook-timestamp": "now" }, {}],
  ["bad_header", { ...standard(), "webhook-signature": "v2,abc" }, {}],
  ["no_match", { ...standard(), "webhook-id": "another" }, {}],
  ["no_match", standard(), { secret: OTHER }],
  ["no_match", standard(), { secret: "whsec_***" }],
  ["no_match", standard(), { body: `${body} ` }],
  ["too_old", standard(), { now: new Date(NOW.getTime() + 301_000) }],
  ["from_the_future", standard(), { now: new Date(NOW.getTime() - 301_000) }],
];
test.each(WRONG_STANDARD)("Standard Webhooks, %s: %j", async (fault, headers, changes) => {
  await expect(verifyWebhook({ body, headers, secret: SECRET, now: NOW, ...changes })).rejects.toMatchObject({ fault });
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

describe("deduplicate", () => {
  test("an event is handled once; the oldest ids are dropped", async () => {
    const handleOnce = deduplicate(rememberIds(2));
    const handled: string[] = [];
    const outcomes: boolean[] = [];
    for (const id of ["a", "a", "b", "c", "a"]) outcomes.push(await handleOnce(id, () => void handled.push(id)));
    expect([outcomes, handled]).toEqual([
      [true, false, true, true, true],
      ["a", "b", "c", "a"],
    ]);
  });

  test.each([
    ["throws", () => expect.fail("no paper")],
    ["rejects", () => Promise.reject(new Error("no paper"))],
  ])("an event whose handler %s is handled when it comes again", async (_name, failing) => {
    const handleOnce = deduplicate();
    let count = 0;
    await expect(handleOnce("a", failing)).rejects.toThrow("no paper");
    expect(await handleOnce("a", () => void count++)).toBe(true);
    expect(await handleOnce("a", () => void count++)).toBe(false);
    expect(count).toBe(1);
  });

  test("a store of one's own hears an id after its handler has succeeded; what it cannot store comes again", async () => {
    const log: string[] = [];
    const stored = new Set<string>();
    const slow = {
      has: async (id: string) => stored.has(id),
      add: async (id: string) => {
        log.push(`add ${id}`);
        if (log.length === 2) throw new Error("the disk is full");
        stored.add(id);
      },
    };
    const handle = () => void log.push("handle");
    await expect(deduplicate(slow)("a", handle)).rejects.toThrow("the disk is full");
    expect([await deduplicate(slow)("a", handle), await deduplicate(slow)("a", handle)]).toEqual([true, false]);
    expect(log).toEqual(["handle", "add a", "handle", "add a"]);
    expect(await deduplicate(new Set(["b"]))("b", handle)).toBe(false);
  });

  test("a second message during the first waits for its outcome, good or bad", async () => {
    for (const outcome of ["good", "bad"]) {
      const handleOnce = deduplicate();
      let finish: (error?: Error) => void = () => {};
      let count = 0;
      const handle = () => {
        count++;
        return new Promise<void>((resolve, reject) => {
          finish = (error) => (error ? reject(error) : resolve());
        });
      };
      const both = Promise.allSettled([handleOnce("a", handle), handleOnce("a", handle)]);
      await vi.waitFor(() => expect(count).toBe(1));
      finish(outcome === "bad" ? new Error("no paper") : undefined);
      const statuses = (await both).map(({ status }) => status);
      expect([outcome, statuses, count]).toEqual([outcome, Array(2).fill(outcome === "good" ? "fulfilled" : "rejected"), 1]);
    }
  });
});
