import type { VenueFile } from "@comanda/contract/venue-file.ts";
import type { Entrances, WideCall } from "#http/console-calls.ts";
import type { Ctx, Tenant } from "#lib/context.ts";
import { fail } from "#lib/errors.ts";
import { sandboxTenant } from "./rules.ts";
import { countContents, openSandbox, readSandbox, registerSandbox, renewSandboxToken, resetSandbox, sandboxIdOf } from "./service.ts";

/** Two venues in turn: the restaurant says which sandbox is its own, and everything else happens there. */
type Ids = "readSandbox" | "openSandbox" | "resetSandbox";

export const sandboxCalls = (sample: VenueFile): { [I in Ids]: WideCall<I> } => {
  const find = ({ inVenue }: Entrances): Promise<Tenant | null> =>
    inVenue(async (ctx) => {
      const id = await sandboxIdOf(ctx);
      return id === null ? null : sandboxTenant(id, ctx.tenant, sample);
    });
  return {
    async readSandbox(venues) {
      const tenant = await find(venues);
      return { data: tenant && (await venues.inTenant({ tenant }, describe)) };
    },
    async openSandbox(venues) {
      const tenant = await venues.inVenue(async (ctx) => sandboxTenant(await registerSandbox(ctx), ctx.tenant, sample));
      const token = await venues.inTenant(
        { tenant, entrance: "alone" },
        async (ctx) => (await openSandbox(ctx, sample, null)) ?? (await renewSandboxToken(ctx, null)),
      );
      return { data: token };
    },
    async resetSandbox(venues) {
      const tenant = await find(venues);
      if (!tenant) throw fail("not_found");
      await venues.inTenant({ tenant, entrance: "alone" }, (ctx) => resetSandbox(ctx, null));
      return { data: {} };
    },
  };
};

const describe = async (ctx: Ctx) => {
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
