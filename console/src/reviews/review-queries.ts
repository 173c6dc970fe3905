/** The data of the pages of reviews. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#kit/api.ts";

const ROWS = 25;

export const reviewDeskQuery = (venue: string) =>
  queryOptions({
    queryKey: ["review-desk", venue],
    queryFn: async () => (await call("readReviewDesk", { params: { venue } })).data,
  });

export const reviewsQuery = (venue: string, rating: number | null) =>
  infiniteQueryOptions({
    queryKey: ["reviews", venue, rating],
    queryFn: ({ pageParam }) =>
      call("findReviews", {
        params: { venue },
        query: { rows: ROWS, ...(rating === null ? {} : { rating }), ...(pageParam === null ? {} : { before: pageParam }) },
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });

export const reviewQuery = (venue: string, id: number) =>
  queryOptions({
    queryKey: ["review", venue, id],
    queryFn: async () => (await call("readReview", { params: { venue, id } })).data,
  });

/** What a write of reviews may change. */
export const reviewKeys = (venue: string): string[][] => ["review-desk", "reviews", "review"].map((name) => [name, venue]);
