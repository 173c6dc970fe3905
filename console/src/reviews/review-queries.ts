/** The data of the pages of reviews. A refused write shows the present state and says who was faster. */
import type { ReviewRules } from "@comanda/contract/venue-file/review-rules.ts";
import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { CallError, type CallInput, call, isWorthRetrying } from "../api.ts";
import { useToast } from "../ui/toast.ts";

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

/** One tap is one write: its key is made with the tap, and a lost answer repeats it. */
const useReviewWrite = <Body, Answer>(
  venue: string,
  write: { send: (body: Body, key: string) => Promise<Answer>; onDone: (answer: Answer) => void; faster: (who: string) => string },
) => {
  const { t } = useTranslation();
  const toast = useToast();
  const queryClient = useQueryClient();
  const refresh = async (): Promise<void> => {
    await Promise.all(["review-desk", "reviews", "review"].map((name) => queryClient.invalidateQueries({ queryKey: [name, venue] })));
  };
  const { mutate, isPending } = useMutation({
    mutationFn: ({ body, key }: { body: Body; key: string }) => write.send(body, key),
    networkMode: "always",
    retry: isWorthRetrying,
    onSuccess: async (answer) => {
      await refresh();
      write.onDone(answer);
    },
    onError: (error) => {
      if (!(error instanceof CallError) || error.code !== "state_changed") return toast.refusal(error);
      const { changed_by: who } = error.details as { changed_by: string | null };
      void refresh();
      return toast.note(who === null ? t("reviews.fasterUnknown") : write.faster(who));
    },
  });
  return { isPending, write: (body: Body): void => mutate({ body, key: crypto.randomUUID() }) };
};

export const useSaveRules = (venue: string, onDone: (rules: ReviewRules) => void) => {
  const { t } = useTranslation();
  return useReviewWrite<CallInput<"saveReviewRules">["body"], { data: ReviewRules }>(venue, {
    send: (body, idempotencyKey) => call("saveReviewRules", { params: { venue }, idempotencyKey, body }),
    onDone: ({ data }) => onDone(data),
    faster: (who) => t("reviews.fasterRules", { who }),
  });
};

export const useReply = (venue: string, id: number, onDone: () => void) => {
  const { t } = useTranslation();
  return useReviewWrite<CallInput<"replyToReview">["body"], unknown>(venue, {
    send: (body, idempotencyKey) => call("replyToReview", { params: { venue, id }, idempotencyKey, body }),
    onDone,
    faster: (who) => t("reviews.fasterReply", { who }),
  });
};
