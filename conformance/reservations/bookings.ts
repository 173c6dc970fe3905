/** Booking actions for the tests; those that return no answer expect success. */
import type { Availability, Reservation } from "@comanda/contract/venue/reservations.ts";
import type { CheckedAnswer } from "../answer-check.ts";
import { call, type Query } from "../client.ts";
import { clockOf, dayAhead } from "../days.ts";
import { expectStatus, uniqueName } from "../expectations.ts";
import { TABLE } from "../orders/counter.ts";
import { placeOrder } from "../orders/orders.ts";
import { lab, type Venue } from "../target.ts";
import { KIT_PHONE } from "./tidy.ts";

export type ReservationPage = {
  data: Reservation[];
  meta: { per_page: number; next_cursor: string | null; prev_cursor: string | null };
  links: { next: string | null; prev: string | null };
};

export type BookingFields = Readonly<Record<string, unknown>>;
type BookedSlot = { readonly date: string; readonly time: string };

export const bookingOf = (answer: CheckedAnswer): Reservation => (answer.body as unknown as { data: Reservation }).data;
export const bookingPageOf = (answer: CheckedAnswer): ReservationPage => answer.body as unknown as ReservationPage;

/**
 * Days of the lab that only one test uses, so that its tables are free there. All other tests book earlier days.
 * Numbers run from 0 to 59; bookings of earlier runs are cancelled.
 */
export const quietDay = (number: number): string => dayAhead(lab, FIRST_QUIET_DAY + number);

const FIRST_QUIET_DAY = 300;
const FIRST_BUSY_DAY = 10;
/** Every venue of the target accepts bookings for this many days ahead; the lab for a year. */
const busyDays = (venue: Venue): number => (venue === lab ? FIRST_QUIET_DAY - FIRST_BUSY_DAY : 40);

const anyOf = <T>(rows: readonly T[]): T | undefined => rows[Math.floor(Math.random() * rows.length)];

/** A date and time at which the venue has a free table for two. */
export const freeSlot = async (venue: Venue): Promise<BookedSlot> => {
  for (let attempt = 0; attempt < 20; attempt++) {
    const date = dayAhead(venue, FIRST_BUSY_DAY + Math.floor(Math.random() * busyDays(venue)));
    const slot = anyOf((await readDay(venue, date, 2)).slots.filter(({ available }) => available));
    if (slot) return { date, time: slot.time };
  }
  throw new Error(`Not found on the target: a free table of ${venue.slug}.`);
};

/** A body for POST /reservations: two people at a free time, unless the parts say otherwise. */
export const bookingBody = async (venue: Venue, parts: BookingFields = {}): Promise<BookingFields> => ({
  name: uniqueName("Booked"),
  phone: KIT_PHONE,
  party_size: 2,
  ...("date" in parts && "time" in parts ? {} : await freeSlot(venue)),
  ...parts,
});

export const postBooking = async (venue: Venue, parts: BookingFields = {}): Promise<CheckedAnswer> =>
  call(venue.tokens.full, "POST", "/reservations", { body: await bookingBody(venue, parts) });

/** Makes the booking of the parts; expects success. */
export const book = async (venue: Venue, parts: BookingFields = {}): Promise<Reservation> => {
  const answer = await postBooking(venue, parts);
  expectStatus(answer, 201);
  return bookingOf(answer);
};

export const getBooking = (venue: Venue, id: string): Promise<CheckedAnswer> => call(venue.tokens.full, "GET", `/reservations/${id}`);

export const readBooking = async (venue: Venue, id: string): Promise<Reservation> => {
  const answer = await getBooking(venue, id);
  expectStatus(answer, 200);
  return bookingOf(answer);
};

export const postCancel = (venue: Venue, id: string): Promise<CheckedAnswer> =>
  call(venue.tokens.full, "POST", `/reservations/${id}/cancel`);

export const cancel = async (venue: Venue, id: string): Promise<Reservation> => {
  const answer = await postCancel(venue, id);
  expectStatus(answer, 200);
  return bookingOf(answer);
};

export const askDay = (venue: Venue, query: Query | string): Promise<CheckedAnswer> =>
  call(venue.tokens.full, "GET", "/availability", { query });

export const readDay = async (venue: Venue, date: string, party_size: number): Promise<Availability> => {
  const answer = await askDay(venue, { date, party_size });
  expectStatus(answer, 200);
  return (answer.body as unknown as { data: Availability }).data;
};

/** The times of a day that can be booked. */
export const freeTimes = async (venue: Venue, date: string, party_size: number): Promise<string[]> =>
  (await readDay(venue, date, party_size)).slots.flatMap(({ time, available }) => (available ? [time] : []));

export const listBookings = async (venue: Venue, query: Query | string = ""): Promise<ReservationPage> => {
  const answer = await call(venue.tokens.full, "GET", "/reservations", { query });
  expectStatus(answer, 200);
  return bookingPageOf(answer);
};

/** Every booking the filter selects, page after page. */
export const allBookings = async (venue: Venue, query: Query = {}): Promise<Reservation[]> => {
  const rows: Reservation[] = [];
  let cursor: string | null = null;
  do {
    const page: ReservationPage = await listBookings(venue, { ...query, per_page: 100, ...(cursor ? { cursor } : {}) });
    rows.push(...page.data);
    cursor = page.meta.next_cursor;
  } while (cursor !== null);
  return rows;
};

export const idsOf = (bookings: readonly { id: string }[]): string[] => bookings.map(({ id }) => id);

export type TestTables = { readonly first: number; readonly second: number; readonly ofOtherBranch: number };

/** The ids of the lab's tables; the API shows a table only on `dine_in` orders. */
export const labTables = (): Promise<TestTables> => {
  surveyed ??= surveyTables();
  return surveyed;
};

let surveyed: Promise<TestTables> | undefined;

const surveyTables = async (): Promise<TestTables> => {
  const idOf = async (table_code: string): Promise<number> => {
    const { table } = await placeOrder(lab, { type: "dine_in", table_code });
    if (!table) throw new Error(`An order at the table ${table_code} shows no table.`);
    return table.id;
  };
  return { first: await idOf(TABLE.first), second: await idOf(TABLE.second), ofOtherBranch: await idOf(TABLE.ofOtherBranch) };
};

/** The day and minute some minutes ago, and the field that must be at fault: just after midnight the day was yesterday. */
export const minutesAgo = (venue: Venue, minutes: number): BookedSlot & { field: string } => {
  const then = clockOf(venue, -minutes);
  return { ...then, field: then.date === clockOf(venue).date ? "time" : "date" };
};
