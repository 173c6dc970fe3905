import type { tillOperations } from "@comanda/contract/console/till.ts";
import type { VenueCalls } from "#http/console/calls.ts";
import type { EncryptionKey } from "#lib/encryption.ts";
import { connectTill, disconnectTill, readVenueTill } from "./service.ts";

export const tillCalls = (encryptionKeys: readonly EncryptionKey[]): Pick<VenueCalls, keyof typeof tillOperations> => ({
  readTill: async (ctx) => ({ data: await readVenueTill(ctx) }),
  connectTill: async (ctx, { body }) => ({ data: await connectTill(ctx, body(), encryptionKeys) }),
  async disconnectTill(ctx, { body }) {
    await disconnectTill(ctx, body());
    return { data: {} };
  },
});
