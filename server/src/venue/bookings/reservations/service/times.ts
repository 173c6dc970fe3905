/** Free times, and whether a party could be booked. */
import type { BookingTrial } from "@comanda/contract/console/bookings.ts";
import type { Ctx } from "#lib/context.ts";
import { validationError } from "#lib/errors.ts";
import { type CalendarDate, parseDate } from "#lib/instant.ts";
import { wallClock } from "#lib/time-zone.ts";
import { presentRefusals } from "../present.ts";
import { decideBooking, decideGuarantee } from "../rules/booking.ts";
import { bookingErrors, refuseBooking } from "../rules/refusals.ts";
import { serviceSpans, timesOf } from "../rules/spans.ts";
import { readBookingContext } from "./context.ts";

type TimesQuery = { date: string; party_size: number; branch?: number | undefined; moved?: string | undefined };

/** Applies the rules for staff: no lead time, and any size that finds tables. */
export const listTimes = async (ctx: Ctx, { date, party_size, branch, moved }: TimesQuery) => {
  const day = parseDate(date);
  if (!day) throw validationError(bookingErrors(refuseBooking("date", "not_a_date")));
  const context = await readBookingContext(ctx, day, moved ?? null);
  return timesOf(context, day, branch ?? null).map((time) => {
    const decided = decideBooking({ party_size, date, time, table_ids: [], branch_id: branch ?? null }, context, { isStaff: true });
    return { time, is_free: !("refusals" in decided), table_ids: "refusals" in decided ? [] : decided.tableIds };
  });
};

/** Decides as the API would for a guest. */
export const tryBooking = async (
  ctx: Ctx,
  { date, time, party_size }: { date: string; time: string; party_size: number },
): Promise<BookingTrial> => {
  const day = parseDate(date);
  if (!day) throw validationError(bookingErrors(refuseBooking("date", "not_a_date")));
  const context = await readBookingContext(ctx, day);
  const decided = decideBooking({ party_size, date, time, table_ids: [] }, context);
  const hasTables = context.tables.length > 0;
  if ("refusals" in decided)
    return {
      is_possible: false,
      table_ids: [],
      is_unchecked: !hasTables,
      is_overbooked: false,
      ends_at: null,
      guarantee: null,
      refusals: presentRefusals(decided.refusals),
    };
  const { tableIds, startsAt, endsAt } = decided;
  return {
    is_possible: true,
    table_ids: tableIds,
    is_unchecked: !hasTables,
    is_overbooked: hasTables && tableIds.length === 0,
    ends_at: endsAt.toISOString(),
    guarantee: decideGuarantee(context.rules, party_size, wallClock(context.zone, startsAt)),
    refusals: [],
  };
};

/** When each branch serves on that day, and how the owner divides it. */
export const readServiceDay = async (ctx: Ctx, day: CalendarDate) => {
  const context = await readBookingContext(ctx, day);
  const spans = serviceSpans(context, day).map(({ branchId, from, to }) => ({
    branch_id: branchId,
    from: from.toISOString(),
    to: to.toISOString(),
  }));
  return { spans, slot_minutes: context.rules.slot_minutes, party_size_max: context.rules.party_size_max };
};
