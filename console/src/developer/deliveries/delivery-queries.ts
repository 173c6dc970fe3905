import type { DeliveryRow } from "@comanda/contract/console-webhooks.ts";
import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { call, type Input } from "../../api.ts";
import { unlessLive } from "../../live-line.ts";
import { useToast } from "../../ui/toast.ts";
import type { DeliverySearch } from "../search.ts";
import { isEventId } from "../search.ts";
import type { Mark } from "../state-mark.tsx";
import { useVenue } from "../venue.ts";
import { type DeliveryPages, mergeNewest, watch } from "./live.ts";

const ROWS = 25;
const LIVE_EVERY_MS = 4000;

export const DELIVERY_MARKS: Record<DeliveryRow["state"], Mark> = {
  ready: "go",
  waiting: "wait",
  held: "hold",
  done: "good",
  failed: "bad",
};

export const isReplayable = ({ state }: Pick<DeliveryRow, "state">): boolean => state === "done" || state === "failed";

/** It has failed and waits for its next attempt, so it can be sent now. */
export const isRetryable = ({ state }: Pick<DeliveryRow, "state">): boolean => state === "waiting";

export type DeliveryFilter = Omit<DeliverySearch, "open">;

/** Half an event id is no question to ask; the field says so. */
const asked = ({ event, ...filter }: DeliveryFilter): DeliveryFilter => (event && isEventId(event) ? { ...filter, event } : filter);

const askFor = (venue: string, filter: DeliveryFilter, before: number) =>
  call("listDeliveries", { params: { venue }, query: { ...asked(filter), rows: ROWS, ...(before > 0 ? { before } : {}) } });

const deliveriesQuery = (venue: string, filter: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: ["deliveries", venue, asked(filter)],
    queryFn: ({ pageParam }) => askFor(venue, filter, pageParam),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
  });

/** The log, with its newest page kept as it is now. */
export const useDeliveries = (filter: DeliveryFilter) => {
  const venue = useVenue();
  const queryClient = useQueryClient();
  const options = deliveriesQuery(venue, filter);
  const deliveries = useInfiniteQuery(options);
  const key = JSON.stringify(options.queryKey);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says all that the question depends on.
  useEffect(
    () =>
      watch(LIVE_EVERY_MS, async () => {
        const newest = await askFor(venue, filter, 0);
        queryClient.setQueryData<DeliveryPages>(options.queryKey, (pages) => pages && mergeNewest(pages, newest));
      }),
    [key],
  );
  return deliveries;
};

const AGAIN_MS: Record<DeliveryRow["state"], number> = { ready: 1500, waiting: 5000, held: 15_000, done: 240_000, failed: 240_000 };

/** Renewed also when nothing can change any more: the command in it is signed for five minutes. */
export const deliveryQuery = (venue: string, id: number) =>
  queryOptions({
    queryKey: ["delivery", venue, id],
    queryFn: async () => (await call("readDelivery", { params: { venue, id } })).data,
    refetchInterval: ({ state }) => state.data !== undefined && (unlessLive(AGAIN_MS[state.data.state]) || AGAIN_MS.done),
  });

const useDeliveriesChanged = (venue: string) => {
  const queryClient = useQueryClient();
  return () =>
    Promise.all(["deliveries", "delivery", "webhooks"].map((name) => queryClient.invalidateQueries({ queryKey: [name, venue] })));
};

export const useReplay = (onDone?: () => void) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const deliveriesChanged = useDeliveriesChanged(venue);
  const toast = useToast();
  return useMutation({
    mutationFn: async (wanted: Input<"replayDeliveries">["body"]) =>
      (await call("replayDeliveries", { params: { venue }, body: wanted })).data,
    onSuccess: async ({ count, on_the_way, removed }) => {
      onDone?.();
      const told = [
        t("deliveries.replayed", { count }),
        on_the_way > 0 && t("deliveries.leftOnTheWay", { count: on_the_way }),
        removed > 0 && t("deliveries.leftRemoved", { count: removed }),
      ];
      toast.done(told.filter(Boolean).join(" "));
      await deliveriesChanged();
    },
    onError: toast.refused,
  });
};

/** Sends waiting deliveries now: those named, or all of one address. */
export const useRetry = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  const deliveriesChanged = useDeliveriesChanged(venue);
  const toast = useToast();
  return useMutation({
    mutationFn: async (wanted: Input<"retryDeliveries">["body"]) =>
      (await call("retryDeliveries", { params: { venue }, body: wanted })).data,
    onSuccess: async ({ count, still_waiting }) => {
      const told = [t("retry.done", { count }), still_waiting > 0 && t("retry.more", { count: still_waiting })];
      toast.done(told.filter(Boolean).join(" "));
      await deliveriesChanged();
    },
    onError: toast.refused,
  });
};
