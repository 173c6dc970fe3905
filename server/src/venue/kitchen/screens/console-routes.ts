import type { screenOperations } from "@comanda/contract/console/screens.ts";
import type { PublicCalls, RateBucket, VenueCalls } from "#http/console/calls.ts";
import type { Source } from "#lib/network-source.ts";
import { beginPairing, changeScreen, endScreen, listScreens, pairScreen, readOwnState } from "./service.ts";

/** A screen is paired once, and several venues may share an address. */
const PAIRINGS_PER_MINUTE = 30;
const MINUTE_SECONDS = 60;

/** How often codes are made, which costs work. How many wait is bounded too. An IPv6 /48 is counted as one address: its owner has 65,536 networks. */
const pairingBucket = ({ network }: Source): RateBucket => ({
  key: `pairing:network:${network}`,
  limit: PAIRINGS_PER_MINUTE,
  windowSeconds: MINUTE_SECONDS,
});

export const screenCalls: Pick<VenueCalls, Exclude<keyof typeof screenOperations, "startPairing" | "readScreen">> = {
  listScreens: async (ctx) => ({ data: await listScreens(ctx) }),

  pairScreen: async (ctx, { body }) => ({ data: await pairScreen(ctx, body()) }),

  changeScreen: async (ctx, { id, body }) => ({ data: await changeScreen(ctx, id, body) }),

  endScreen: async (ctx, { id }) => {
    await endScreen(ctx, id);
    return { data: {} };
  },
};

/** Calls of a device that may not be paired yet. */
export const pairingCalls: Pick<PublicCalls, "startPairing" | "readScreen"> = {
  startPairing: async (caller) => {
    await caller.countIn(pairingBucket(caller.source));
    const { secret, state } = await caller.inGlobalTransaction((ctx) =>
      beginPairing(ctx, { cookie: caller.screenCookie, client: caller.client, source: caller.source }),
    );
    caller.setScreenCookie(secret);
    return { data: state };
  },

  readScreen: async (caller) => ({ data: await caller.inGlobalTransaction((ctx) => readOwnState(ctx, caller.screenCookie)) }),
};
