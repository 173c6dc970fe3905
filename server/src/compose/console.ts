/** Composes the console: sessions, roles and transactions around the calls of `handlers.ts`. */
import type { ConsoleOperation } from "@comanda/contract/console/operation.ts";
import type { FastifyRequest } from "fastify";
import type { AccessLock } from "#db/access-locks.ts";
import { inGlobalTransaction } from "#db/global-transaction.ts";
import { openDb } from "#db/pool.ts";
import { repeatOnContention } from "#db/repeat-on-contention.ts";
import { lockSandbox, tryLockReset } from "#db/sandbox-lock.ts";
import { type BegunTransaction, type TenantAccess, withTenant } from "#db/with-tenant.ts";
import type { AuthenticatedCall, ConsoleHandlers, RunInInvitingVenue, RunInNewVenue, RunInVenue } from "#http/console/calls.ts";
import { isOfSandbox, venueOf } from "#http/console/path-values.ts";
import { cookieOf, screenCookieOf } from "#http/console/session-cookie.ts";
import type { RateLimiter } from "#http/rate-limit.ts";
import { isSameOrigin, requestOrigin } from "#http/request-origin.ts";
import type { Actor, Ctx, GlobalContext, TenantById } from "#lib/context.ts";
import { apiError } from "#lib/errors.ts";
import type { PairedScreen, SessionVenue, UserSession } from "#lib/principal.ts";
import type { Sender } from "#platform/events/webhooks/send/sender.ts";
import { touchStaff } from "#platform/people/memberships/service.ts";
import { isRecentPassword, mayActAs } from "#platform/sign-in/accounts/rules.ts";
import {
  authenticateSession,
  listInvitations,
  listMemberships,
  noteSessionVenue,
  revalidateSession,
} from "#platform/sign-in/accounts/service.ts";
import { hasFeature, readRestaurant, stateOf, tenantById, tenantOf } from "#platform/tenants/service.ts";
import { newRestaurantId } from "#platform/tenants/store.ts";
import { authenticateScreen, screenActor } from "#venue/kitchen/screens/service.ts";
import type { Deps } from "../deps.ts";
import { consoleCalls } from "./handlers.ts";
import { signUpRules } from "./sign-up-plan.ts";

export const createConsole = (deps: Deps, limiter: RateLimiter, sender: Sender): ConsoleHandlers => {
  const { config, pool } = deps;
  const { encryptionKeys } = config;
  const remainingOf = async (caller: string, rate: number | null) => (await limiter.peek?.(caller, rate ?? config.ratePerMinute)) ?? null;
  return {
    authenticate: (cookie, slug, now) => authenticateSession({ db: openDb(pool), now }, cookie, slug),
    ...transactionsFor(deps),
    ...screensFor(deps),
    ...consoleCalls({ encryptionKeys, remainingOf, sender, signUp: signUpRules(deps) }),
  };
};

type TransactionNames = "inVenue" | "inTenant" | "inGlobalTransaction" | "inNewVenue" | "inInvitingVenue";

const transactionsFor = (deps: Deps): Pick<ConsoleHandlers, TransactionNames> => ({
  inNewVenue: (call) => newVenueRunner(deps, call),
  inInvitingVenue: ({ request }) => linkVenueRunner(deps, request),
  inVenue: (call, work) => {
    if (call.operation.who === "invited") return invitedRunner(deps, call)(work);
    const { restaurant_id: venue, sandbox_id } = membershipOf(call);
    const sandbox = isOfSandbox(call.request) ? sandbox_id : null;
    const actor = async (begun: BegunTransaction) => memberActor({ ...call, session: await revalidatedSession(deps, call, begun) });
    const access: TenantAccess = {
      tenant: servedTenant(deps, call.operation, sandbox ?? venue),
      actor,
      from: requestOrigin(call.request),
      locks: locksOf(call, sandbox === null ? { venue } : { venue, sandbox }),
      ...(isWrite(call) ? { sandboxLock: "shared" } : {}),
    };
    return repeatOnContention(() =>
      withTenant(deps, access, (ctx) => {
        if (sandbox === null && (isWrite(call) || isSameOrigin(deps, call.request))) noteUse(ctx, call);
        return work(ctx);
      }),
    );
  },
  inTenant: (call, { tenant, sandboxLock = "shared" }, work) => {
    const from = requestOrigin(call.request);
    const locks = locksOf(call, { venue: membershipOf(call).restaurant_id, sandbox: tenant.id });
    const actor = async (begun: BegunTransaction) => memberActor({ ...call, session: await revalidatedSession(deps, call, begun) });
    if (sandboxLock === "shared") return withTenant(deps, { tenant, actor, from, locks, sandboxLock }, work);
    const claimAndCheck = async (begun: BegunTransaction) => (await Promise.all([actor(begun), tryLockReset(begun.db, tenant)]))[0];
    return withTenant(deps, { tenant, actor: claimAndCheck, from, locks }, (ctx) => {
      // Locked after the claim, because only one reset may wait for this lock.
      lockSandbox(ctx.db, tenant, sandboxLock);
      return work(ctx);
    });
  },
  inGlobalTransaction: ({ session, ...call }, work) => {
    const from = requestOrigin(call.request);
    if (session === null || !isWrite(call)) return inGlobalTransaction(deps, from, work);
    const personal = { ...call, session };
    return inGlobalTransaction(deps, from, work, { locks: locksOf(personal), check: (begun) => revalidatedSession(deps, personal, begun) });
  },
});

