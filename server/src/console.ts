/** The console's door: who it is, which venue, which role; and the one list of all its calls. */
import { readFileSync } from "node:fs";
import type { ConsoleOperation } from "@comanda/contract/console-operation.ts";
import type { LiveArea } from "@comanda/contract/live.ts";
import type { FastifyRequest } from "fastify";
import { sql } from "kysely";
import { enterVenue } from "#db/entrance.ts";
import { inHouse } from "#db/house.ts";
import { openDb, tenantDb, transaction } from "#db/pool.ts";
import { only } from "#db/query.ts";
import { cameFrom } from "#http/came-from.ts";
import { type ConsoleDoor, cookieOf, venueOf } from "#http/console-calls.ts";
import type { Admit, Look } from "#http/live.ts";
import type { RateLimiter } from "#http/rate-limit.ts";
import type { Ctx, Tenant } from "#lib/context.ts";
import { fail } from "#lib/errors.ts";
import { registryCalls } from "#platform/apps/console.ts";
import { activityCalls } from "#platform/audit/console.ts";
import { addressCalls, deliveryCalls, webhookCalls } from "#platform/deliveries/console.ts";
import { installationCalls } from "#platform/installations/console.ts";
import { allowCalls, consentCalls } from "#platform/oauth/console.ts";
import { personCalls, strangerCalls } from "#platform/people/console.ts";
import { mayActAs } from "#platform/people/rules.ts";
import { recogniseSession, type Visit } from "#platform/people/service.ts";
import { requestCalls } from "#platform/requests/console.ts";
import { readRestaurant, tenantOf } from "#platform/tenants/service.ts";
import { tokenCalls } from "#platform/tokens/console.ts";
import type { Sender } from "#platform/webhooks/send.ts";
import { parseVenueFile } from "#venue/files/service.ts";
import { sandboxCalls } from "#venue/sandbox/console.ts";
import type { Deps } from "./deps.ts";

export const openDoor = (deps: Deps, limiter: RateLimiter, sender: Sender): ConsoleDoor<Visit> => {
  const { config, pool, clock } = deps;
  const { secretKeys } = config;
  const sample = parseVenueFile(readFileSync(new URL("../samples/sandbox.json", import.meta.url), "utf8"));
  const remainingOf = async (caller: string, rate: number | null) => (await limiter.peek?.(caller, rate ?? config.ratePerMinute)) ?? null;
  return {
    recognise: (cookie, slug, now) => recogniseSession({ db: openDb(pool), now }, cookie, slug),
    inVenue: (request, visit, who, work) => {
      const venue = workplaceOf(request, visit, who);
      return transaction(pool, venue.restaurant_id, async ({ db, startedAt }) => {
        const [row, moment] = await Promise.all([readRestaurant(db, venue.restaurant_id), startedAt]);
        return work({ ...asPerson(deps, request, visit, tenantOf(row)), db, now: clock.ofChange(moment) });
      });
    },
    inTenant: (request, visit, { tenant, entrance }, work) =>
      transaction(pool, tenant.id, async ({ db, startedAt }) => {
        enterVenue(db, tenant, entrance);
        return work({ ...asPerson(deps, request, visit, tenant), db, now: clock.ofChange(await startedAt) });
      }),
    inHouse: (request, work) => inHouse(deps, cameFrom(request), work),
    strangerCalls: strangerCalls(secretKeys),
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

/** The venue of the path, if this person works there in that role; an unknown one looks like somebody else's. */
const workplaceOf = (request: FastifyRequest, visit: Visit, who: ConsoleOperation["who"]): Visit["venues"][number] => {
  const slug = venueOf(request);
  const venue = visit.venues.find((one) => one.slug === slug);
  if (!venue) throw fail("not_found");
  if (who !== "anyone" && who !== "person" && !mayActAs(venue.role, who)) throw fail("role_required", { required_role: who });
  return venue;
};

/** Managers and owners may keep a line open; what it says is only that something changed. */
export const admitToLive =
  (deps: Deps): Admit =>
  async (request) => {
    const slug = venueOf(request);
    const cookie = cookieOf(request);
    const visit = cookie === null ? null : await recogniseSession({ db: openDb(deps.pool), now: deps.clock.now() }, cookie, slug);
    if (!visit) throw fail("signed_out");
    const venue = workplaceOf(request, visit, "manager");
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
  actor: { kind: "staff", id: visit.id, name: visit.name, scopes: [], caller: `person:${visit.id}` },
  ...cameFrom(request),
  cursorKey: deps.cursorKey,
});
