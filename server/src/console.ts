/** The console's door: who it is, which venue, which role; and the one list of all its calls. */
import { readFileSync } from "node:fs";
import type { LiveArea } from "@comanda/contract/live.ts";
import type { FastifyRequest } from "fastify";
import { sql } from "kysely";
import type { AccessLock } from "#db/access.ts";
import { claimReset, enterVenue } from "#db/entrance.ts";
import { inHouse } from "#db/house.ts";
import { openDb, type Transaction, tenantDb, transaction } from "#db/pool.ts";
import { only } from "#db/query.ts";
import { cameFrom } from "#http/came-from.ts";
import { type ConsoleDoor, cookieOf, type Recognised, venueOf } from "#http/console-calls.ts";
import type { Admit, Look } from "#http/live.ts";
import type { RateLimiter } from "#http/rate-limit.ts";
import type { Ctx, Tenant } from "#lib/context.ts";
import { fail } from "#lib/errors.ts";
import { registryCalls } from "#platform/apps/console.ts";
import { activityCalls } from "#platform/audit/console.ts";
import { addressCalls, deliveryCalls, webhookCalls } from "#platform/deliveries/console.ts";
import { installationCalls } from "#platform/installations/console.ts";
import { linkCalls } from "#platform/links/console.ts";
import { allowCalls, consentCalls } from "#platform/oauth/console.ts";
import { personCalls, strangerCalls } from "#platform/people/console.ts";
import { isRecentPassword, mayActAs } from "#platform/people/rules.ts";
import { confirmSession, recogniseSession, type Visit } from "#platform/people/service.ts";
import { requestCalls } from "#platform/requests/console.ts";
import { readRestaurant, tenantOf } from "#platform/tenants/service.ts";
import { tokenCalls } from "#platform/tokens/console.ts";
import type { Sender } from "#platform/webhooks/send.ts";
import { parseVenueFile } from "#venue/files/service.ts";
import { sandboxCalls } from "#venue/sandbox/console.ts";
import type { Deps } from "./deps.ts";

export const openDoor = (deps: Deps, limiter: RateLimiter, sender: Sender): ConsoleDoor<Visit> => {
  const { config, pool } = deps;
  const { secretKeys } = config;
  const sample = parseVenueFile(readFileSync(new URL("../samples/sandbox.json", import.meta.url), "utf8"));
  const remainingOf = async (caller: string, rate: number | null) => (await limiter.peek?.(caller, rate ?? config.ratePerMinute)) ?? null;
  return {
    recognise: (cookie, slug, now) => recogniseSession({ db: openDb(pool), now }, cookie, slug),
    countedAs: (request, { id, venues }) => {
      const slug = venueOf(request);
      return { personId: id, restaurantId: venues.find((venue) => venue.slug === slug)?.restaurant_id ?? null };
    },
    ...transactionsFor(deps),
    strangerCalls: { ...strangerCalls(secretKeys), ...linkCalls(secretKeys) },
    personCalls: { ...personCalls(secretKeys), ...registryCalls, ...consentCalls },
    venueCalls: {
      ...tokenCalls(remainingOf),
      ...webhookCalls({ secretKeys }),
      ...deliveryCalls({ secretKeys }),
      ...activityCalls,
      ...requestCalls,
      ...allowCalls,
      ...installationCalls,
    },
    wideCalls: { ...sandboxCalls(sample), ...addressCalls({ sender, secretKeys }) },
  };
};

const transactionsFor = (deps: Deps): Pick<ConsoleDoor<Visit>, "inVenue" | "inTenant" | "inHouse"> => ({
  inVenue: (call, work) => {
    const { restaurant_id: id } = workplaceOf(call);
    const run = async (begun: Transaction) => {
      const [row, { visit, now }] = await Promise.all([readRestaurant(begun.db, id), entered(deps, call, begun)]);
      return work({ ...asPerson(deps, call.request, visit, tenantOf(row)), db: begun.db, now });
    };
    return transaction(deps.pool, id, run, locksOf(call, { venue: id }));
  },
  inTenant: (call, { tenant, entrance }, work) => {
    const run = async (begun: Transaction) => {
      const isReset = entrance === "alone";
      if (!isReset) enterVenue(begun.db, tenant);
      const [{ visit, now }] = await Promise.all([entered(deps, call, begun), isReset ? claimReset(begun.db, tenant) : null]);
      if (isReset) enterVenue(begun.db, tenant, entrance);
      return work({ ...asPerson(deps, call.request, visit, tenant), db: begun.db, now });
    };
    return transaction(deps.pool, tenant.id, run, locksOf(call, { venue: workplaceOf(call).restaurant_id, sandbox: tenant.id }));
  },
  inHouse: ({ visit, ...call }, work) => {
    const from = cameFrom(call.request);
    if (visit === null || !isWrite(call)) return inHouse(deps, from, work);
    const personal = { ...call, visit };
    return inHouse(deps, from, work, { locks: locksOf(personal), check: (begun) => entered(deps, personal, begun) });
  },
});