/** The venue's lock is exclusive, because its suspension is part of the commit. No other request knows its id. */
const newVenueRunner =
  (deps: Deps, { session, ...call }: AuthenticatedCall<UserSession | null>): RunInNewVenue =>
  (prepare, work) => {
    let attempt = 0;
    return repeatOnContention(async () => {
      const { tenant, actor } = await prepare(attempt++);
      const id = await newRestaurantId(openDb(deps.pool));
      const personal = session && { ...call, session };
      const check = async (begun: BegunTransaction): Promise<Actor> => {
        if (personal) await revalidatedSession(deps, personal, begun);
        return actor;
      };
      const locks: AccessLock[] = [{ of: "venue", id, mode: "exclusive" }, ...(personal ? locksOf(personal) : [])];
      return withTenant(deps, { tenant: { id, ...tenant }, actor: check, from: requestOrigin(call.request), locks }, work);
    });
  };

/**
 * Serves a person who was invited or is a member. It gives no access, so it requires neither role nor second factor. Until there is a
 * membership the venue learns the address only, which it typed itself.
 */
const invitedRunner =
  (deps: Deps, call: AuthenticatedCall): RunInVenue =>
  async (work) => {
    if (isOfSandbox(call.request)) throw apiError("not_found");
    const { venues, id: userId, email, name } = call.session;
    const slug = venueOf(call.request);
    const membership = notEnded(venues.find((one) => one.slug === slug));
    const venue = (membership ?? (await findInvited({ db: openDb(deps.pool), now: deps.clock.now() }, email, slug)))?.restaurant_id;
    if (venue === undefined) throw apiError("not_found");
    const known = membership ? { id: userId, name } : { id: null, name: email };
    const actor: Actor = { kind: "staff", ...known, email, scopes: [], caller: `person:${userId}` };
    const check = async (begun: BegunTransaction): Promise<Actor> => {
      notEnded((await revalidatedSession(deps, call, begun)).venues.find((one) => one.slug === slug));
      return actor;
    };
    const access: TenantAccess = {
      tenant: servedTenant(deps, call.operation, venue),
      actor: check,
      from: requestOrigin(call.request),
      locks: locksOf(call, { venue }),
    };
    return repeatOnContention(() => withTenant(deps, access, work));
  };

/** The memberships are read after the invitations: one that is accepted between the two is found. */
const findInvited = async (ctx: Pick<GlobalContext, "db" | "now">, email: string, slug: string | null) => {
  const invited = (await listInvitations(ctx, email)).find((one) => one.slug === slug);
  return invited ?? (await listMemberships(ctx, email)).find((one) => one.slug === slug);
};

/** Serves a person without an account, whose link proves the address. */
const linkVenueRunner =
  (deps: Deps, request: FastifyRequest): RunInInvitingVenue =>
  ({ restaurantId: id, email }, work) => {
    const actor: Actor = { kind: "staff", id: null, name: email, email, scopes: [], caller: `invited:${email}` };
    const locks: AccessLock[] = [{ of: "venue", id, mode: "shared" }];
    return withTenant(deps, { tenant: tenantById(id), actor, from: requestOrigin(request), locks }, work);
  };

/**
 * A write of a screen locks the venue that it relies on, and reads the screen again under the lock: it may have ended, or have other
 * stations by now.
 */
const screensFor = (deps: Deps): Pick<ConsoleHandlers, "authenticateScreen" | "inScreenVenue"> => ({
  authenticateScreen: (cookie) => authenticateScreen(openDb(deps.pool), cookie),
  inScreenVenue: ({ request, operation, screen }, work) => {
    if (!operation.purposes?.includes(screen.purpose)) throw apiError("not_found");
    const { restaurant_id: id } = screen;
    const isChange = operation.method !== "GET";
    let present: PairedScreen = screen;
    const actor = async ({ db }: BegunTransaction) => {
      const found = isChange ? await authenticateScreen(db, screenCookieOf(request) ?? "") : screen;
      if (!found) throw apiError("signed_out");
      present = found;
      return screenActor(found);
    };
    const locks: AccessLock[] = isChange ? [{ of: "venue", id, mode: "shared" }] : [];
    const access = { tenant: servedTenant(deps, operation, id), actor, from: requestOrigin(request), locks };
    return repeatOnContention(() => withTenant(deps, access, (ctx) => work(ctx, present)));
  },
});

