/** Orders and bookings create, match and change guests. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Guest } from "@comanda/contract/venue/guests.ts";
import { describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { expectInvalid, expectStatus, uniqueName } from "../expectations.ts";
import { moveOrder, orderThatIs, placeOrder, postOrder, shifted } from "../orders/orders.ts";
import { book, freeSlot, postBooking } from "../reservations/bookings.ts";
import { lab } from "../target.ts";
import { allGuests, guestsNamed, newGuest, newPhone, readGuest } from "./guests.ts";

/** The one guest of this name. */
const only = async (name: string): Promise<Guest> => {
  const guests = await guestsNamed(lab, name);
  expect(guests).toHaveLength(1);
  return guests[0] as Guest;
};

describe("a guest is known again", () => {
  test("R4.2-34 a first order makes a guest, the next from the same number does not, however it is written", async () => {
    const { guest, name, phone } = await newGuest(lab);
    const others = [phone, phone.replace("+39 ", "+39-"), phone.replaceAll(" ", "")].map((written) => ({
      written,
      other: uniqueName("Again"),
    }));
    for (const { written, other } of others) await placeOrder(lab, { customer_name: other, customer_phone: written });
    for (const { other } of others) expect(await guestsNamed(lab, other)).toEqual([]);
    expect((await only(name)).id).toBe(guest.id);
  });

  test("R4.2-34 a booking makes a guest too, and an order from its number finds it", async () => {
    const [name, other, phone] = [uniqueName("Booker"), uniqueName("Again"), newPhone()];
    await book(lab, { name, phone });
    await placeOrder(lab, { customer_name: other, customer_phone: phone });
    await book(lab, { name: other, phone });
    await only(name);
    expect(await guestsNamed(lab, other)).toEqual([]);
  });

  test("R4.2-34 another number with a known address is the same guest", async () => {
    const [name, other] = [uniqueName("Mailer"), uniqueName("Again")];
    const email = `${crypto.randomUUID()}@example.com`;
    await placeOrder(lab, { customer_name: name, customer_phone: newPhone(), customer_email: email });
    await placeOrder(lab, { customer_name: other, customer_phone: newPhone(), customer_email: email.toUpperCase() });
    await only(name);
    expect(await guestsNamed(lab, other)).toEqual([]);
  });

  test("R4.2-34 first orders from one number at the same moment make one guest", async () => {
    const [name, phone] = [uniqueName("Rush"), newPhone()];
    const answers = await Promise.all(Array.from({ length: 6 }, () => postOrder(lab, { customer_name: name, customer_phone: phone })));
    for (const answer of answers) expectStatus(answer, 201);
    await only(name);
  });

  test("R4.2-34 first bookings from one number at the same moment make one guest", async () => {
    const [name, phone] = [uniqueName("Rush"), newPhone()];
    const days = await Promise.all(Array.from({ length: 6 }, () => freeSlot(lab)));
    const answers = await Promise.all(days.map((slot) => postBooking(lab, { ...slot, name, phone })));
    for (const answer of answers) expectStatus(answer, 201);
    await only(name);
  });

  test("R4.2-34 a refused order makes no guest", async () => {
    const name = uniqueName("Unlisted");
    const refused = await postOrder(lab, { customer_name: name, customer_phone: newPhone(), type: "dine_in", table_code: "none" });
    expectInvalid(refused, "table_code");
    expect(await guestsNamed(lab, name)).toEqual([]);
  });
});

describe("visits", () => {
  test("R2.8-05 only an order that is completed is a visit, and its total is what was spent", async () => {
    const { guest, phone } = await newGuest(lab);
    expect(guest).toMatchObject({ visits_count: 0, total_spend_minor: 0, last_visit_at: null });
    const whose = { customer_phone: phone };
    for (const status of ["accepted", "rejected", "ready", "cancelled"] as const) await orderThatIs(status, lab, whose);
    expect(await readGuest(lab, guest.id)).toEqual(guest);
    const totals = [await orderThatIs("completed", lab, whose), await orderThatIs("completed", lab, whose)].map(
      (order) => order.total_minor,
    );
    const after = await readGuest(lab, guest.id);
    expect(after).toMatchObject({ visits_count: 2, total_spend_minor: (totals[0] ?? 0) + (totals[1] ?? 0) });
    expect(Math.abs(Date.parse(String(after.last_visit_at)) - Date.now())).toBeLessThan(120_000);
  });
});

describe("updated_since", () => {
  const selects = async ({ id }: Guest, updated_since: string): Promise<boolean> =>
    (await allGuests(lab, { updated_since })).some((guest) => guest.id === id);

  test("R4.4-03 a new guest is there from the second it came, and not in the next", async () => {
    const { guest } = await newGuest(lab);
    expect(await selects(guest, guest.created_at)).toBe(true);
    expect(await selects(guest, shifted(guest.created_at, -60))).toBe(true);
    expect(await selects(guest, guest.created_at.slice(0, 10))).toBe(true);
    expect(await selects(guest, shifted(guest.created_at, 1))).toBe(false);
  });

  test("R4.4-03 a visit is a change of the profile", async () => {
    const { guest, phone } = await newGuest(lab);
    const order = await orderThatIs("ready", lab, { customer_phone: phone });
    await sleep(1100);
    const { updated_at } = await moveOrder(lab, order.id, "completed");
    expect(await selects(guest, updated_at)).toBe(true);
    expect(await selects(guest, shifted(updated_at, 1))).toBe(false);
  });

  test("R4.4-03 holds together with the other filter; a moment in the future finds no guest", async () => {
    const { guest } = await newGuest(lab);
    const since = { updated_since: guest.created_at };
    expect((await allGuests(lab, { ...since, marketing_opted_in: "true" })).map(({ id }) => id)).not.toContain(guest.id);
    expect((await allGuests(lab, { ...since, marketing_opted_in: "false" })).map(({ id }) => id)).toContain(guest.id);
    expect(await allGuests(lab, { updated_since: shifted(guest.created_at, 86_400) })).toEqual([]);
  });

  for (const text of ["garbage", "2026-02-30", "2026-01-01T10:00:00", "2026-13-01T00:00:00Z", "1700000000", "yesterday"])
    test(`R4.4-03 RX-28 422 for ${text}`, async () => {
      expectInvalid(await call(lab.tokens.full, "GET", "/guests", { query: `updated_since=${text}` }), "updated_since");
    });
});
