import type { guestProfileOperations } from "@comanda/contract/console/guests.ts";
import type { VenueCalls } from "#http/console/calls.ts";
import { exportGuest } from "#venue/guest-records/erasure/service.ts";
import {
  changeSeenDetails,
  eraseSeenGuest,
  findGuests,
  mergeSeenGuests,
  readGuestProfile,
  recordSeenConsent,
  setSeenNote,
} from "./service.ts";

export const guestProfileCalls: Pick<VenueCalls, keyof typeof guestProfileOperations> = {
  findGuests: async (ctx, { query }) => ({ data: await findGuests(ctx, query().search) }),

  readGuestProfile: async (ctx, { id }) => ({ data: await readGuestProfile(ctx, id) }),

  setGuestNote: async (ctx, { id, body }) => {
    await setSeenNote(ctx, id, body);
    return { data: { id } };
  },

  changeGuestDetails: async (ctx, { id, body }) => {
    await changeSeenDetails(ctx, id, body);
    return { data: { id } };
  },

  recordGuestConsent: async (ctx, { id, body }) => {
    await recordSeenConsent(ctx, id, body);
    return { data: { id } };
  },

  mergeGuests: async (ctx, { id, body }) => {
    await mergeSeenGuests(ctx, id, body);
    return { data: { id } };
  },

  exportGuest: async (ctx, { id }) => ({ data: await exportGuest(ctx, id) }),

  eraseGuest: async (ctx, { id, body }) => ({ data: await eraseSeenGuest(ctx, id, body) }),
};
