/** What the service knows about this device, and the two changes that the device makes. */

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { CallError, call, hasErrorCode, isServiceAway } from "#kit/api.ts";
import { readStored, writeStored } from "#kit/stored.ts";
import { ENDED_SCREEN, KEPT_SCREEN, type KnownScreen, stepOf, takeAnswer, takeNewCode } from "./screen-view.ts";

const SCREEN_KEY = ["this-screen"] as const;
const PURPOSE_KEY = "comanda.screen.purpose";

/** What this device was paired for when it last asked: without a connection it shows what it has kept. */
export const readKnownPurpose = (): string => readStored(PURPOSE_KEY) ?? "";

const POLL_EVERY_MS = 2000;
const ASK_AGAIN_MS = 5000;
const RATE_LIMITED_MS = 10_000;
const ANSWER_MS_MAX = 4000;

/** A code is asked about until it is typed or expires. A device without any answer asks again: after a power cut it must come back without a tap. */
const nextPoll = (known: KnownScreen | undefined, error: unknown): number | false => {
  if (error instanceof CallError && hasErrorCode(error, "rate_limited"))
    return error.retryAfterSeconds === null ? RATE_LIMITED_MS : error.retryAfterSeconds * 1000;
  if (known === undefined) return error === null ? false : ASK_AGAIN_MS;
  if (known.isKept) return ASK_AGAIN_MS;
  return stepOf(known, Date.now()) === "code" ? POLL_EVERY_MS : false;
};

/** Without storage nothing was kept. */
const deleteKept = async (): Promise<void> => {
  const { deleteKitchen } = await import("#kitchen/kitchen-database.ts");
  await deleteKitchen().catch(() => undefined);
};

export const screenQuery = queryOptions({
  queryKey: SCREEN_KEY,
  queryFn: async ({ client }) => {
    const known = client.getQueryData<KnownScreen>(SCREEN_KEY);
    try {
      const { data } = await call("readScreen", { waitMsMax: ANSWER_MS_MAX });
      // It may have been ended while the device was off: no display is there to delete what it kept.
      if (data.screen === null && readKnownPurpose() !== "") await deleteKept();
      writeStored(PURPOSE_KEY, data.screen?.purpose ?? "");
      return takeAnswer(known, data);
    } catch (error) {
      const isKept = known === undefined || known.isKept === true;
      if (isKept && isServiceAway(error) && readKnownPurpose() !== "") return KEPT_SCREEN;
      throw error;
    }
  },
  staleTime: 0,
  retry: false,
  networkMode: "always",
  refetchInterval: ({ state }) => nextPoll(state.data, state.error),
  // The service drops a code about which no page asks, and a manager may type it on this device, on another page.
  refetchIntervalInBackground: true,
});

export const useStartPairing = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call("startPairing"),
    networkMode: "always",
    onSuccess: async ({ data }) => {
      // An answer that is on its way knows nothing of the new code.
      await queryClient.cancelQueries({ queryKey: SCREEN_KEY });
      queryClient.setQueryData(SCREEN_KEY, takeNewCode(data, Date.now()));
    },
  });
};

/** Deletes what was read as a screen of the venue. */
export const useDeleteVenueData = () => {
  const queryClient = useQueryClient();
  return (): void => {
    writeStored(PURPOSE_KEY, "");
    queryClient.setQueryData(SCREEN_KEY, ENDED_SCREEN);
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SCREEN_KEY[0] });
  };
};
