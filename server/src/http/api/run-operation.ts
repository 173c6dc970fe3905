/** Runs a read beside the token check, and a write in one transaction with its token check, its idempotency key and its locks. */
import type { Operation } from "@comanda/contract/operation.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { AccessLock } from "#db/access-locks.ts";
import { repeatOnContention } from "#db/repeat-on-contention.ts";
import { type BegunTransaction, withTenant } from "#db/with-tenant.ts";
import type { Deps } from "#deps.ts";
import { authorize, isExpired } from "#lib/authorization.ts";
import type { Actor, Ctx } from "#lib/context.ts";
import type { Principal } from "#lib/principal.ts";
import { venueNow } from "#lib/venue-clock.ts";
import type { ApiAnswer } from "../reply.ts";
import { requestOrigin } from "../request-origin.ts";
import { retryIfFaultDue } from "./answer-faults.ts";
import { requirePrincipal } from "./auth-state.ts";
import type { Authentication } from "./authentication.ts";
import { type Claim, claimKey, runOnce } from "./idempotency.ts";

export type Run = (ctx: Ctx) => Promise<ApiAnswer>;

export type RunningOperation = { deps: Deps; authentication: Authentication; request: FastifyRequest; reply: FastifyReply };

const contextOf = (deps: Deps, request: FastifyRequest, db: Ctx["db"]): Ctx => {
  const { tenant, actor } = requirePrincipal(request);
  return { tenant, actor, now: venueNow(deps.clock.now(), tenant), db, ...requestOrigin(request), cursorKey: deps.cursorKey };
};

/**
 * A principal from the cache is revalidated in the read's own round trip. If it changed, the read is repeated for the new one. After its first
 * read a request takes no fault: a call that waits reads again, and would repeat what it has read.
 */
export const runRead = async <T>({ deps, authentication, request, reply }: RunningOperation, run: (ctx: Ctx) => Promise<T>): Promise<T> => {
  const now = deps.clock.now();
  const read = () => run(contextOf(deps, request, deps.readBatcher.tenant(requirePrincipal(request).tenant.id)));
  if (!request.auth.mustBeAdmittedAgain) {
    const answer = await read();
    request.auth.isFaultDecided = true;
    return answer;
  }
  const [isUnchanged, answer] = await Promise.allSettled([authentication.admitAgain(request, reply, now), read()]);
  if (isUnchanged.status === "rejected") throw isUnchanged.reason;
  if (!isUnchanged.value) {
    retryIfFaultDue(request);
    return read();
  }
  request.auth.isFaultDecided = true;
  if (answer.status === "rejected") throw answer.reason;
  return answer.value;
};

/** `claim` throws when the key is invalid. */
export type Write = { operation: Operation; claim(): Claim | null; run: Run };

export const runWrite = (call: RunningOperation, write: Write): Promise<ApiAnswer> =>
  repeatOnContention(
    () => writeOnce(call, write),
    async (error) => error instanceof AccessChangedError && call.authentication.admitAgain(call.request, call.reply, error.at),
  );

/** The principal changed, or its access ended, after it was authenticated. Nothing was written. */
class AccessChangedError extends Error {
  // PostgreSQL's serialization failure: a caller whose access keeps changing is answered 503.
  readonly code = "40001";
  readonly at: Date;
  constructor(at: Date) {
    super("The caller's access changed during the request");
    this.at = at;
  }
}

/** A revocation takes the same locks exclusively, so it waits for running writes. */
const accessLocksOf = ({ tenant, appId }: Principal): AccessLock[] => [
  { of: "venue", id: tenant.id, mode: "shared" },
  ...(appId === null ? [] : [{ of: "app", id: appId, mode: "shared" } as const]),
];

/** The access check and the key travel with the begin. The change is dated by the transaction's start. */
const writeOnce = ({ deps, authentication, request }: RunningOperation, { operation, claim, run }: Write): Promise<ApiAnswer> => {
  const principal = requirePrincipal(request);
  const { tenant, actor } = principal;
  let claimed: Promise<Claimed>;
  const checkAccess = async ({ db, now: begunAt }: BegunTransaction): Promise<Actor> => {
    const unchanged = authentication.isUnchanged(db, principal);
    claimed = claimWith(contextOf(deps, request, db), claim);
    // An access error is reported before an error of the key (D27).
    claimed.catch(() => undefined);
    const [isUnchanged, now] = await Promise.all([unchanged, begunAt]);
    if (!isUnchanged || isExpired(principal, now) || authorize(principal, operation, now)) throw new AccessChangedError(now);
    return actor;
  };
  const options = {
    tenant,
    actor: checkAccess,
    from: requestOrigin(request),
    locks: accessLocksOf(principal),
    sandboxLock: operation.isAlone ? "exclusive" : "shared",
  } as const;
  return withTenant(deps, options, async (ctx) => {
    const { held, earlier } = await claimed;
    return earlier ?? (held ? runOnce(ctx, held, run) : run(ctx));
  });
};

type Claimed = { held: Claim | null; earlier: ApiAnswer | null };

const claimWith = async (ctx: Ctx, claim: Write["claim"]): Promise<Claimed> => {
  const held = claim();
  return { held, earlier: held && (await claimKey(ctx, held)) };
};
