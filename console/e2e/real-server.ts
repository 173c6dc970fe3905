/**
 * The real application, for one file of tests: with its own database, venues, staff and settings, in the process of the tests, which has its
 * modules loaded. `real-processes.ts` has the one that can be killed.
 */
import type { AddressInfo } from "node:net";
import type { ROLES } from "@comanda/contract/console/operation.ts";
import { ALL_SCOPES, type Scope } from "@comanda/contract/scopes.ts";
import type { QueryResultRow } from "pg";
import { forVenue, withoutVenue } from "../../server/src/admin/command-context.ts";
import { buildApp } from "../../server/src/compose/api.ts";
import { importVenue } from "../../server/src/compose/import-venue.ts";
import { runRound } from "../../server/src/compose/venue-rounds.ts";
import { startWorker, type Worker } from "../../server/src/compose/worker.ts";
import { readConfig } from "../../server/src/config.ts";
import { openDb } from "../../server/src/db/pool.ts";
import { type Deps, openDeps, openLog } from "../../server/src/deps.ts";
import type { Clock } from "../../server/src/lib/clock.ts";
import { createRequestLogBuffer } from "../../server/src/platform/activity/request-log/service.ts";
import type { Sender } from "../../server/src/platform/events/webhooks/send/sender.ts";
import type { MessageSender } from "../../server/src/platform/messages/notifications/send.ts";
import { addStaff } from "../../server/src/platform/people/memberships/service.ts";
import { createToken } from "../../server/src/platform/programs/tokens/service.ts";
import { prepareLink, renewLinkSecret, requestLink, sendInvitation } from "../../server/src/platform/sign-in/one-time-links/service.ts";
import { dueReviewRequests } from "../../server/src/venue/guest-records/reviews/jobs.ts";
import { unseenOrders } from "../../server/src/venue/orders/order-board/jobs.ts";
import { cloneDatabase, type TestDatabase } from "../../server/test/support/database.ts";
import { freePort } from "../../server/test/support/processes.ts";
import { readSample, type SampleName } from "../../server/test/support/test-app.ts";

type InvitedRole = (typeof ROLES)[number];

export type RealServer = {
  url: string;
  venue(sample: SampleName): Promise<string>;
  /** Returns the secret of the invitation link. */
  invite(slug: string, email: string, role?: InvitedRole, name?: string): Promise<string>;
  /** A token of the API, with every scope unless some are given. */
  token(slug: string, scopes?: Scope[]): Promise<string>;
  query<Row extends QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Returns the secret of a sign-in link. */
  signInLink(email: string): Promise<string>;
  /** Looks for orders that no screen has shown, as the worker does every 15 s. */
  findUnseenOrders(): Promise<void>;
  /** Asks guests for reviews whose time has come at that moment, as the worker does every 15 s. */
  askForReviews(at: Date): Promise<void>;
  /** Runs jobs that are due, until the server is closed. */
  startWorker(): Promise<void>;
  close(): Promise<void>;
};

/** What sends webhooks and messages, where a test has receivers of its own. */
type Senders = { sender?: Sender; messageSender?: MessageSender };

/** All browsers share one IP address, and new contexts have no cache. */
export const SHARED_SETTINGS = {
  LOG_LEVEL: "fatal",
  SHUTDOWN_GRACE_MS: "0",
  ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString("base64")}`,
  PAGE_RATE_PER_MINUTE: "1000000",
  CONSOLE_RATE_PER_MINUTE: "200000",
};

/** Settings are those of the application and of the worker. */
export const startRealServer = async (settings: Record<string, string> = {}, senders: Senders = {}): Promise<RealServer> => {
  const [database, port] = await Promise.all([cloneDatabase(), freePort()]);
  const deps = await openDepsOf(database, port, settings);
  const requestLog = createRequestLogBuffer(openDb(deps.pool), deps.log);
  const app = await buildApp(deps, { requestLog, ...senders });
  await app.http.listen({ host: "127.0.0.1", port });
  const stop = async (): Promise<void> => {
    await app.stop();
    await requestLog.stop();
  };
  return operate({ database, deps, port: (app.http.server.address() as AddressInfo).port, stop, senders });
};

export const openDepsOf = (database: TestDatabase, port: number, settings: Record<string, string>, clock?: Clock): Promise<Deps> => {
  const PUBLIC_URL = `http://127.0.0.1:${port}`;
  const config = readConfig({ ...SHARED_SETTINGS, DATABASE_URL: database.appUrl, PUBLIC_URL, ...settings });
  return openDeps(config, { log: openLog(config.logLevel), ...(clock && { clock }) });
};

type RunningServer = { database: TestDatabase; deps: Deps; port: number; stop(): Promise<void>; senders?: Senders };

export const operate = ({ database, deps, port, stop, senders = {} }: RunningServer): RealServer => {
  let worker: Worker | null = null;
  return {
    url: `http://127.0.0.1:${port}`,
    venue: async (sample) => (await importVenue(deps, readSample(sample))).slug,
    token: (slug, scopes = ALL_SCOPES) =>
      forVenue(deps, slug, async (ctx) => {
        const wanted = { kind: "api", name: "Reader", scopes, ratePerMinute: 100_000, expiresAt: null } as const;
        return (await createToken(ctx, wanted)).token;
      }),
    query: (sql, values) => database.asOwner(sql, values),
    invite: (slug, email, role = "owner", name = "Nina Ferrari") =>
      forVenue(deps, slug, async (ctx) => {
        await addStaff(ctx, { email, name, role, locale: null });
        const { linkId } = await sendInvitation(ctx, email);
        const link = await renewLinkSecret(ctx, linkId);
        return link?.secret ?? "";
      }),
    async signInLink(email) {
      await withoutVenue(deps, (ctx) => requestLink(ctx, "sign_in", email));
      const [request] = await database.asOwner<{ id: string }>("select id from link_requests where email = $1", [email]);
      await withoutVenue(deps, (ctx) => prepareLink(ctx, Number(request?.id)));
      const [made] = await database.asOwner<{ id: string }>("select max(id) as id from one_time_links where email = $1", [email]);
      return (await withoutVenue(deps, (ctx) => renewLinkSecret(ctx, Number(made?.id))))?.secret ?? "";
    },
    findUnseenOrders: () => runRound(deps, unseenOrders),
    askForReviews: (at) => runRound({ ...deps, clock: { now: () => at, ofChange: () => at, ofDatabase: () => at } }, dueReviewRequests),
    async startWorker() {
      worker = await startWorker(deps, senders);
    },
    async close() {
      await worker?.stop();
      await stop();
      await deps.close();
      await database.drop();
    },
  };
};
