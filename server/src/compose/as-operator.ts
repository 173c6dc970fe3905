/** Transactions that the operator causes: commands, imports, tests. */
import { userInfo } from "node:os";
import { repeatOnContention } from "#db/repeat-on-contention.ts";
import { type TenantAccess, withTenant } from "#db/with-tenant.ts";
import type { Deps } from "#deps.ts";
import type { Ctx, LockMode, Origin, Tenant } from "#lib/context.ts";
import { UserError } from "#lib/errors.ts";

const OPERATOR_CALLER = "operator";
export const OPERATOR_ORIGIN: Origin = { requestId: null, address: null };

/** `revokes`: the command ends an access, so it waits for running writes. */
export type OperatorOptions = { sandboxLock?: LockMode; revokes?: boolean };

/** One transaction for one venue. The audit names the operator's user name. */
export const asOperator = <T>(deps: Deps, tenant: Tenant, work: (ctx: Ctx) => Promise<T>, manner: OperatorOptions = {}): Promise<T> => {
  const access: TenantAccess = {
    tenant,
    actor: { kind: "operator", id: null, name: userInfo().username, scopes: [], caller: OPERATOR_CALLER },
    from: { log: deps.log, origin: OPERATOR_ORIGIN },
    locks: manner.revokes ? [{ of: "venue", id: tenant.id, mode: "exclusive" }] : [],
    sandboxLock: manner.sandboxLock ?? "shared",
  };
  const done = repeatOnContention(() => withTenant(deps, access, work));
  return manner.revokes ? done.catch((error: unknown) => explainBusy(tenant, error)) : done;
};

const LOCK_NOT_AVAILABLE = "55P03";

const explainBusy = ({ slug }: Tenant, error: unknown): never => {
  if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
  throw new UserError(`Writes of ${slug} were still running after two seconds. Nothing was changed: run the command again.`);
};
