import type { screenOperations } from "@comanda/contract/console/screens.ts";
import type { PublicCalls, VenueCalls } from "#http/console/operations.ts";
import { beginPairing, changeScreen, endScreen, listScreens, pairScreen, readOwnState } from "./service.ts";

/** Per minute and address, times the people who may share it: a screen is paired once. */
const PAIRINGS_PER_MINUTE = 5;

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
    await caller.count("pairing", PAIRINGS_PER_MINUTE);
    const { secret, state } = await caller.inGlobalTransaction((ctx) => beginPairing(ctx, caller.screenCookie, caller.client));
    caller.setScreenCookie(secret);
    return { data: state };
  },

  readScreen: async (caller) => ({ data: await caller.inGlobalTransaction((ctx) => readOwnState(ctx, caller.screenCookie)) }),
};
