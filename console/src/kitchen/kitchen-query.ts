/** The display's data: one query, which asks for what changed after the position it has. */
import type { Kitchen } from "@comanda/contract/console/kitchen.ts";
import type { Screen } from "@comanda/contract/console/screens.ts";
import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call, isServiceAway } from "#kit/api.ts";
import { ageOf, type Stamp, stampNow } from "#kit/stamps.ts";
import { readKitchenCopy, saveKitchen } from "./kitchen-database.ts";
import { type KitchenState, mergeKitchen } from "./kitchen-state.ts";
import { isStreamSilent, onStreamHeard, useScreenStream } from "./screen-stream.ts";

const POLL_EVERY_MS = 4000;
/** A connection that takes everything and answers nothing must not look like a quiet kitchen. */
const ANSWER_MS_MAX = 10_000;
/** The kept kitchen is shown after this time. */
const FIRST_ANSWER_MS_MAX = 4000;
const SAVE_EVERY_MS = 1000;
const RENEW_EVERY_MS = 15_000;

export const KITCHEN_KEY = ["kitchen"] as const;

/** When the service last confirmed what the display has: by a reading, or by a beat after it. */
let confirmedAt: Stamp = { wall: 0, steady: Number.NEGATIVE_INFINITY };
let isWholeWanted = false;

/** The next reading does not rely on what the page has. */
export const wantWhole = (): void => {
  isWholeWanted = true;
};

/**
 * What changed after the position that is known. A whole answer is asked for when that is not enough: a kept kitchen can be hours old, one
 * that was cut lacks tickets that did not change, and a screen with other stations or another branch lacks the tickets of those.
 */
const readChanges = async (known: KitchenState | undefined): Promise<Kitchen> => {
  const isEnough = known !== undefined && known.copiedAt === undefined && !known.is_cut && !isWholeWanted;
  const waitMsMax = known ? ANSWER_MS_MAX : FIRST_ANSWER_MS_MAX;
  const wasWanted = isWholeWanted;
  isWholeWanted = false;
  try {
    const { data } = await call("readKitchen", { query: isEnough ? { after: known.position } : {}, waitMsMax });
    if (data.is_whole || !known || isSameView(known.screen, data.screen)) return data;
    return (await call("readKitchen", { query: {}, waitMsMax })).data;
  } catch (error) {
    // Without an answer it is still wanted.
    isWholeWanted ||= wasWanted;
    throw error;
  }
};

const isSameView = (a: Screen, b: Screen): boolean =>
  a.branch_id === b.branch_id && a.stations.length === b.stations.length && a.stations.every((station) => b.stations.includes(station));

export const kitchenQuery = queryOptions({
  queryKey: KITCHEN_KEY,
  queryFn: async ({ client }): Promise<KitchenState> => {
    const readKnown = () => client.getQueryData<KitchenState>(KITCHEN_KEY);
    const known = readKnown();
    try {
      const data = await readChanges(known);
      confirmedAt = stampNow();
      // A write may have been answered meanwhile.
      return mergeKitchen(readKnown(), data, Date.now());
    } catch (error) {
      const copy = known === undefined && isServiceAway(error) ? await readKitchenCopy(Date.now()).catch(() => null) : null;
      if (copy === null) throw error;
      return { ...copy.kitchen, copiedAt: copy.at };
    }
  },
  staleTime: 0,
  retry: false,
  structuralSharing: false,
  // Asked without a connection too: the answer is the kitchen that this device kept.
  networkMode: "always",
  refetchOnReconnect: true,
  refetchOnWindowFocus: true,
});

/** A reading that runs may have begun before the change, so another one follows it. It is not cut short: changes can come faster than answers. */
const createReader = (client: QueryClient) => {
  let [isRunning, isWantedAgain] = [false, false];
  return async (): Promise<void> => {
    isWantedAgain = isRunning || client.isFetching({ queryKey: KITCHEN_KEY }) > 0;
    if (isRunning) return;
    isRunning = true;
    for (let isDone = false; !isDone; ) {
      const isFollowed = isWantedAgain;
      isWantedAgain = false;
      await client.refetchQueries({ queryKey: KITCHEN_KEY }, { cancelRefetch: false });
      isDone = !isFollowed && !isWantedAgain;
    }
    isRunning = false;
  };
};

export const useKitchen = () => {
  const client = useQueryClient();
  const [read] = useState(() => createReader(client));
  useScreenStream(() => void read());
  useConfirmation(client);
  useEffect(() => {
    const timer = setInterval(() => {
      const state = client.getQueryState<KitchenState>(KITCHEN_KEY);
      const isWanted = isStreamSilent() || state?.status === "error" || state?.data?.copiedAt !== undefined;
      if (isWanted) void client.refetchQueries({ queryKey: KITCHEN_KEY }, { cancelRefetch: false });
    }, POLL_EVERY_MS);
    return () => clearInterval(timer);
  }, [client]);
  return useQuery(kitchenQuery);
};

/** A beat while nothing is unread confirms what the display has. */
const useConfirmation = (client: QueryClient): void => {
  useEffect(() => {
    return onStreamHeard(() => {
      const state = client.getQueryState<KitchenState>(KITCHEN_KEY);
      const isRead = state?.status === "success" && state.fetchStatus === "idle" && state.data?.copiedAt === undefined;
      if (isRead) confirmedAt = stampNow();
    });
  }, [client]);
};

/** How long ago the service confirmed what the display has. */
export const readConfirmedMs = (): number => ageOf(confirmedAt);

/** Keeps the last kitchen that was read. */
export const useKitchenCopies = (isEnded: () => boolean): void => {
  const client = useQueryClient();
  useEffect(() => startCopies(client, isEnded), [client, isEnded]);
};

const startCopies = (client: QueryClient, isEnded: () => boolean): (() => void) => {
  let [saved, savedAt]: [KitchenState | undefined, number] = [undefined, 0];
  const save = (): void => {
    // The copy is saved even when the latest reading failed: the last tickets may have come just before the connection was lost.
    const kitchen = client.getQueryData<KitchenState>(KITCHEN_KEY);
    if (isEnded() || !kitchen || kitchen.copiedAt !== undefined) return;
    if (kitchen === saved && Date.now() - savedAt < RENEW_EVERY_MS) return;
    [saved, savedAt] = [kitchen, Date.now()];
    // Without storage there is no copy, and everything else works.
    saveKitchen({ at: Date.now() - readConfirmedMs(), kitchen }).catch(() => undefined);
  };
  const timer = setInterval(save, SAVE_EVERY_MS);
  return () => clearInterval(timer);
};
