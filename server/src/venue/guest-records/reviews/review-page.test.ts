/** The page on which a guest rates, over HTTP: what it shows and refuses, what a post writes, and how often it may be used. */
import type { LightMyRequestResponse } from "fastify";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { placeLabOrder } from "../../../../test/support/console-bodies.ts";
import { linkPath, newEncryptionKeys, postReview, sentLink, switchReviewsOn } from "../../../../test/support/review-links.ts";
import { startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";

const NOW = "2026-11-14T12:00:00Z";
const DAY_MS = 86_400_000;
const ENCRYPTION_KEYS = newEncryptionKeys();

let app: TestApp;
let lab: TestVenue;
let other: TestVenue;
/** Each request has an address of its own, so that only the tests of limits meet them. */
let address = 1;

beforeAll(async () => {
  app = await startApp({ environment: { ENCRYPTION_KEYS } });
  lab = await app.venue("lab", (file) => {
    for (const guest of file.guests) guest.locale = { dev: "ar", eva: "it" }[guest.key] ?? null;
  });
  other = await app.venue("trattoria");
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.set(NOW);
  await switchReviewsOn(app, lab);
});

const remoteAddress = (): string => `198.51.${Math.floor(address / 250)}.${(address++ % 250) + 1}`;
const open = (path: string, headers: Record<string, string> = {}) =>
  app.app.http.inject({ url: path, headers, remoteAddress: remoteAddress() });
const post = (path: string, payload: string, type = "application/x-www-form-urlencoded") =>
  app.app.http.inject({ method: "POST", url: path, headers: { "content-type": type }, payload, remoteAddress: remoteAddress() });
const form = (path: string, rating: string, comment = "") => post(path, new URLSearchParams({ rating, comment }).toString());
const orderLink = async (changes: Record<string, unknown> = {}) => {
  const order = await placeLabOrder(app, lab, changes);
  return { order, path: await sentLink(app, lab, { order }) };
};
const reviewsOf = (order: string) => app.database.asOwner<Record<string, unknown>>("select * from reviews where order_id = $1", [order]);
const eventsOf = async (order: string) =>
  (await app.database.asOwner<{ body: string }>("select body from events where type = 'review.created'"))
    .map(({ body }) => JSON.parse(body))
    .filter(({ data }) => data.review.order_id === order);
const isHtml = ({ headers }: LightMyRequestResponse): boolean => headers["content-type"] === "text/html; charset=utf-8";

test("JR-01 D170 a guest rates once: one review, one event, one entry in the activity log; afterwards the page thanks", async () => {
  const { order, path } = await orderLink({ customer_name: "Giulia Conti" });
  const shown = await open(path);
  expect([shown.statusCode, isHtml(shown)]).toEqual([200, true]);
  expect(shown.body).toContain(`<form method="post" action="${path}">`);
  const sent = await form(path, "4", "Lovely pizza");
  expect([sent.statusCode, sent.headers.location]).toEqual([303, path]);
  expect(await reviewsOf(order)).toMatchObject([{ rating: 4, comment: "Lovely pizza", guest_name: "Giulia Conti", reservation_id: null }]);
  const [event, ...more] = await eventsOf(order);
  expect(more).toEqual([]);
  expect(event.data.review).toEqual({
    id: expect.any(Number),
    rating: 4,
    comment: "Lovely pizza",
    order_id: order,
    reservation_id: null,
    guest_name: "Giulia Conti",
    created_at: "2026-11-14T12:00:00+00:00",
  });
  const [entry] = await app.database.asOwner<{ entry: string }>(
    "select a::text as entry from audit_entries a where action = 'review.created' and subject_id = $1",
    [String(event.data.review.id)],
  );
  expect(entry?.entry).toContain("Guest");
  expect(entry?.entry).not.toMatch(/Giulia|Lovely/);
  const again = await open(path);
  expect([again.statusCode, again.body.includes("<form")]).toEqual([200, false]);
  expect(again.body).toContain("Thank you");
  const second = await form(path, "1", "changed my mind");
  expect([second.statusCode, isHtml(second)]).toEqual([409, true]);
  expect(await reviewsOf(order)).toMatchObject([{ rating: 4, comment: "Lovely pizza" }]);
  expect(await eventsOf(order)).toHaveLength(1);
});

test("opening the link writes nothing, with GET and HEAD, however often", async () => {
  const { path } = await orderLink();
  const state = () => app.database.asOwner("select (select count(*) from reviews) as n, r::text from review_requests r order by id");
  const before = await state();
  for (let turn = 0; turn < 5; turn++) await open(path);
  expect((await app.app.http.inject({ method: "HEAD", url: path, remoteAddress: remoteAddress() })).statusCode).toBe(200);
  expect(await state()).toEqual(before);
  expect((await form(path, "5")).statusCode).toBe(303);
});

test("a link works for 14 days, not while reviews are off, and not in a venue that is suspended", async () => {
  const { path } = await orderLink();
  app.clock.set(new Date(Date.parse(NOW) + 14 * DAY_MS).toISOString());
  for (const answer of [await open(path), await form(path, "5")]) expect([answer.statusCode, isHtml(answer)]).toEqual([410, true]);
  app.clock.set(new Date(Date.parse(NOW) + 14 * DAY_MS - 1).toISOString());
  expect((await open(path)).statusCode).toBe(200);
  await app.database.asOwner("update restaurants set suspended_at = now() where id = $1", [lab.id]);
  for (const answer of [await open(path), await form(path, "5")]) expect(answer.statusCode).toBe(410);
  await app.database.asOwner("update restaurants set suspended_at = null where id = $1", [lab.id]);
  await app.database.asOwner('update settings set reviews = \'{"is_on": false, "wait_minutes": 60}\' where restaurant_id = $1', [lab.id]);
  for (const answer of [await open(path), await form(path, "5")]) expect(answer.statusCode).toBe(410);
  await switchReviewsOn(app, lab);
  expect((await form(path, "5")).statusCode).toBe(303);
});

test("404 for a token that was not signed here; one for another venue's message leads nowhere", async () => {
  const { order, path } = await orderLink();
  const [, , token = ""] = path.split("/");
  const [venue = "", signature = "", message = ""] = token.split(".");
  const forged = [`${other.id}.${signature}.${message}`, `${venue}.${signature}.${Number(message) + 1024}`, "x", `${token}0`, "1.1.1"];
  for (const text of forged)
    for (const answer of [await open(`/r/${text}`), await form(`/r/${text}`, "5")])
      expect([answer.statusCode, isHtml(answer)]).toEqual([404, true]);
  const wrongVenue = linkPath(app, { restaurantId: other.id, messageId: Number(message) });
  for (const answer of [await open(wrongVenue), await form(wrongVenue, "5")]) expect(answer.statusCode).toBe(410);
  const noVenue = linkPath(app, { restaurantId: 987_654_321, messageId: 1 });
  expect((await open(noVenue)).statusCode).toBe(404);
  expect(await reviewsOf(order)).toEqual([]);
});

test("a rating that is missing and a comment that is too long are named, and what was written is there again, as text", async () => {
  const { order, path } = await orderLink();
  const evil = `</textarea><script>alert("1")</script>'&`;
  const refused = await form(path, "", evil);
  expect([refused.statusCode, isHtml(refused)]).toEqual([422, true]);
  expect(refused.body).toContain("Choose a rating from 1 to 5.");
  expect(refused.body).toContain("&lt;/textarea&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;");
  expect(refused.body).not.toContain("<script");
  const long = await form(path, "3", "ا".repeat(2001));
  expect([long.statusCode, long.body.includes('value="3" required checked')]).toEqual([422, true]);
  expect(long.body).toContain("The comment is too long");
  for (const rating of ["0", "6", "5.0", "-1", "٥"]) expect((await form(path, rating)).statusCode).toBe(422);
  expect((await post(path, '{"rating":5}', "application/json")).statusCode).toBe(422);
  expect((await post(path, "", "text/plain")).statusCode).toBe(422);
  expect((await post(path, `rating=5&comment=${"%D8%A7".repeat(5000)}`)).statusCode).toBe(413);
  expect(await reviewsOf(order)).toEqual([]);
  const whole = await form(path, "5", "ا".repeat(2000));
  expect(whole.statusCode).toBe(303);
  expect(await reviewsOf(order)).toMatchObject([{ comment: "ا".repeat(2000) }]);
});

test("the page has no script, cannot be framed or cached, and tells no other site its address", async () => {
  const { path } = await orderLink();
  for (const answer of [await open(path), await form(path, ""), await open("/r/nothing"), await form(path, "5")]) {
    expect(answer.headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "x-robots-tag": "noindex, nofollow",
    });
    expect(answer.headers["content-security-policy"]).toMatch(/^default-src 'none';.*frame-ancestors 'none'$/);
    expect(answer.headers["content-security-policy"]).not.toContain("script-src");
    expect(answer.body).not.toMatch(/<script|https?:|src=/);
    expect(answer.headers["set-cookie"]).toBeUndefined();
  }
});

