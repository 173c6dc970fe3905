/** Tickets of a guest: on the profile, moved by a merge; paid with a gift card, refunded in parts, sold by the operator. */
import { randomUUID } from "node:crypto";
import { drawGiftCardCode } from "@comanda/contract/console/gift-card-codes.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { type ExperienceTools, experienceTools } from "../../../../test/support/experiences.ts";
import { comandaAdmin as run } from "../../../../test/support/run-admin.ts";
import { forVenue, readSample, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { importVenue } from "../../../compose/import-venue.ts";
import { changePlanState } from "../../../platform/tenants/service.ts";

let app: TestApp;
let lab: TestVenue;
let manager: TestUser;
let tools: ExperienceTools;

beforeAll(async () => {
  app = await startApp({ environment: { CONSOLE_RATE_PER_MINUTE: "60000" } });
  lab = await app.venue("lab");
  manager = await createUser(app, lab.slug, "owner", "olga@lab.example");
  tools = experienceTools(app, lab, manager);
});
afterAll(() => app.close());

const comandaAdmin = (...args: string[]) => run(args, { DATABASE_URL: app.database.appUrl });
const profile = async (id: number) => (await tools.send("GET", `/guests/${id}`)).body.data;
const guestOf = async (bookingId: number): Promise<number> =>
  Number((await app.database.asOwner<{ id: string }>("select guest_id as id from experience_bookings where id = $1", [bookingId]))[0]?.id);

test("with a phone number the guest is known or gets a profile without consent, which lists the tickets; a merge moves them", async () => {
  const session = await tools.session(9);
  const first = await tools.held(session.id, 2, { name: "Ada", phone: "+1 555 0101" });
  const again = await tools.held(session.id, 1, { name: "Ada L.", phone: "+1 (555) 0101" });
  const other = await tools.held(session.id, 1, { name: "Adele", phone: "+1 555 0102" });
  const [ada, adele] = [await guestOf(first.id), await guestOf(other.id)];
  expect(await guestOf(again.id)).toBe(ada);
  const created = await app.database.asOwner<{ body: string }>(
    "select body from events where type = 'guest.created' order by created_at, id",
  );
  expect(created.map(({ body }) => JSON.parse(body).data.guest.id)).toEqual([ada, adele]);
  const consents = await app.database.asOwner("select marketing_opted_in as agreed from guests where id = any($1)", [[ada, adele]]);
  expect(consents).toEqual([{ agreed: false }, { agreed: false }]);
  expect((await profile(ada)).experiences).toMatchObject([
    { id: again.id, tickets: 1, state: "held", session_id: session.id, name: tools.value.name, starts_at: session.starts_at },
    { id: first.id, tickets: 2 },
  ]);
  expect(await guestOf((await tools.held(session.id, 1)).id)).toBe(0);
  const seen = { seen_version: (await profile(ada)).version, other_seen_version: (await profile(adele)).version };
  await tools.done("POST", `/guests/${ada}/merge`, { other_id: adele, ...seen });
  expect((await profile(ada)).experiences.map(({ id }: { id: number }) => id)).toEqual([other.id, again.id, first.id]);
});

test("a refused sale leaves no profile", async () => {
  const session = await tools.session(1);
  expect((await tools.hold(session.id, 2, { phone: "+1 555 0199" })).status).toBe(422);
  expect(await app.database.asOwner("select from guests where phone = '+1 555 0199'")).toHaveLength(0);
});

test("a gift card pays the tickets in the payment's commit, and a refund goes back to the card; a card with too little is refused", async () => {
  const session = await tools.session(5, { price_minor: 1500 });
  const code = drawGiftCardCode();
  const card = { code, amount_minor: 4000, expires_on: null, guest_id: null, message: null, method: "cash" };
  const { id: cardId } = await tools.done("POST", "/gift-cards", card);
  const pay = async (tickets: number) => {
    const held = await tools.held(session.id, tickets);
    return tools.act(held, "gift-card-payments", { code });
  };
  const refused = await pay(3);
  expect([refused.status, refused.body.error.details]).toEqual([422, { amount_minor: ["The gift card has only USD 40.00 left."] }]);
  expect(await tools.counts(session.id)).toEqual([0, 3]);
  const paid = await pay(2);
  expect([paid.status, paid.body.data.state]).toEqual([201, "paid"]);
  const balance = async () => (await tools.done("GET", `/gift-cards/${cardId}`)).card.balance_minor;
  expect(await balance()).toBe(1000);
  expect((await tools.sheet(session.id)).bookings.find(({ id }) => id === paid.body.data.id)?.method).toBe("gift_card");
  expect(await app.database.asOwner("select from events where type = 'giftcard.redeemed'")).toHaveLength(0);
  expect(await tools.eventsOf(paid.body.data.id)).toHaveLength(1);
  expect((await tools.act(paid.body.data, "refunds", { reason: "not coming" })).status).toBe(201);
  expect(await balance()).toBe(4000);
  const { entries } = await tools.done("GET", `/gift-cards/${cardId}`);
  expect(entries.map(({ kind, order_id }: { kind: string; order_id: string | null }) => [kind, order_id])).toEqual([
    ["refund", null],
    ["redeem", null],
    ["issue", null],
  ]);
  expect(await tools.faults()).toEqual([]);
});

const refundPart = async (bookingId: number, amount: string): Promise<void> => {
  const [row] = await app.database.asOwner<{ id: string }>("select payment_id as id from experience_bookings where id = $1", [bookingId]);
  const { code, stderr } = await comandaAdmin("payment", "refund", lab.slug, row?.id ?? "", "--amount", amount, "--reason", "called");
  expect(code, stderr).toBe(0);
};
const refundsOf = (bookingId: number) =>
  app.database.asOwner("select after from audit_entries where action = 'experience_booking.refunded' and subject_id = $1", [
    String(bookingId),
  ]);

test("comanda-admin payment refund: a part leaves the tickets paid, the rest cancels them", async () => {
  const session = await tools.session(2);
  const paid = await tools.paid(await tools.held(session.id, 2));
  await refundPart(paid.id, "4000");
  expect(await tools.counts(session.id)).toEqual([2, 0]);
  await refundPart(paid.id, "5000");
  expect(await tools.counts(session.id)).toEqual([0, 0]);
  expect((await tools.sheet(session.id)).ended).toMatchObject([{ id: paid.id, state: "cancelled", refundable_minor: 0 }]);
  expect(await refundsOf(paid.id)).toEqual([{ after: { tickets: 2, amount_minor: 5000 } }]);
});

test("after a refund of a part, the session shows what is left, and a refund in the console gives back and records that", async () => {
  const session = await tools.session(3);
  const held = await tools.held(session.id, 1);
  const paid = await tools.paid(await tools.held(session.id, 2));
  const refundable = async () => (await tools.sheet(session.id)).bookings.map((one) => [one.id, one.amount_minor, one.refundable_minor]);
  expect(await refundable()).toEqual([
    [held.id, 4500, 0],
    [paid.id, 9000, 9000],
  ]);
  await refundPart(paid.id, "4000");
  expect(await refundable()).toEqual([
    [held.id, 4500, 0],
    [paid.id, 9000, 5000],
  ]);
  expect((await tools.act(paid, "refunds", { reason: "not coming" })).status).toBe(201);
  expect(await refundsOf(paid.id)).toEqual([{ after: { tickets: 2, amount_minor: 5000 } }]);
  const refunds = await app.database.asOwner(
    `select amount_minor::integer as amount from refunds where payment_id = (select payment_id from experience_bookings where id = $1) order by id`,
    [paid.id],
  );
  expect(refunds).toEqual([{ amount: 4000 }, { amount: 5000 }]);
});

test("comanda-admin experience lists, sells and shows the guests", async () => {
  // Commands have the real clock.
  const date = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  const { id } = await tools.add({ name: { en: "Cooking class" } });
  const [session] = await tools.plan(id, { date });
  const sold = await comandaAdmin("experience", "sell", lab.slug, String(session?.id), "--name", "Ada", "--tickets", "3", "--json");
  expect([sold.code, sold.stderr]).toEqual([0, expect.not.stringContaining("Error")]);
  const booking = JSON.parse(sold.stdout);
  expect(booking).toMatchObject({ state: "paid", tickets: 3 });
  expect(await tools.eventsOf(booking.id)).toHaveLength(1);
  const refused = await comandaAdmin("experience", "sell", lab.slug, String(session?.id), "--name", "Ben", "--tickets", "2");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("The session has 1 ticket left.")]);
  const listed = await comandaAdmin("experience", "list", lab.slug);
  expect(listed.stdout).toMatch(/Cooking class/);
  const guests = JSON.parse((await comandaAdmin("experience", "guests", lab.slug, String(session?.id), "--json")).stdout);
  expect(guests).toMatchObject([{ name: "Ada", tickets: 3, state: "paid" }]);
});

