import type { venueFileOperations } from "@comanda/contract/console/venue-file.ts";
import type { VenueCalls } from "#http/console/calls.ts";
import { compareWithVenue, exportForOwner, importForOwner } from "./service.ts";

export const venueFileCalls: Pick<VenueCalls, keyof typeof venueFileOperations> = {
  exportVenueFile: async (ctx) => ({ data: await exportForOwner(ctx) }),
  compareVenueFile: async (ctx, { body }) => ({ data: await compareWithVenue(ctx, body().text) }),
  importVenueFile: async (ctx, { body }) => ({ data: await importForOwner(ctx, body()) }),
};
