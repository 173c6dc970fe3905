/** The data of the bookings page: one query for each day, which asks for what changed after the position it has. */
import type { DayBooking } from "@comanda/contract/console/bookings.ts";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { call } from "#kit/api.ts";
import { pollUnlessStreaming } from "#shell/change-stream.ts";
import { type DayState, mergeDay, mergeWrittenBooking } from "./day-state.ts";

const POLL_EVERY_MS = 4000;
const ANSWER_MS_MAX = 10_000;

/** An empty date is today on the venue's clock. */
const dayKey = (venue: string, date: string) => ["booking-day", venue, date] as const;

export const dayQuery = (venue: string, date: string) =>
  queryOptions({
    queryKey: dayKey(venue, date),
    queryFn: async ({ client }): Promise<DayState> => {
      const readKnown = () => client.getQueryData<DayState>(dayKey(venue, date));
      const read = async (after: { after?: string }) => {
        const query = { ...(date === "" ? {} : { date }), ...after };
        return (await call("readBookingDay", { params: { venue }, query, waitMsMax: ANSWER_MS_MAX })).data;
      };
      const known = readKnown();
      const changes = await read(known === undefined || known.is_cut ? {} : { after: known.position });
      // After midnight the page of today shows another day: what changed is not enough for that.
      const data = changes.is_whole || changes.date === known?.date ? changes : await read({});
      const latest = readKnown();
      return mergeDay(latest?.date === data.date ? latest : undefined, data, Date.now());
    },
    staleTime: 0,
    structuralSharing: false,
    refetchInterval: ({ state }) => (state.status === "error" ? POLL_EVERY_MS : pollUnlessStreaming(POLL_EVERY_MS)),
  });

/** Takes over the answer to a write on every day that is loaded: the booking may have moved to another one. */
export const applyBooking = (client: QueryClient, venue: string, written: DayBooking): void =>
  void client.setQueriesData<DayState>({ queryKey: ["booking-day", venue] }, (known) => known && mergeWrittenBooking(known, written));

/** What a write of the day may change. */
export const bookingKeys = (venue: string): string[][] => ["booking-day", "booking"].map((name) => [name, venue]);

export const bookingDetailsQuery = (venue: string, reservation: string) =>
  queryOptions({
    queryKey: ["booking", venue, reservation],
    queryFn: async () => (await call("readBookingDetails", { params: { venue, reservation }, waitMsMax: ANSWER_MS_MAX })).data,
  });

export const bookingTimesQuery = (venue: string, wish: { date: string; party_size: number; branch?: number; moved?: string }) =>
  queryOptions({
    queryKey: ["booking-times", venue, wish],
    queryFn: async () => (await call("findBookingTimes", { params: { venue }, query: wish, waitMsMax: ANSWER_MS_MAX })).data,
    enabled: wish.date !== "" && wish.party_size > 0,
    staleTime: 0,
  });

export const walkInTablesQuery = (venue: string, branch: number | null) =>
  queryOptions({
    queryKey: ["walk-in-tables", venue, branch],
    queryFn: async () =>
      (await call("findWalkInTables", { params: { venue }, query: branch === null ? {} : { branch }, waitMsMax: ANSWER_MS_MAX })).data,
    staleTime: 0,
  });

export const waitQuoteQuery = (venue: string, partySize: number, branch: number | null) =>
  queryOptions({
    queryKey: ["wait-quote", venue, partySize, branch],
    queryFn: async () => {
      const query = { party_size: partySize, ...(branch === null ? {} : { branch }) };
      return (await call("quoteWait", { params: { venue }, query, waitMsMax: ANSWER_MS_MAX })).data;
    },
    staleTime: 0,
  });
