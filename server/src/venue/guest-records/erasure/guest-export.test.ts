/**
 * What an erasure blanks is read from the database before and after it, column by column, and held against the one list of erased columns
 * and against the export that was made before.
 */

import { randomBytes } from "node:crypto";
import { drawGiftCardCode } from "@comanda/contract/console/gift-card-codes.ts";
import type { GuestExport } from "@comanda/contract/console/guests.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addEndpoint } from "#platform/events/webhooks/service/endpoints.ts";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { sentLink, switchReviewsOn } from "../../../../test/support/review-links.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { addExperience } from "../../bookings/experiences/service/experiences.ts";
import { paySeenTickets, refundSeenTickets } from "../../bookings/experiences/service/sales.ts";
import { addSessions } from "../../bookings/experiences/service/sessions.ts";
import { bookTickets } from "../../bookings/experiences/service/tickets.ts";
import { makeReservation } from "../../bookings/reservations/service/bookings.ts";
import { addParty } from "../../bookings/waitlist/service.ts";
import { changeGuest, setStaffNote } from "../../guests/service.ts";
import { issueCard } from "../../orders/gift-cards/service/cards.ts";
import { recordPayment, refundPayment } from "../../orders/payments/service.ts";
import { submitReview } from "../reviews/service/submission.ts";
import { ERASED_COLUMNS } from "./rules.ts";
import { eraseGuest } from "./service.ts";

/**
 * This mark is in every text about the guest, and in no other text. Each place has its own, so that a copy does not stand for another
 * place.
 */
const MARK = "Xylophan";
const PHONES = ["+1 555 909 0001", "+1 555 909 0002"];

let app: TestApp;
let lab: TestVenue;
let owner: TestUser;
let guestId: number;
let exported: GuestExport;
let exportText: string;

type Cell = { table: string; column: string; key: string; value: string };

/** Every column of every row as text, by the row's primary key. */
const cells = async (): Promise<Map<string, Cell>> => {
  const tables = await app.database.asOwner<{ name: string; keys: string[] }>(
    `select c.relname as name, array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum = any(i.indkey)) as keys
     from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
     where c.relnamespace = 'app'::regnamespace and c.relkind = 'r'`,
  );
  const found = new Map<string, Cell>();
  for (const { name, keys } of tables)
    for (const { row } of await app.database.asOwner<{ row: Record<string, unknown> }>(`select to_jsonb(t) as row from app.${name} t`)) {
      const key = JSON.stringify(keys.map((column) => row[column]));
      for (const [column, value] of Object.entries(row))
        found.set(`${name} ${key} ${column}`, { table: name, column, key, value: JSON.stringify(value) });
    }
  return found;
};

const place = async (phone: string): Promise<string> => {
  const { data } = (await app.call(lab.token, "GET", "/items?per_page=100")).body;
  const dish = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
  const order = {
    type: "delivery",
    customer_name: `${MARK} order name`,
    customer_phone: phone,
    customer_email: `${MARK.toLowerCase()}.${phone.slice(-4)}@example.test`,
    note: `${MARK} order note`,
    delivery_address: { line1: `${MARK} street`, city: "Labtown", phone },
    lines: [{ item_id: dish, quantity: 3 }],
  };
  const placed = await app.call(lab.token, "POST", "/orders", { body: order, headers: { "idempotency-key": `place ${phone}` } });
  expect(placed.status, placed.text).toBe(201);
  return placed.body.data.id;
};

const merge = async (kept: number, other: number): Promise<void> => {
  const [a, b] = await Promise.all([kept, other].map((id) => owner.call("GET", `/venues/lab/guests/${id}`)));
  const body = { other_id: other, seen_version: a?.body.data.version, other_seen_version: b?.body.data.version };
  const answer = await owner.call("POST", `/venues/lab/guests/${kept}/merge`, { body });
  expect(answer.status, answer.text).toBe(200);
};

const idOf = async (phone: string): Promise<number> =>
  Number((await app.database.asOwner<{ id: string }>("select id from guests where phone = $1", [phone]))[0]?.id);

const OTHER_PHONE = "+1 555 303 0003";

/** The guest booked, and staff gave the booking to another one. */
const giveBookingAway = async (phone: string): Promise<void> => {
  const { id } = await forVenue(app.deps, lab.slug, (ctx) =>
    makeReservation(ctx, {
      name: `${MARK} first booker`,
      phone,
      email: `${MARK.toLowerCase()}.first@example.test`,
      note: `${MARK} first note`,
      party_size: 2,
      date: "2026-12-11",
      time: "19:00",
    }),
  );
  const given = await owner.call("PATCH", `/venues/lab/bookings/${id}`, {
    body: { seen_version: 1, name: "Ben Other", phone: OTHER_PHONE },
    headers: { "idempotency-key": "give away" },
  });
  expect(given.status, given.text).toBe(200);
  expect(given.body.data.reservation).toMatchObject({ name: "Ben Other", email: null, note: null });
};

