import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import type { MultiTransactionCalls, VenueTransactions } from "#http/console/calls.ts";
import type { Ctx, Tenant } from "#lib/context.ts";
import { apiError } from "#lib/errors.ts";
import { sandboxTenant } from "./rules/sample-data.ts";
import { findSandboxTenant, openSandbox, readSandbox, registerSandbox, renewSandboxToken, resetSandbox } from "./service.ts";
import { countContents } from "./store.ts";

/** Two transactions: the live restaurant finds its sandbox, the second one runs in the sandbox. */
type SandboxCallId = "readSandbox" | "openSandbox" | "resetSandbox";

export const sandboxCalls = (readSample: () => VenueFile): Pick<MultiTransactionCalls, SandboxCallId> => {
  const find = ({ inVenue }: VenueTransactions): Promise<Tenant | null> => inVenue((ctx) => findSandboxTenant(ctx, readSample()));
  return {
    async readSandbox(venues) {
      const tenant = await find(venues);
      return { data: tenant && (await venues.inTenant({ tenant }, presentSandbox)) };
    },
    async openSandbox(venues) {
      const sample = readSample();
      const tenant = await venues.inVenue(async (ctx) => sandboxTenant(await registerSandbox(ctx), ctx.tenant, sample));
      const open = async (ctx: Ctx) => ({ data: (await openSandbox(ctx, sample, null)) ?? (await renewSandboxToken(ctx, null)) });
      return venues.inTenant({ tenant, sandboxLock: "exclusive" }, (ctx) => venues.once(ctx, () => open(ctx)));
    },
    async resetSandbox(venues) {
      const tenant = await find(venues);
      if (!tenant) throw apiError("not_found");
      const reset = async (ctx: Ctx) => {
        await resetSandbox(ctx, null);
        return { data: {} };
      };
      return venues.inTenant({ tenant, sandboxLock: "exclusive" }, (ctx) => venues.once(ctx, () => reset(ctx)));
    },
  };
};

const presentSandbox = async (ctx: Ctx) => {
  const sandbox = await readSandbox(ctx);
  if (!sandbox) return null;
  const { token, reset_at, next_reset_at } = sandbox;
  return {
    created_at: sandbox.created_at.toISOString(),
    reset_at: reset_at?.toISOString() ?? null,
    next_reset_at: next_reset_at.toISOString(),
    token: token && {
      hint: token.hint,
      created_at: token.created_at.toISOString(),
      last_used_at: token.last_used_at?.toISOString() ?? null,
    },
    contents: await countContents(ctx),
  };
};
