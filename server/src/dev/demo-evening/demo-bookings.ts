/** Bookings of made-up guests: an evening under way, or the next evening of a venue that keeps its hours. */
import type { Ctx } from "#lib/context.ts";
import { ApiError } from "#lib/errors.ts";
import { addDays, formatDate, instantAt, parseDate } from "#lib/instant.ts";
import { serviceDay } from "#lib/service-day.ts";
import { wallClock } from "#lib/time-zone.ts";
import { findReservationForChange, makeStaffReservation } from "#venue/bookings/reservations/service/bookings.ts";
import { readDayBookings } from "#venue/bookings/reservations/service/day.ts";
import { markArrived, markLeft, markNoShow, seatExpected, seatParty } from "#venue/bookings/reservations/service/presence.ts";
import { addParty } from "#venue/bookings/waitlist/service.ts";
import { DEMO_PHONE } from "./demo-orders.ts";

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
const DAY_MINUTES = 24 * 60;
const EVENING_MINUTE = 19 * 60;
const BOOKINGS_MAX = 500;
/** Bookings and parties of an earlier run that are so far past their time are ended at the start. */
const OVER_MS = 60 * MINUTE_MS;
/** Guests of bookings have other numbers than those of orders. */
const FIRST_NUMBER = 41;

type DemoBooking = {
  name: string;
  /** Minutes from now. */
  starts: number;
  party: number;
  state: "left" | "seated" | "no_show" | "arrived" | "expected" | "pending";
  note?: string;
};

export const DEMO_BOOKINGS: readonly DemoBooking[] = [
  { name: "Famiglia Rossi", starts: -105, party: 4, state: "left" },
  { name: "Teresa Lombardi", starts: -75, party: 4, state: "seated", note: "Nut allergy" },
  { name: "Giorgio Basile", starts: -45, party: 2, state: "no_show" },
  { name: "Anna e Piero Longo", starts: -30, party: 6, state: "seated" },
  { name: "Silvia Marino", starts: -10, party: 2, state: "arrived" },
  { name: "Tommaso Fabbri", starts: 15, party: 2, state: "expected", note: "By the window" },
  { name: "Francesca Sala", starts: 30, party: 4, state: "expected" },
  { name: "Omar Haddad", starts: 45, party: 3, state: "expected", note: "One high chair" },
  { name: "Beatrice Costa", starts: 75, party: 2, state: "expected" },
  { name: "Studio Moretti", starts: 90, party: 7, state: "expected", note: "Birthday: a cake with the dessert" },
  { name: "Lucia Ferrara", starts: 120, party: 4, state: "expected" },
  { name: "Ivan Pellegrini", starts: 135, party: 2, state: "pending" },
  { name: "Camilla Greco", starts: DAY_MINUTES, party: 6, state: "pending", note: "Is there a ramp?" },
];

export type InDemoVenue = <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>;

/** All tables may be taken, and a person may have changed a booking in the meantime. The demo then does nothing. */
const unlessRefused = async (work: Promise<unknown>): Promise<void> => {
  await work.catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
  });
};

const phoneOf = (place: number): string => `${DEMO_PHONE}${FIRST_NUMBER + place}`;
const isOfDemo = ({ reservation: { phone }, is_walk_in }: { reservation: { phone: string }; is_walk_in: boolean }): boolean =>
  phone.startsWith(DEMO_PHONE) || is_walk_in;
/** Returns the context of another moment. */
const at = (ctx: Ctx, now: Date): Ctx => ({ ...ctx, now });
const minutesAfter = (moment: Date, minutes: number): Date => new Date(moment.getTime() + minutes * MINUTE_MS);

/** What happened since the guests booked, each at its own time. */
const liveThrough = async (ctx: Ctx, id: string, startsAt: Date, state: DemoBooking["state"]): Promise<void> => {
  const read = () => findReservationForChange(ctx, id);
  if (state === "arrived") markArrived(at(ctx, minutesAfter(startsAt, 5)), await read());
  if (state === "no_show") await markNoShow(at(ctx, minutesAfter(startsAt, 30)), await read());
  if (state === "seated" || state === "left") await seatExpected(at(ctx, minutesAfter(startsAt, 4)), await read());
  if (state === "left") markLeft(at(ctx, minutesAfter(ctx.now, -6)), await read());
};

