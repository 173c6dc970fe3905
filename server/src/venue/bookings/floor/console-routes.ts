import type { floorOperations } from "@comanda/contract/console/floor.ts";
import type { VenueCalls } from "#http/console/calls.ts";
import { readFloor, readRules, saveFloor, saveRules } from "./service.ts";

export const floorCalls: Pick<VenueCalls, keyof typeof floorOperations> = {
  readFloor: async (ctx) => ({ data: await readFloor(ctx) }),
  saveFloor: async (ctx, { body }) => ({ data: await saveFloor(ctx, body()) }),
  readBookingRules: async (ctx) => ({ data: await readRules(ctx) }),
  saveBookingRules: async (ctx, { body }) => ({ data: await saveRules(ctx, body()) }),
};
