import type { venueSettingsOperations } from "@comanda/contract/console/venue-settings.ts";
import type { VenueCalls } from "#http/console/calls.ts";
import { closeBranchOn, openBranchOn, saveBranches } from "./service/branches.ts";
import { readVenueSettings, saveRestaurant } from "./service/restaurant.ts";
import { saveCharges, saveOrdering, trySampleReceipt } from "./service/sales-rules.ts";

export const venueSettingsCalls: Pick<VenueCalls, keyof typeof venueSettingsOperations> = {
  readVenueSettings: async (ctx) => ({ data: await readVenueSettings(ctx) }),
  saveRestaurant: async (ctx, { body }) => ({ data: await saveRestaurant(ctx, body()) }),
  saveBranches: async (ctx, { body }) => ({ data: await saveBranches(ctx, body()) }),
  closeBranchOn: async (ctx, { body }) => ({ data: await closeBranchOn(ctx, body()) }),
  openBranchOn: async (ctx, { body }) => ({ data: await openBranchOn(ctx, body()) }),
  saveOrdering: async (ctx, { body }) => ({ data: await saveOrdering(ctx, body()) }),
  saveCharges: async (ctx, { body }) => ({ data: await saveCharges(ctx, body()) }),
  trySampleReceipt: async (ctx, { body }) => ({ data: await trySampleReceipt(ctx, body()) }),
};
