/** The real application and worker in this process, with a local webhook receiver over TLS. */
import type { AddressInfo } from "node:net";
import type { Role } from "@comanda/contract/console/operation.ts";
import type { Scope } from "@comanda/contract/scopes.ts";
import { forVenue } from "../../server/src/cli/command-context.ts";
import { buildApp } from "../../server/src/compose/api.ts";
import { importVenue } from "../../server/src/compose/import-venue.ts";
import { askForReviews } from "../../server/src/compose/review-requests.ts";
import { startWorker, type Worker } from "../../server/src/compose/worker.ts";
import { readConfig } from "../../server/src/config.ts";
import { openDb } from "../../server/src/db/pool.ts";
import { openDeps, openLog } from "../../server/src/deps.ts";
import { addStaff } from "../../server/src/platform/memberships/service.ts";
import { renewLinkSecret, sendInvitation } from "../../server/src/platform/one-time-links/service.ts";
import { createRequestLogBuffer } from "../../server/src/platform/request-log/service.ts";
import { createToken } from "../../server/src/platform/tokens/service.ts";
import { cloneDatabase } from "../../server/test/support/database.ts";
import { readSample } from "../../server/test/support/test-app.ts";
import { createLocalSender, type Receiver, startReceiver } from "../../server/test/support/webhook-receiver.ts";

export type ServerWithReceiver = {
  url: string;
  slug: string;
  receiver: Receiver;
  /** Call after all invitations are accepted: the worker sends them by mail and replaces their links. */
  startWorker(): Promise<void>;
  /** Returns the secret of the invitation link. */
  invite(role: Role): Promise<string>;
  token(scopes: Scope[]): Promise<string>;
  /** Runs as the database owner. */
  query(sql: string): Promise<unknown>;
  /** Asks guests for reviews whose time has come at that moment, as the worker does every 15 s. */
  askForReviews(at: Date): Promise<void>;
  close(): Promise<void>;
};

/** Settings are those of the application and of the worker. */
export const startServerWithReceiver = async (settings: Record<string, string> = {}): Promise<ServerWithReceiver> => {
  const [database, receiver] = await Promise.all([cloneDatabase(), startReceiver()]);
  const ENCRYPTION_KEYS = `test:${Buffer.alloc(32, 7).toString("base64")}`;
  const PAGE_RATE_PER_MINUTE = "1000000";
  const config = readConfig({
    DATABASE_URL: database.appUrl,
    LOG_LEVEL: "fatal",
    SHUTDOWN_GRACE_MS: "0",
    ENCRYPTION_KEYS,
    PAGE_RATE_PER_MINUTE,
    ...settings,
  });
  const deps = await openDeps(config, { log: openLog(config.logLevel) });
  const requestLog = createRequestLogBuffer(openDb(deps.pool), deps.log);
  const app = await buildApp(deps, { sender: createLocalSender(receiver.authority.cert), requestLog });
  await app.http.listen({ host: "127.0.0.1", port: 0 });
  let worker: Worker | null = null;
  const { slug } = await importVenue(deps, readSample("lab"));
  return {
    url: `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`,
    slug,
    receiver,
    async startWorker() {
      worker = await startWorker(deps, { sender: createLocalSender(receiver.authority.cert) });
    },
    invite: (role) =>
      forVenue(deps, slug, async (ctx) => {
        const email = `${role}@lab.example`;
        await addStaff(ctx, { email, name: `Nina the ${role}`, role, locale: null });
        const link = await renewLinkSecret(ctx, (await sendInvitation(ctx, email)).linkId);
        return link?.secret ?? "";
      }),
    token: (scopes) =>
      forVenue(
        deps,
        slug,
        async (ctx) => (await createToken(ctx, { kind: "api", name: "Reader", scopes, ratePerMinute: null, expiresAt: null })).token,
      ),
    query: (sql) => database.asOwner(sql),
    askForReviews: (at) => askForReviews({ ...deps, clock: { now: () => at, ofChange: () => at, ofDatabase: () => at } }),
    async close() {
      await worker?.stop();
      await app.stop();
      await requestLog.stop();
      await deps.close();
      await receiver.close();
      await database.drop();
    },
  };
};
