/** Bookings on a real database: one party to a table, whatever the timing. */
import type { NewReservation } from "@comanda/contract/venue/reservations.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { isContention } from "../../../db/pool.ts";
import { findReservationForChange, makeReservation, readAvailability } from "./service/bookings.ts";
import { changeReservation, moveReservation } from "./service/changes.ts";
import { assignTables } from "./store.ts";

let app: TestApp;
let lab: TestVenue;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab", (file) => {
    file.tables = [
      {
        key: "only",
        branch: file.branches.find((branch) => branch.is_default)?.key ?? "",
        name: "Only",
        code: "O",
        seats: 4,
        is_active: true,
      },
    ];
    file.table_combinations = [];
  });
});
afterAll(() => app.close());

const wanted = (changes: Partial<NewReservation> = {}): NewReservation => ({
  name: "Ada",
  phone: "+1 555 0100",
  party_size: 2,
  date: "2026-11-20",
  time: "19:00",
  ...changes,
});

const book = (changes: Partial<NewReservation> = {}) => forVenue(app.deps, lab.slug, (ctx) => makeReservation(ctx, wanted(changes)));
const move = (id: string, to: "cancelled" | "seated" | "no_show" | "confirmed" | "declined") =>
  forVenue(app.deps, lab.slug, async (ctx) => moveReservation(ctx, await findReservationForChange(ctx, id), to));
const slot = async (time: string, date = "2026-11-20") => {
  const offer = await forVenue(app.deps, lab.slug, (ctx) => readAvailability(ctx, date, 2));
  return offer.slots.find((candidate) => candidate.time === time)?.available;
};
const overlaps = () =>
  app.database.asOwner(
    `select a.reservation_id from reservation_tables a join reservation_tables b
     on a.table_id = b.table_id and a.during && b.during and a.reservation_id < b.reservation_id`,
  );

test("R4.3-06 R4.3-17 the last table taken turns its slot off, a cancel turns it on again", async () => {
  expect(await slot("19:00")).toBe(true);
  const booked = await book();
  expect(booked).toMatchObject({ status: "confirmed", deposit_minor: null, table_id: expect.any(Number) });
  expect([await slot("18:00"), await slot("19:00"), await slot("20:00"), await slot("20:30")]).toEqual([false, false, false, true]);
  await expect(book({ time: "19:30" })).rejects.toMatchObject({ details: { time: [expect.any(String)] } });
  await move(booked.id, "cancelled");
  expect(await slot("19:00")).toBe(true);
  await expect(move(booked.id, "cancelled")).rejects.toMatchObject({ code: "invalid_transition" });
});

test("of 20 parties for the last table one gets it, round after round, with cancels in between", async () => {
  for (let round = 0; round < 10; round++) {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => book({ date: "2026-12-01", time: index % 2 ? "19:00" : "19:30" })),
    );
    const won = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    expect(won).toHaveLength(1);
    for (const outcome of outcomes) if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "validation_failed" });
    expect(await overlaps()).toEqual([]);
    await move(won[0]?.id ?? "", "cancelled");
  }
});

test("R6.2-06 a booking, a change and a cancel each tell their own event", async () => {
  const { id } = await book({ date: "2026-12-10", status: "pending" });
  await move(id, "confirmed");
  const changed = await forVenue(app.deps, lab.slug, async (ctx) =>
    changeReservation(ctx, await findReservationForChange(ctx, id), { time: "19:30", party_size: 3 }),
  );
  expect(changed).toMatchObject({ time: "19:30", party_size: 3, status: "confirmed" });
  await move(id, "cancelled");
  const rows = await app.database.asOwner<{ body: string }>(
    "select body from events where body like '%' || $1 || '%' order by created_at, id",
    [id],
  );
  const events = rows.map(({ body }) => JSON.parse(body));
  expect(events.map(({ type, data }) => [type, data.changed ?? data.cancelled_by ?? null])).toEqual([
    ["reservation.created", null],
    ["reservation.updated", ["status"]],
    ["reservation.updated", ["party_size", "time"]],
    ["reservation.cancelled", "restaurant"],
  ]);
});

test("D113 D127 seating counts a visit and keeps the table; a no-show gives it back", async () => {
  const seated = await book({ date: "2026-12-15", phone: "+1 555 0177" });
  await move(seated.id, "seated");
  expect(await slot("19:00", "2026-12-15")).toBe(false);
  const [guest] = await app.database.asOwner<{ visits_count: number }>("select visits_count from guests where phone_key = '+15550177'");
  expect(guest?.visits_count).toBe(1);
  const missed = await book({ date: "2026-12-16" });
  await move(missed.id, "no_show");
  expect(await slot("19:00", "2026-12-16")).toBe(true);
});

test("the constraint is the truth: two bookings for one table cannot be written past all code", async () => {
  const first = await book({ date: "2026-12-20" });
  const second = await book({ date: "2026-12-21" });
  await expect(
    app.database.asOwner(
      "update reservation_tables set during = (select during from reservation_tables where reservation_id = $1) where reservation_id = $2",
      [first.id, second.id],
    ),
  ).rejects.toMatchObject({ code: "23P01", constraint: "reservation_tables_one_party" });
});

test("a lost race is told as a lost race, also when something was awaited after it", async () => {
  const first = await book({ date: "2026-12-27" });
  const second = await book({ date: "2026-12-28" });
  await move(second.id, "cancelled");
  const lost = forVenue(app.deps, lab.slug, async (ctx) => {
    const row = await findReservationForChange(ctx, first.id);
    assignTables(ctx, { ...row, id: second.id }, [row.table_id ?? 0]);
    await findReservationForChange(ctx, first.id);
  });
  const error = await lost.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "23P01" });
  expect(isContention(error)).toBe(true);
});

test("a party on two tables pushed together can be moved; a new note alone keeps the tables", async () => {
  const wide = await app.venue("lab", (file) => {
    file.restaurant.slug = "wide";
    const branch = file.branches.find((place) => place.is_default)?.key ?? "";
    file.tables = ["a", "b"].map((key) => ({ key, branch, name: key, code: key, seats: 4, is_active: true }));
    file.table_combinations = [{ tables: ["a", "b"], seats: 8 }];
  });
  const inWide = <T>(work: Parameters<typeof forVenue<T>>[2]) => forVenue(app.deps, wide.slug, work);
  const { id } = await inWide((ctx) => makeReservation(ctx, wanted({ party_size: 8, date: "2026-12-05" })));
  const change = (what: Parameters<typeof changeReservation>[2]) =>
    inWide(async (ctx) => changeReservation(ctx, await findReservationForChange(ctx, id), what));
  expect(await change({ time: "20:00" })).toMatchObject({ time: "20:00", party_size: 8 });
  const held = () =>
    app.database.asOwner("select table_id, during from reservation_tables where reservation_id = $1 order by table_id", [id]);
  const before = await held();
  expect(before).toHaveLength(2);
  expect(await change({ note: "By the window" })).toMatchObject({ note: "By the window" });
  expect(await held()).toEqual(before);
  expect(await change({ party_size: 3 })).toMatchObject({ party_size: 3 });
  expect(await held()).toHaveLength(1);
});