test("an experience with tickets to come stays in a venue file, in the console and for the operator, and so does its branch", async () => {
  const session = await tools.session(2, { branch: "annex" });
  await tools.paid(await tools.held(session.id, 1));
  const { file, version } = (await tools.send("GET", "/venue-file")).body.data;
  const stored = file.experiences.at(-1);
  expect(stored).toMatchObject({ ...tools.value, branch: "annex", key: expect.stringMatching(/^experience-/) });
  const text = JSON.stringify({ ...file, experiences: [] });
  const compared = await tools.send("POST", "/venue-file/comparison", { text });
  expect(compared.body.error.details[`removed.experiences.${stored.key}`]).toEqual(["It has tickets of 1 party to come."]);
  expect((await tools.send("PUT", "/venue-file", { seen_version: version, text })).status).toBe(422);
  await expect(importVenue(app.deps, readSample("lab"))).rejects.toThrow(
    `removed.experiences.${stored.key}: It has tickets of 1 party to come.`,
  );
  const { branches } = (await tools.send("GET", "/settings")).body.data;
  const kept = branches.value.filter(({ key }: { key: string }) => key !== "annex").map(({ id: _, ...branch }: { id: number }) => branch);
  const removed = await tools.send("PUT", "/settings/branches", { seen_version: branches.version, branches: kept });
  expect(removed.body.error.details["removed.annex"]).toEqual(["The branch has tickets of 1 party to come."]);
});