/** Running the venue needs a plan in force; while the venue is suspended, orders that were placed before can be finished. */
const servedTenant = ({ clock }: Deps, operation: ConsoleOperation, id: number): TenantById => ({
  id,
  async read(db) {
    const row = await readRestaurant(db, id);
    const { isService, needsPlan, needsFeature, finishesOrders, method } = operation;
    const state = isService || needsPlan ? stateOf(row, clock.now()) : "active";
    if (state === "lapsed") throw apiError("plan_lapsed");
    if (needsFeature && !hasFeature(row, needsFeature)) throw apiError("plan_feature_unavailable");
    if (state === "suspended" && isService && method !== "GET" && !finishesOrders) throw apiError("restaurant_suspended");
    return tenantOf(row);
  },
});

const isWrite = ({ operation }: Pick<AuthenticatedCall, "operation">): boolean => operation.method !== "GET";

/**
 * Written in the transaction of the call, so a call that is refused leaves nothing behind. A read that another site caused is no use by the
 * person: the cookie is sent with it.
 */
const noteUse = (ctx: Ctx, call: AuthenticatedCall): void => {
  const { is_use_due, staff_id } = membershipOf(call);
  if (!is_use_due) return;
  touchStaff(ctx, staff_id);
  noteSessionVenue(ctx, call.session);
};

/** A read relies on its authentication. A write locks the user and the venue that it relies on. */
const locksOf = (call: AuthenticatedCall, venues: { venue?: number; sandbox?: number } = {}): AccessLock[] => {
  if (!isWrite(call)) return [];
  const held = Object.entries({ ...venues, person: call.session.id }) as ["venue" | "sandbox" | "person", number][];
  return held.map(([of, id]) => ({
    of: of === "person" ? "person" : "venue",
    id,
    mode: isRevoked(call.operation, of) ? "exclusive" : "shared",
  }));
};

/** What ends access in a venue ends it in its sandbox too. */
const isRevoked = ({ revokes }: ConsoleOperation, of: "venue" | "sandbox" | "person"): boolean =>
  revokes === of || (revokes === "venue" && of === "sandbox");

/** A write checks session and role again under its locks, in one round trip with its begin. It fails with the same errors as the first check. */
const revalidatedSession = async (deps: Deps, call: AuthenticatedCall, { db, now: begunAt }: BegunTransaction): Promise<UserSession> => {
  if (!isWrite(call)) return call.session;
  const [session, now] = await Promise.all([
    revalidateSession({ db, now: deps.clock.now() }, cookieOf(call.request) ?? "", venueOf(call.request)),
    begunAt,
  ]);
  if (!session || session.expires_at <= now) throw apiError("signed_out");
  if (venueOf(call.request) !== null && call.operation.who !== "invited") membershipOf({ ...call, session });
  // Checked after the role, so that a user without the role is not asked for a password.
  if (call.operation.needsRecentPassword && !isRecentPassword(session.password_at, now)) throw apiError("password_required");
  return session;
};

/**
 * The user's membership in the venue of the path, or in the venue whose sandbox is in the path. Unknown venues, venues of other users and
 * their sandboxes get the same error.
 */
export const membershipOf = ({ request, session, operation: { who, worksInSandbox } }: RoleCheck): SessionVenue => {
  const slug = venueOf(request);
  const venue = session.venues.find((one) => one.slug === slug);
  if (!venue || (isOfSandbox(request) && !(worksInSandbox && venue.sandbox_id !== null))) throw apiError("not_found");
  notEnded(venue);
  if (who !== "anyone" && who !== "person" && who !== "invited" && who !== "screen" && !mayActAs(venue.role, who))
    throw apiError("role_required", { required_role: who });
  if (venue.needs_second_factor && !session.has_second_factor) throw apiError("second_factor_setup_required");
  return venue;
};

/** Ended by an owner, the session gives no access to the venue. */
const notEnded = <V extends { is_ended: boolean } | undefined>(venue: V): V => {
  if (venue?.is_ended) throw apiError("sign_in_again");
  return venue;
};

type RoleCheck = { request: FastifyRequest; session: UserSession; operation: Pick<ConsoleOperation, "who" | "worksInSandbox"> };

const memberActor = (call: AuthenticatedCall): Actor => {
  const { id, name, email } = call.session;
  return { kind: "staff", id, name, email, role: membershipOf(call).role, scopes: [], caller: `person:${id}` };
};
