/** Composes the change stream: who may listen, and where the changes come from. */
import { ROLES } from "@comanda/contract/console/operation.ts";
import { sql } from "kysely";
import { onCommittedChanges } from "#db/changes.ts";
import { openDb } from "#db/pool.ts";
import { type ChangeMark, type ChangeWatch, createChangeWatch, type ReadMarks } from "#http/change-watch.ts";
import type { AuthorizeStream, CheckAccess, StreamAccess } from "#http/console/change-stream.ts";
import { isOfSandbox, venueOf } from "#http/console/path-values.ts";
import { cookieOf, screenCookieOf } from "#http/console/session-cookie.ts";
import { apiError } from "#lib/errors.ts";
import { sha256 } from "#lib/token-format.ts";
import { mayActAs } from "#platform/sign-in/accounts/rules.ts";
import { areStillAllowed, authenticateSession } from "#platform/sign-in/accounts/service.ts";
import { areStillPaired, authenticateScreen } from "#venue/kitchen/screens/service.ts";
import type { Deps } from "../deps.ts";
import { membershipOf } from "./console.ts";
import { changeChannel, readPublished } from "./publish-changes.ts";

/** When Redis carries the changes, the statement only finds what Redis lost, and what has no number. */
const READ_EVERY_MS = { withRedis: 2000, withoutRedis: 250 };

/** A connection that carries nothing for long is probed, so that a lost one is noticed. */
const KEEP_ALIVE_MS = 10_000;

/** The stream only names areas that changed. */
const LISTENER = "staff";

export const authorizeChangeStream =
  (deps: Deps): AuthorizeStream =>
  async (request) => {
    const cookie = cookieOf(request);
    const ctx = { db: openDb(deps.pool), now: deps.clock.now() };
    const session = cookie === null ? null : await authenticateSession(ctx, cookie, venueOf(request));
    if (!session || cookie === null) throw apiError("signed_out");
    const venue = membershipOf({ request, session, operation: { who: LISTENER, worksInSandbox: true } });
    const restaurantId = (isOfSandbox(request) ? venue.sandbox_id : null) ?? venue.restaurant_id;
    return { kind: "user", caller: `user:${session.id}`, restaurantId, cookieHash: sha256(cookie) };
  };

export const authorizeScreenStream =
  (deps: Deps): AuthorizeStream =>
  async (request) => {
    const cookie = screenCookieOf(request);
    const screen = cookie === null ? null : await authenticateScreen(openDb(deps.pool), cookie);
    if (!screen || cookie === null) throw apiError("signed_out");
    return { kind: "screen", caller: `screen:${screen.id}`, restaurantId: screen.restaurant_id, cookieHash: sha256(cookie) };
  };

/** One statement for all users, and one for all screens. */
export const checkStreamAccess =
  (deps: Deps): CheckAccess =>
  async (streams) => {
    const ctx = { db: openDb(deps.pool), now: deps.clock.now() };
    const [users, screens] = [streams.filter(({ kind }) => kind === "user"), streams.filter(({ kind }) => kind === "screen")];
    const [allowed, paired] = await Promise.all([
      users.length === 0
        ? []
        : areStillAllowed(
            ctx,
            users.map(listening),
            ROLES.filter((role) => mayActAs(role, LISTENER)),
          ),
      screens.length === 0
        ? []
        : areStillPaired(
            ctx,
            screens.map(({ cookieHash }) => cookieHash),
          ),
    ]);
    const isAllowed = new Map([
      ...users.map((stream, index) => [stream, allowed[index]] as const),
      ...screens.map((stream, index) => [stream, paired[index]] as const),
    ]);
    return streams.map((stream) => isAllowed.get(stream) === true);
  };

const listening = ({ cookieHash, restaurantId }: StreamAccess) => ({ hash: cookieHash, restaurantId });

const readChangeMarks =
  ({ pool }: Deps): ReadMarks =>
  (known) =>
    openDb(pool).query(sql<ChangeMark>`select * from change_marks(
      ${known.map(({ restaurantId }) => restaurantId)}::bigint[], ${known.map(({ number }) => number)}::bigint[])`);

/** Own commits arrive directly, those of other processes by one subscription. */
export const openChangeWatch = (deps: Deps): ChangeWatch => {
  const { cursorKey, redis, pool, log } = deps;
  const everyMs = redis === null ? READ_EVERY_MS.withoutRedis : READ_EVERY_MS.withRedis;
  const watch = createChangeWatch({ readMarks: readChangeMarks(deps), everyMs, log });
  const stopListening = onCommittedChanges(pool, watch.tell);
  const subscriber = redis?.duplicate({
    enableOfflineQueue: true,
    maxRetriesPerRequest: null,
    commandTimeout: undefined,
    keepAlive: KEEP_ALIVE_MS,
  });
  subscriber?.on("error", () => undefined);
  subscriber?.on("message", (_channel: string, text: string) => {
    for (const changes of readPublished(text)) watch.tell(changes);
  });
  subscriber
    ?.subscribe(changeChannel(cursorKey))
    .catch((error: unknown) => log.warn({ err: error }, "changes of other processes arrive late"));
  return {
    ...watch,
    stop() {
      watch.stop();
      stopListening();
      subscriber?.disconnect();
    },
  };
};
