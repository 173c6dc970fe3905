import type { DeliverySummary, WantedReplays } from "@comanda/contract/console/webhooks.ts";
import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { call, type KeyedCallInput } from "#kit/api.ts";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { pollUnlessStreaming } from "#shell/change-stream.ts";
import { useVenue } from "#shell/venue.ts";
import type { DeliverySearch } from "../search-params.ts";
import { isEventId } from "../search-params.ts";
import type { StateMarkKind } from "../state-mark.tsx";
import { type DeliveryPages, mergeNewest, refreshOnChange } from "./delivery-refresh.ts";

const ROWS = 25;
const LIVE_EVERY_MS = 4000;

export const DELIVERY_MARKS: Record<DeliverySummary["state"], StateMarkKind> = {
  ready: "go",
  waiting: "wait",
  held: "hold",
  done: "good",
  failed: "bad",
};

export const isReplayable = ({ state }: Pick<DeliverySummary, "state">): boolean => state === "done" || state === "failed";

/** A delivery that waits for its next attempt can be sent now. */
export const isRetryable = ({ state }: Pick<DeliverySummary, "state">): boolean => state === "waiting";

export type DeliveryListFilter = Omit<DeliverySearch, "open">;

/** An incomplete event id is not sent; the field shows an error. */
const asked = ({ event, ...filter }: DeliveryListFilter): DeliveryListFilter => (event && isEventId(event) ? { ...filter, event } : filter);

const askFor = (venue: string, filter: DeliveryListFilter, before: number) =>
  call("listDeliveries", { params: { venue }, query: { ...asked(filter), rows: ROWS, ...(before > 0 ? { before } : {}) } });

const deliveriesQuery = (venue: string, filter: DeliveryListFilter) =>
  infiniteQueryOptions({
    queryKey: ["deliveries", venue, asked(filter)],
    queryFn: ({ pageParam }) => askFor(venue, filter, pageParam),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
  });

/** The delivery list, with its newest page kept up to date. */
export const useDeliveries = (filter: DeliveryListFilter) => {
  const venue = useVenue();
  const queryClient = useQueryClient();
  const options = deliveriesQuery(venue, filter);
  const deliveries = useInfiniteQuery(options);
  const key = JSON.stringify(options.queryKey);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says all that the question depends on.
  useEffect(
    () =>
      refreshOnChange(LIVE_EVERY_MS, async () => {
        const newest = await askFor(venue, filter, 0);
        queryClient.setQueryData<DeliveryPages>(options.queryKey, (pages) => pages && mergeNewest(pages, newest));
      }),
    [key],
  );
  return deliveries;
};

const AGAIN_MS: Record<DeliverySummary["state"], number> = { ready: 1500, waiting: 5000, held: 15_000, done: 240_000, failed: 240_000 };

/** Refetches finished deliveries too: the curl command's signature is valid for five minutes. */
export const deliveryQuery = (venue: string, id: number) =>
  queryOptions({
    queryKey: ["delivery", venue, id],
    queryFn: async () => (await call("readDelivery", { params: { venue, id } })).data,
    refetchInterval: ({ state }) => state.data !== undefined && (pollUnlessStreaming(AGAIN_MS[state.data.state]) || AGAIN_MS.done),
  });

/** What is read again after deliveries were sent again. */
const changedBySending = (venue: string) => ["deliveries", "delivery", "webhooks"].map((name) => [name, venue]);

export const useReplay = (onDone?: () => void) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const { write, isPending } = useWrite<"replayDeliveries">({
    readAgain: changedBySending(venue),
    onDone: ({ data: { count, on_the_way, removed } }) => {
      onDone?.();
      const sentences = [
        t("deliveries.replayed", { count }),
        on_the_way > 0 && t("deliveries.leftOnTheWay", { count: on_the_way }),
        removed > 0 && t("deliveries.leftRemoved", { count: removed }),
      ];
      toast.done(sentences.filter(Boolean).join(" "));
    },
  });
  return { send: (body: WantedReplays) => write({ id: "replayDeliveries", params: { venue }, body }), isPending };
};

/** Sends waiting deliveries now: by id, or all of one endpoint. */
export const useRetry = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const { write, isPending } = useWrite<"retryDeliveries">({
    readAgain: changedBySending(venue),
    onDone: ({ data: { count, still_waiting } }) => {
      const sentences = [t("retry.done", { count }), still_waiting > 0 && t("retry.more", { count: still_waiting })];
      toast.done(sentences.filter(Boolean).join(" "));
    },
  });
  const send = (body: KeyedCallInput<"retryDeliveries">["body"]) => write({ id: "retryDeliveries", params: { venue }, body });
  return { send, isPending };
};