test("while a venue is suspended its guests are checked in, tickets are paid and refunded, and none is held", async () => {
  const session = await tools.session(4);
  const [held, paid] = [await tools.held(session.id, 1), await tools.paid(await tools.held(session.id, 1))];
  const setSuspended = (isSuspended: boolean) =>
    forVenue(app.deps, lab.slug, (ctx) => changePlanState(ctx, { suspended_at: isSuspended ? ctx.now : null }), { revokes: true });
  await setSuspended(true);
  expect((await tools.hold(session.id, 1)).body.error.code).toBe("restaurant_suspended");
  expect((await tools.pay(held)).status).toBe(201);
  const arrived = await tools.act(paid, "arrived", { arrived: 1 });
  expect(arrived.status).toBe(200);
  expect((await tools.act(arrived.body.data, "refunds", { reason: "unwell" })).status).toBe(201);
  await setSuspended(false);
  expect((await tools.hold(session.id, 1)).status).toBe(201);
});

test("a repeated hold with one key holds once", async () => {
  const session = await tools.session(4);
  const key = randomUUID();
  const hold = () =>
    manager.call("POST", `/venues/${lab.slug}/experience-sessions/${session.id}/bookings`, {
      body: { tickets: 2, name: "Ada", phone: null, email: null },
      headers: { "idempotency-key": key },
    });
  const [one, two] = await Promise.all([hold(), hold()]);
  expect([one.status, two.status].every((status) => status === 201 || status === 409)).toBe(true);
  expect((await hold()).status).toBe(201);
  expect(await tools.counts(session.id)).toEqual([0, 2]);
});
