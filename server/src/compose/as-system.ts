import { withTenant } from "#db/with-tenant.ts";
import type { Actor } from "#lib/context.ts";
import type { InVenue } from "#platform/jobs/service.ts";
import { tenantById } from "#platform/tenants/service.ts";
import type { Deps } from "../deps.ts";

/** The service itself as the actor. */
export const SYSTEM: Actor = { kind: "system", id: null, name: "Comanda", scopes: [], caller: "system" };

/** A venue's transaction in which the service itself is the actor. */
export const asSystem =
  (deps: Deps, restaurantId: number): InVenue =>
  (work, sandboxLock = "shared") =>
    withTenant(
      deps,
      {
        tenant: tenantById(restaurantId),
        actor: SYSTEM,
        from: { log: deps.log, origin: { requestId: null, address: null } },
        sandboxLock,
      },
      work,
    );
