/** The data of the gift card pages. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#kit/api.ts";

const ROWS = 25;

export const deskQuery = (venue: string) =>
  queryOptions({
    queryKey: ["gift-card-desk", venue],
    queryFn: async () => (await call("readGiftCardDesk", { params: { venue } })).data,
  });

/** All cards, those that a search finds, or those of a guest. */
export const cardsQuery = (venue: string, filter: { search?: string; guest?: number }) =>
  infiniteQueryOptions({
    queryKey: ["gift-cards", venue, filter],
    queryFn: ({ pageParam }) =>
      call("findGiftCards", {
        params: { venue },
        query: { rows: ROWS, ...filter, ...(pageParam === null ? {} : { before: pageParam }) },
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });

export const cardQuery = (venue: string, id: number) =>
  queryOptions({
    queryKey: ["gift-card", venue, id],
    queryFn: async () => (await call("readGiftCard", { params: { venue, id } })).data,
  });

/** What a write of cards may change. */
export const cardKeys = (venue: string): string[][] => ["gift-card", "gift-cards"].map((name) => [name, venue]);
