import type { bookingOperations } from "@comanda/contract/console/bookings.ts";
import type { VenueCalls } from "#http/console/calls.ts";
import { askForDeposit, refundSeenDeposit, takeSeenDeposit } from "#venue/bookings/deposits/service.ts";
import { listTimes, tryBooking } from "#venue/bookings/reservations/service/times.ts";
import { blockTables, endBlock } from "#venue/bookings/table-blocks/service.ts";
import {
  answerRequest,
  changeSeenBooking,
  findSeenBooking,
  listWalkInTables,
  makeBooking,
  readBookingDetails,
  readDay,
  readOneBooking,
  seatWalkIn,
  takeStep,
} from "./service.ts";

export const bookingCalls: Pick<VenueCalls, keyof typeof bookingOperations> = {
  readBookingDay: async (ctx, { query }) => {
    const { date, after } = query();
    return { data: await readDay(ctx, date, after) };
  },
  readBookingDetails: async (ctx, { uuid }) => ({ data: await readBookingDetails(ctx, uuid) }),
  findBookingTimes: async (ctx, { query }) => ({ data: await listTimes(ctx, query()) }),
  tryBooking: async (ctx, { query }) => ({ data: await tryBooking(ctx, query()) }),
  findWalkInTables: async (ctx, { query }) => ({ data: await listWalkInTables(ctx, query().branch ?? null) }),
  makeBooking: async (ctx, { body }) => ({ data: await makeBooking(ctx, body()) }),
  seatWalkIn: async (ctx, { body }) => ({ data: await seatWalkIn(ctx, body()) }),
  stepBooking: async (ctx, { uuid, body }) => ({ data: await takeStep(ctx, uuid, body()) }),
  answerBooking: async (ctx, { uuid, body }) => ({ data: await answerRequest(ctx, uuid, body()) }),
  changeBooking: async (ctx, { uuid, body }) => ({ data: await changeSeenBooking(ctx, uuid, body()) }),
  askDeposit: async (ctx, { uuid, body }) => {
    const { seen_version, amount_minor } = body();
    askForDeposit(ctx, await findSeenBooking(ctx, uuid, seen_version), amount_minor);
    return { data: await readOneBooking(ctx, uuid) };
  },
  takeDeposit: async (ctx, { uuid, body }) => {
    const { seen_version, method } = body();
    await takeSeenDeposit(ctx, await findSeenBooking(ctx, uuid, seen_version), method);
    return { data: await readOneBooking(ctx, uuid) };
  },
  refundDeposit: async (ctx, { uuid, body }) => {
    const { seen_version, reason } = body();
    await refundSeenDeposit(ctx, await findSeenBooking(ctx, uuid, seen_version), reason);
    return { data: await readOneBooking(ctx, uuid) };
  },
  blockTables: async (ctx, { body }) => ({ data: await blockTables(ctx, body()) }),
  endBlock: async (ctx, { uuid }) => {
    await endBlock(ctx, uuid);
    return { data: {} };
  },
};
