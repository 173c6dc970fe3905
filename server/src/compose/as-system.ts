import { withTenant } from "#db/with-tenant.ts";
import type { InVenue } from "#platform/jobs/service.ts";
import { tenantById } from "#platform/tenants/service.ts";
import type { Deps } from "../deps.ts";

/** A venue's transaction in which the service itself is the actor. */
export const asSystem =
  (deps: Deps, restaurantId: number): InVenue =>
  (work, sandboxLock = "shared") =>
    withTenant(
      deps,
      {
        tenant: tenantById(restaurantId),
        actor: { kind: "system", id: null, name: "Comanda", scopes: [], caller: "system" },
        from: { log: deps.log, origin: { requestId: null, address: null } },
        sandboxLock,
      },
      work,
    );