const book = async (ctx: Ctx, { name, party, state, note = "" }: DemoBooking, startsAt: Date, phone: string): Promise<void> => {
  const clock = wallClock(ctx.tenant.zone, startsAt);
  const time = [clock.hour, clock.minute].map((part) => String(part).padStart(2, "0")).join(":");
  const booker = { name, phone, note, status: state === "pending" ? ("pending" as const) : ("confirmed" as const) };
  const wish = { party_size: party, date: formatDate(clock), time, table_ids: [] };
  const madeAt = new Date(Math.min(ctx.now.getTime(), startsAt.getTime() - 2 * 60 * MINUTE_MS));
  const { id } = await makeStaffReservation(at(ctx, madeAt), booker, wish);
  await liveThrough(ctx, id, startsAt, state);
};

const readToday = async (ctx: Ctx) => {
  const day = parseDate(serviceDay(ctx.tenant.zone, ctx.now));
  return day === null ? [] : (await readDayBookings(ctx, day, BOOKINGS_MAX)).filter(isOfDemo);
};

/** Parties of an earlier run have gone home. */
const endLeftOvers = async (ctx: Ctx): Promise<void> => {
  for (const { reservation, ends_at, left_at } of await readToday(ctx)) {
    if (ctx.now.getTime() - new Date(ends_at).getTime() < OVER_MS) continue;
    if (reservation.status === "seated" && left_at === null) markLeft(ctx, await findReservationForChange(ctx, reservation.id));
    if (reservation.status === "confirmed") await markNoShow(ctx, await findReservationForChange(ctx, reservation.id));
  }
};

const isToCome = (now: Date, { reservation, starts_at }: Awaited<ReturnType<typeof readToday>>[number]): boolean =>
  reservation.status === "confirmed" && new Date(starts_at) > now;

const addWaiting = async (ctx: Ctx): Promise<void> => {
  const waiting = { name: "Nadia Bruno", phone: phoneOf(DEMO_BOOKINGS.length), party_size: 8, note: "Waits at the bar" };
  await addParty(at(ctx, minutesAfter(ctx.now, -12)), waiting);
};

const seatWalkIn = async (ctx: Ctx, minutesAgo: number, partySize: number): Promise<void> => {
  await seatParty(at(ctx, minutesAfter(ctx.now, -minutesAgo)), { party_size: partySize, branch_id: null, table_ids: [] });
};

/** Fills a venue that is open at any hour. A run that finds bookings to come adds none. */
export const startBookings = async (inVenue: InDemoVenue): Promise<void> => {
  await unlessRefused(inVenue(endLeftOvers));
  if (await inVenue(async (ctx) => (await readToday(ctx)).some((booking) => isToCome(ctx.now, booking)))) return;
  for (const [place, booking] of DEMO_BOOKINGS.entries())
    await unlessRefused(
      inVenue((ctx) => {
        const quarter = Math.floor(ctx.now.getTime() / QUARTER_MS) * QUARTER_MS;
        return book(ctx, booking, minutesAfter(new Date(quarter), booking.starts), phoneOf(place));
      }),
    );
  for (const [minutesAgo, partySize] of [
    [40, 2],
    [12, 3],
  ] as const)
    await unlessRefused(inVenue((ctx) => seatWalkIn(ctx, minutesAgo, partySize)));
  await unlessRefused(inVenue(addWaiting));
};

/** Fills a venue that keeps its hours with bookings of this evening or, when it has begun, of the next one. */
export const bookNextEvening = async (inVenue: InDemoVenue): Promise<void> => {
  const opens = await inVenue(async ({ tenant: { zone }, now }) => {
    const clock = wallClock(zone, now);
    const tonight = instantAt(zone, clock, EVENING_MINUTE);
    return tonight > now ? tonight : instantAt(zone, addDays(clock, 1), EVENING_MINUTE);
  });
  const isBooked = await inVenue(async (ctx) =>
    (await readDayBookings(ctx, wallClock(ctx.tenant.zone, opens), BOOKINGS_MAX)).some((booking) => isOfDemo(booking)),
  );
  if (isBooked) return;
  const toCome = DEMO_BOOKINGS.filter(({ state, starts }) => (state === "expected" || state === "pending") && starts < DAY_MINUTES);
  for (const [place, booking] of toCome.entries())
    await unlessRefused(inVenue((ctx) => book(ctx, booking, minutesAfter(opens, booking.starts), phoneOf(place))));
};
