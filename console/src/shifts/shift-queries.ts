/** The data of the pages of shifts. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#kit/api.ts";

/** A branch of null is the default one, and a week of null the present one. */
export type ChosenWeek = { branch: number | null; week: string | null };

export const shiftWeekQuery = (venue: string, { branch, week }: ChosenWeek) =>
  queryOptions({
    queryKey: ["shift-week", venue, branch, week],
    queryFn: async () =>
      (
        await call("readShiftWeek", {
          params: { venue },
          query: { ...(branch === null ? {} : { branch }), ...(week === null ? {} : { week_start: week }) },
        })
      ).data,
    placeholderData: keepPreviousData,
  });

export const ownShiftsQuery = (venue: string) =>
  queryOptions({
    queryKey: ["own-shifts", venue],
    queryFn: async () => (await call("readOwnShifts", { params: { venue } })).data,
  });

/** What a write of shifts may change. */
export const shiftKeys = (venue: string): string[][] => ["shift-week", "own-shifts"].map((name) => [name, venue]);