test.each([
  ["the guest's Arabic", { customer_phone: "+1 202-555-0104" }, 'lang="ar" dir="rtl"', "كيف كانت تجربتكم"],
  ["the guest's Italian", { customer_phone: "+1 202-555-0105" }, 'lang="it" dir="ltr"', "Come è andata"],
  ["the venue's language", {}, 'lang="en" dir="ltr"', "How was it"],
])("the page is in %s", async (_, changes, attributes, sentence) => {
  const { path } = await orderLink(changes);
  const { body } = await open(path);
  expect(body).toContain(attributes);
  expect(body).toContain(sentence);
  await form(path, "5");
  expect((await open(path)).body).toContain(attributes);
});

test("a link that tells nothing is explained in the browser's language", async () => {
  expect((await open("/r/x", { "accept-language": "fr, ar;q=0.8" })).body).toContain('lang="ar" dir="rtl"');
  expect((await open("/r/x")).body).toContain('lang="en"');
});

test("limits: 20 requests a minute for a link, 20 posts for an address, before the body is read; the refusal is a page", async () => {
  const { order, path } = await orderLink();
  for (let turn = 0; turn < 20; turn++) expect((await open(path)).statusCode).toBe(200);
  for (const answer of [await open(path), await form(path, "5")]) {
    expect([answer.statusCode, isHtml(answer)]).toEqual([429, true]);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThanOrEqual(1);
  }
  const others = await Promise.all(Array.from({ length: 21 }, () => orderLink()));
  const statuses: number[] = [];
  for (const one of others) statuses.push((await postReview(app, one.path, { rating: "5" })).statusCode);
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 303), 429]);
  const large = await app.app.http.inject({ method: "POST", url: others[20]?.path ?? "", payload: "x".repeat(100_000) });
  expect(large.statusCode).toBe(429);
  expect(await reviewsOf(order)).toEqual([]);
});