const isWrite = ({ operation }: Pick<Recognised<unknown>, "operation">): boolean => operation.method !== "GET";

/** A read relies on the look-up that recognised it. A write locks the access it relies on. */
const locksOf = (call: Recognised<Visit>, venues: { venue?: number; sandbox?: number } = {}): AccessLock[] => {
  if (!isWrite(call)) return [];
  const held = Object.entries({ ...venues, person: call.visit.id }) as ["venue" | "sandbox" | "person", number][];
  return held.map(([of, id]) => ({
    of: of === "person" ? "person" : "venue",
    id,
    mode: call.operation.revokes === of ? "exclusive" : "shared",
  }));
};

/** A write checks session and role again under its locks, in one trip with its begin. The refusals are those of the first check. */
const entered = async (deps: Deps, call: Recognised<Visit>, { db, startedAt }: Transaction): Promise<{ visit: Visit; now: Date }> => {
  const again = isWrite(call)
    ? confirmSession({ db, now: deps.clock.now() }, cookieOf(call.request) ?? "", venueOf(call.request))
    : call.visit;
  const [visit, moment] = await Promise.all([again, startedAt]);
  const now = deps.clock.ofChange(moment);
  if (!isWrite(call)) return { visit: call.visit, now };
  if (!visit || visit.expires_at <= now) throw fail("signed_out");
  if (venueOf(call.request) !== null) workplaceOf({ ...call, visit });
  // After the role: a person who may not do it at all is not asked for a password.
  if (call.operation.needsRecentPassword && !isRecentPassword(visit.password_at, now)) throw fail("password_required");
  return { visit, now };
};

/** The venue of the path, if this person works there in that role; an unknown one looks like somebody else's. */
const workplaceOf = ({ request, visit, operation: { who } }: Workplace): Visit["venues"][number] => {
  const slug = venueOf(request);
  const venue = visit.venues.find((one) => one.slug === slug);
  if (!venue) throw fail("not_found");
  if (who !== "anyone" && who !== "person" && !mayActAs(venue.role, who)) throw fail("role_required", { required_role: who });
  return venue;
};

type Workplace = { request: FastifyRequest; visit: Visit; operation: Pick<Recognised<Visit>["operation"], "who"> };

/** Managers and owners may keep a line open; what it says is only that something changed. */
export const admitToLive =
  (deps: Deps): Admit =>
  async (request) => {
    const slug = venueOf(request);
    const cookie = cookieOf(request);
    const visit = cookie === null ? null : await recogniseSession({ db: openDb(deps.pool), now: deps.clock.now() }, cookie, slug);
    if (!visit) throw fail("signed_out");
    const venue = workplaceOf({ request, visit, operation: { who: "manager" } });
    return { personId: visit.id, restaurantId: venue.restaurant_id };
  };

/** Each from the end of an index, so that a look costs the same whatever the venue holds. */
export const lookAtVenue =
  ({ pool }: Deps): Look =>
  (restaurantId) =>
    only(
      tenantDb(pool, restaurantId).query(sql<Record<LiveArea, string | null>>`
        select (select max(id) from deliveries where restaurant_id = ${restaurantId})::text
            || (select coalesce(max(greatest(last_success_at, last_failure_at)), 'epoch') from webhook_lanes where restaurant_id = ${restaurantId})::text
            as deliveries,
          (select max(id) from audit_entries where restaurant_id = ${restaurantId})::text as activity,
          (select max(id) from requests where restaurant_id = ${restaurantId})::text as requests`),
    );

const asPerson = (deps: Deps, request: FastifyRequest, visit: Visit, tenant: Tenant): Omit<Ctx, "db" | "now"> => ({
  tenant,
  actor: { kind: "staff", id: visit.id, name: visit.name, email: visit.email, scopes: [], caller: `person:${visit.id}` },
  ...cameFrom(request),
  cursorKey: deps.cursorKey,
});
