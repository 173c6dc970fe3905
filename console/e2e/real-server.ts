/** The real server as a separate process with its own database and staff. */
import type { ROLES } from "@comanda/contract/console/operation.ts";
import { ALL_SCOPES } from "@comanda/contract/scopes.ts";
import type { QueryResultRow } from "pg";
import { forVenue, withoutVenue } from "../../server/src/cli/command-context.ts";
import { alarmUnseenOrders } from "../../server/src/compose/board-alarm.ts";
import { importVenue } from "../../server/src/compose/import-venue.ts";
import { askForReviews } from "../../server/src/compose/review-requests.ts";
import { startWorker, type Worker } from "../../server/src/compose/worker.ts";
import { readConfig } from "../../server/src/config.ts";
import { openDeps, openLog } from "../../server/src/deps.ts";
import { addStaff } from "../../server/src/platform/memberships/service.ts";
import { prepareLink, renewLinkSecret, requestLink, sendInvitation } from "../../server/src/platform/one-time-links/service.ts";
import { createToken } from "../../server/src/platform/tokens/service.ts";
import { cloneDatabase } from "../../server/test/support/database.ts";
import { createFleet } from "../../server/test/support/processes.ts";
import { readSample, type SampleName } from "../../server/test/support/test-app.ts";

export type RealServer = {
  url: string;
  venue(sample: SampleName): Promise<string>;
  /** Returns the secret of the invitation link. */
  invite(slug: string, email: string, role?: (typeof ROLES)[number], name?: string): Promise<string>;
  /** A token of the API with every scope. */
  token(slug: string): Promise<string>;
  query<Row extends QueryResultRow>(sql: string, values: unknown[]): Promise<Row[]>;
  /** Returns the secret of a sign-in link. */
  signInLink(email: string): Promise<string>;
  /** Ends all processes at once, as a crash would. `addProcess` starts one again. */
  kill(): Promise<void>;
  /** Looks for orders that no screen has shown, as the worker does every 15 s. */
  findUnseenOrders(): Promise<void>;
  /** Asks guests for reviews whose time has come at that moment, as the worker does every 15 s. */
  askForReviews(at: Date): Promise<void>;
  /** Runs jobs that are due, until the server is closed. */
  startWorker(): Promise<void>;
  /** A further process behind the same address. */
  addProcess(): Promise<void>;
  close(): Promise<void>;
};

const ENCRYPTION_KEYS = `test:${Buffer.alloc(32, 7).toString("base64")}`;

/** Settings are those of the processes and of the worker. */
export const startRealServer = async (settings: Record<string, string> = {}): Promise<RealServer> => {
  const database = await cloneDatabase();
  // All browsers share one IP address, and new contexts have no cache.
  const limits = { PAGE_RATE_PER_MINUTE: "1000000", CONSOLE_RATE_PER_MINUTE: "200000" };
  const fleet = await createFleet(database.appUrl, { LOG_LEVEL: "info", SHUTDOWN_GRACE_MS: "0", ENCRYPTION_KEYS, ...limits, ...settings });
  const PUBLIC_URL = `http://127.0.0.1:${fleet.port}`;
  const config = readConfig({ DATABASE_URL: database.appUrl, LOG_LEVEL: "fatal", ENCRYPTION_KEYS, PUBLIC_URL, ...settings });
  const [deps, first] = await Promise.all([openDeps(config, { log: openLog(config.logLevel) }), fleet.start()]);
  const processes = [first];
  let worker: Worker | null = null;
  return {
    url: `http://127.0.0.1:${fleet.port}`,
    venue: async (sample) => (await importVenue(deps, readSample(sample))).slug,
    token: (slug) =>
      forVenue(deps, slug, async (ctx) => {
        const wanted = { kind: "api", name: "website", scopes: ALL_SCOPES, ratePerMinute: 100_000, expiresAt: null } as const;
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
    findUnseenOrders: () => alarmUnseenOrders(deps),
    askForReviews: (at) => askForReviews({ ...deps, clock: { now: () => at, ofChange: () => at, ofDatabase: () => at } }),
    addProcess: async () => {
      processes.push(await fleet.start());
    },
    kill: async () => {
      await Promise.all(processes.splice(0).map((process) => process.kill()));
    },
    async startWorker() {
      worker = await startWorker(deps);
    },
    async close() {
      await worker?.stop();
      await deps.close();
      await fleet.close();
      await database.drop();
    },
  };
};
