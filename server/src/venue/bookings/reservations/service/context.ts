/** What the rules need to know about a day: hours, tables, and what holds them. */
import type { Ctx } from "#lib/context.ts";
import { addDays, type CalendarDate, startOfDay } from "#lib/instant.ts";
import { findBookingSettings } from "#venue/settings/service.ts";
import type { BookingContext } from "../rules/booking.ts";
import { heldUntil } from "../rules/presence.ts";
import { listBlockedTables, listHeldTables, listPresentParties, listTurnTimes, type PresentParty, type TurnTime } from "../store.ts";

export { listBlockedTables };

/** Reads from the day before to the day after: a stay may start late and end the next day. `movedId`: a booking does not stand in its own way. */
export const readBookingContext = async (ctx: Ctx, date: CalendarDate, movedId: string | null = null): Promise<BookingContext> => {
  const { zone } = ctx.tenant;
  const [settings, held] = await Promise.all([
    findBookingSettings(ctx),
    listHeldTables(ctx, startOfDay(zone, addDays(date, -1)), startOfDay(zone, addDays(date, 2))),
  ]);
  const { booking, branches, tables, combinations } = settings;
  const occupancies = held
    .filter(({ reservationId }) => movedId === null || reservationId !== movedId)
    .map(({ isPresent, reservationId: _, ...occupancy }) => ({ ...occupancy, toMs: heldUntil(occupancy, isPresent, ctx.now) }));
  return { zone, now: ctx.now, rules: booking, branches, tables, combinations, occupancies };
};

const DAY_MS = 24 * 60 * 60 * 1000;
const STAYS_SINCE_MS = 56 * DAY_MS;
const STAYS_MAX = 500;

/** How long parties stayed in the last eight weeks, and who is here now. */
export const readStays = async (ctx: Ctx): Promise<{ turns: TurnTime[]; present: PresentParty[] }> => {
  const since = new Date(ctx.now.getTime() - STAYS_SINCE_MS);
  const [turns, present] = await Promise.all([listTurnTimes(ctx, since, STAYS_MAX), listPresentParties(ctx)]);
  return { turns, present };
};