/** Writes a review and the reply of a manager. */
const review = async (order: string): Promise<void> => {
  await switchReviewsOn(app, lab);
  const messageId = Number((await sentLink(app, lab, { order })).split(".").at(-1));
  await forVenue(app.deps, lab.slug, (ctx) => submitReview(ctx, messageId, { rating: 4, comment: `${MARK} comment` }));
  const { data } = (await owner.call("GET", "/venues/lab/reviews")).body;
  const body = { seen_replied_at: null, reply: `${MARK} reply` };
  const replied = await owner.call("PUT", `/venues/lab/reviews/${data[0].id}/reply`, { body, headers: { "idempotency-key": "reply" } });
  expect(replied.status, replied.text).toBe(200);
};

/** Writes to every place that can hold something about the guest. */
const visit = async (): Promise<void> => {
  const [phone = "", otherPhone = ""] = PHONES;
  const orderId = await place(phone);
  guestId = await idOf(phone);
  await place(otherPhone);
  await app.database.asOwner("update guests set name = $2, email = $3, locale = 'xy' where id = $1", [
    guestId,
    `${MARK} profile`,
    `${MARK.toLowerCase()}.profile@example.test`,
  ]);
  await forVenue(app.deps, lab.slug, async (ctx) => {
    await setStaffNote(ctx, guestId, `${MARK} staff note`);
    await makeReservation(ctx, {
      name: `${MARK} booker`,
      phone,
      email: `${MARK.toLowerCase()}.booker@example.test`,
      note: `${MARK} booking note`,
      party_size: 2,
      date: "2026-12-10",
      time: "19:00",
    });
    await addParty(ctx, { name: `${MARK} waiting`, phone, note: `${MARK} waiting note`, party_size: 2 });
    const card = { code: drawGiftCardCode(), amount_minor: 1000, expires_on: null, guest_id: guestId, message: `${MARK} gift card` };
    await issueCard(ctx, card, { reason: `${MARK} gift reason` });
    const { id: experienceId } = await addExperience(ctx, {
      name: { en: "Tasting" },
      description: null,
      price_minor: 100,
      branch: "main",
      is_active: true,
    });
    const [session] = await addSessions(ctx, experienceId, () => ({ date: "2026-12-12", time: "19:00", capacity: 5, weeks: 1 }));
    const tickets = { tickets: 2, name: `${MARK} tickets`, phone, email: `${MARK.toLowerCase()}.tickets@example.test` };
    const held = await bookTickets(ctx, session?.id ?? 0, () => tickets);
    const sold = await paySeenTickets(ctx, held.id, () => ({ seen_version: held.version, method: "cash" }));
    await refundSeenTickets(ctx, sold.id, () => ({ seen_version: sold.version, reason: `${MARK} ticket refund` }));
    const { id } = await recordPayment(ctx, orderId, { method: "cash", amount_minor: 100 });
    await refundPayment(ctx, id, { amount_minor: 50, reason: `${MARK} refund reason` });
  });
  for (const body of [{ status: "accepted" }, { status: "cancelled", reason: `${MARK} cancel reason` }])
    expect((await app.call(lab.token, "POST", `/orders/${orderId}/status`, { body })).status).toBe(200);
  await giveBookingAway(phone);
  await review(orderId);
  // The receiver of an event repeats it in its answer.
  await app.database.asOwner(
    `insert into delivery_attempts (restaurant_id, delivery_id, cycle, attempt, endpoint_id, at, status, duration_ms, answer)
     select restaurant_id, id, 1, 1, endpoint_id, now(), 200, 5, $1 from deliveries order by id limit 1`,
    [`${MARK} order name`],
  );
};

