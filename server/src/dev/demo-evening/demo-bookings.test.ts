import type { BookingDay } from "@comanda/contract/console/bookings.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDemo } from "#admin/demo.ts";
import { createUser, type TestUser } from "../../../test/support/console-client.ts";
import { forVenue, startApp, type TestApp } from "../../../test/support/test-app.ts";
import { bookNextEvening, DEMO_BOOKINGS, type InDemoVenue, startBookings } from "./demo-bookings.ts";

const SLUG = "trattoria-da-nino";

let app: TestApp;
let host: TestUser;
beforeAll(async () => {
  app = await startApp();
  app.clock.set("2026-11-18T13:20:00Z");
  await createDemo(app.deps, "http://127.0.0.1", { tokenNames: ["full"], alwaysOpen: SLUG });
  host = await createUser(app, SLUG, "staff", "hanna@demo.example");
});
afterAll(() => app.close());

const inVenue: InDemoVenue = (work) => forVenue(app.deps, SLUG, work);
const readDay = async (query = ""): Promise<BookingDay> => (await host.call("GET", `/venues/${SLUG}/bookings${query}`)).body.data;

test("an evening is under way: every booking of the plan, walk-ins, a party that waits; a second start adds nothing", async () => {
  await startBookings(inVenue);
  const day = await readDay();
  const count = (isWanted: (booking: BookingDay["bookings"][number]) => boolean) => day.bookings.filter(isWanted).length;
  const ofPlan = (...states: string[]) => DEMO_BOOKINGS.filter(({ state, starts }) => states.includes(state) && starts < 600).length;
  expect(count(({ reservation }) => reservation.status === "confirmed")).toBe(ofPlan("expected", "arrived"));
  expect(count(({ arrived_at, seated_at }) => arrived_at !== null && seated_at === null)).toBe(1);
  expect(count(({ seated_at, left_at, is_walk_in }) => !is_walk_in && seated_at !== null && left_at === null)).toBe(ofPlan("seated"));
  expect(count(({ left_at }) => left_at !== null)).toBe(ofPlan("left"));
  expect(count(({ reservation }) => reservation.status === "no_show")).toBe(ofPlan("no_show"));
  expect(count(({ reservation }) => reservation.status === "pending")).toBe(ofPlan("pending"));
  expect(count(({ is_walk_in }) => is_walk_in)).toBe(2);
  expect(day.waitlist).toHaveLength(1);
  expect(day.bookings.every(({ table_ids }) => table_ids.length > 0)).toBe(true);
  await startBookings(inVenue);
  expect((await readDay()).bookings.length).toBe(day.bookings.length);
});

test("on the next day the parties of the last one have gone, and another evening is under way", async () => {
  app.clock.set("2026-11-19T13:20:00Z");
  await startBookings(inVenue);
  const here = (await readDay()).bookings.filter(({ seated_at, left_at }) => seated_at !== null && left_at === null);
  expect(here.every(({ starts_at }) => starts_at > "2026-11-19")).toBe(true);
  expect(here.length).toBe(4);
});

test("a venue that keeps its hours has bookings of the next evening, once", async () => {
  await createDemo(app.deps, "http://127.0.0.1", { tokenNames: ["full"] });
  app.clock.set("2026-11-23T19:30:00Z");
  for (let run = 0; run < 2; run++) await bookNextEvening(inVenue);
  const { bookings } = await readDay("?date=2026-11-24");
  const toCome = DEMO_BOOKINGS.filter(({ state, starts }) => (state === "expected" || state === "pending") && starts < 600);
  expect(bookings.map(({ reservation }) => reservation.name).toSorted()).toEqual(toCome.map(({ name }) => name).toSorted());
  expect(bookings[0]?.reservation.time).toBe("19:15");
});