beforeAll(async () => {
  app = await startApp({ environment: { ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}` } });
  lab = await app.venue("lab");
  owner = await createUser(app, lab.slug, "owner");
  await forVenue(app.deps, lab.slug, (ctx) =>
    addEndpoint(ctx, { url: "https://example.com/", events: ["order.created"], description: null }, app.deps.config.encryptionKeys),
  );
  await visit();
  await merge(guestId, await idOf(PHONES[1] ?? ""));
  // The merge withdrew the consent of one profile alone.
  await forVenue(app.deps, lab.slug, (ctx) => changeGuest(ctx, guestId, { marketing_opted_in: true }));
  const answer = await owner.call("POST", `/venues/lab/guests/${guestId}/export`, { body: {} });
  expect(answer.status, answer.text).toBe(200);
  [exported, exportText] = [answer.body.data, answer.text];
}, 60_000);
afterAll(() => app.close());

/** Technical columns that every change sets. */
const STAMPS = ["updated_at", "changed_at", "erased_at", "version"];
/** Rows of these tables record the erasure itself or who asked. */
const RECORDS = ["changes", "change_counters", "sessions", "hourly_token_usage", "webhook_endpoint_state"];

const blankedColumns = (before: Map<string, Cell>, after: Map<string, Cell>): Map<string, Cell[]> => {
  const rowsAfter = new Set([...after.values()].map(({ table, key }) => `${table} ${key}`));
  const lost = [...before].flatMap(([at, cell]) => {
    if (RECORDS.includes(cell.table) || STAMPS.includes(cell.column) || cell.value === "null") return [];
    if (!rowsAfter.has(`${cell.table} ${cell.key}`)) return [{ ...cell, column: "*" }];
    return after.get(at)?.value === cell.value ? [] : [cell];
  });
  return Map.groupBy(lost, ({ table, column }) => `${table}.${column}`);
};

test("JG-05 an export has every part, is for managers, and is in the activity log without its contents", async () => {
  expect(exported).toMatchObject({ restaurant: "lab", profile: { name: `${MARK} profile`, staff_note: `${MARK} staff note` } });
  for (const part of [
    "merged_profiles",
    "consents",
    "orders",
    "reservations",
    "waitlist",
    "gift_cards",
    "reviews",
    "experience_bookings",
    "messages",
    "reasons",
    "events",
  ] as const)
    expect(exported[part].length, part).toBeGreaterThan(0);
  const staff = await createUser(app, lab.slug, "staff");
  expect((await staff.call("POST", `/venues/lab/guests/${guestId}/export`, { body: {} })).status).toBe(403);
  const entries = await app.database.asOwner<{ text: string }>(
    "select a::text as text from audit_entries a where action = 'guest.exported'",
  );
  expect(entries).toHaveLength(1);
  expect(entries[0]?.text).not.toContain(MARK);
});

test("a booking that was given to another guest: that guest's export shows nothing of the first one", async () => {
  const answer = await owner.call("POST", `/venues/lab/guests/${await idOf(OTHER_PHONE)}/export`, { body: {} });
  expect(answer.status, answer.text).toBe(200);
  expect([answer.body.data.reservations.length, answer.body.data.events.length > 0]).toEqual([1, true]);
  expect(answer.text.toLowerCase()).not.toContain(MARK.toLowerCase());
});

test("JG-04 JG-05 D126 every column that an erasure blanks is in the list, was in the export, and no byte of the guest is left", async () => {
  const before = await cells();
  const marked = [...before.values()].filter(({ value }) => value.toLowerCase().includes(MARK.toLowerCase()));
  expect(marked.length).toBeGreaterThan(10);
  const { version } = (await owner.call("GET", `/venues/lab/guests/${guestId}`)).body.data;
  const erased = await owner.call("POST", `/venues/lab/guests/${guestId}/erasure`, {
    body: { seen_version: version },
    headers: { "idempotency-key": "erase" },
  });
  expect(erased.status, erased.text).toBe(200);
  const after = await cells();
  const blanked = blankedColumns(before, after);
  expect([...blanked.keys()].toSorted()).toEqual(Object.keys(ERASED_COLUMNS).toSorted());
  // Each marked text is one that the export showed.
  for (const { table, column, value } of marked)
    for (const [text] of value.matchAll(new RegExp(`${MARK}[^"\\\\,]*`, "gi"))) expect(exportText, `${table}.${column}`).toContain(text);
  const left = [...after.values()].filter(({ value }) => {
    const text = value.toLowerCase();
    return text.includes(MARK.toLowerCase()) || text.includes("5559090") || text.includes("555 909 0");
  });
  expect(left).toEqual([]);
});

test("planted fault: a column that is blanked and not in the list is found", async () => {
  await app.database.asOwner(
    `alter table guests add column nickname text;
     create function drop_nickname() returns trigger language plpgsql as 'begin new.nickname = null; return new; end';
     create trigger planted before update on guests for each row when (new.erased_at is not null) execute function drop_nickname()`,
  );
  await place("+1 555 707 0001");
  const id = await idOf("+1 555 707 0001");
  await app.database.asOwner("update guests set nickname = 'Bee' where id = $1", [id]);
  const before = await cells();
  await forVenue(app.deps, lab.slug, (ctx) => eraseGuest(ctx, id));
  const found = [...blankedColumns(before, await cells()).keys()].filter((column) => !(column in ERASED_COLUMNS));
  expect(found).toEqual(["guests.nickname"]);
});
