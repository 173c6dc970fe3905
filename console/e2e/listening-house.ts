/** The real application and its worker in this process, with a receiver of its own: messages travel over TLS, but never leave the machine. */
import type { AddressInfo } from "node:net";
import type { Role } from "@comanda/contract/console-operation.ts";
import type { Scope } from "@comanda/contract/scopes.ts";
import { buildApp } from "../../server/src/app.ts";
import { forVenue } from "../../server/src/cli/session.ts";
import { importVenue } from "../../server/src/cli/venue.ts";
import { readConfig } from "../../server/src/config.ts";
import { openDb } from "../../server/src/db/pool.ts";
import { openDeps, openLog } from "../../server/src/deps.ts";
import { freshenLink, invite } from "../../server/src/platform/links/service.ts";
import { openNotebook } from "../../server/src/platform/requests/service.ts";
import { addStaff } from "../../server/src/platform/staff/service.ts";
import { createToken } from "../../server/src/platform/tokens/service.ts";
import { startWorker, type Worker } from "../../server/src/worker.ts";
import { readSample } from "../../server/test/app.ts";
import { cloneDatabase } from "../../server/test/database.ts";
import { createLocalSender, type Receiver, startReceiver } from "../../server/test/receiver.ts";

export type ListeningHouse = {
  url: string;
  slug: string;
  receiver: Receiver;
  /** Once everybody is inside: it mails the invitations, and each mail makes its link anew. */
  startWorker(): Promise<void>;
  /** The secret of a link as it would stand in the mail. */
  invite(role: Role): Promise<string>;
  token(scopes: Scope[]): Promise<string>;
  /** As the owner of the database, who sees everything. */
  query(sql: string): Promise<unknown>;
  close(): Promise<void>;
};

export const openListeningHouse = async (): Promise<ListeningHouse> => {
  const [database, receiver] = await Promise.all([cloneDatabase(), startReceiver()]);
  const SECRET_KEYS = `test:${Buffer.alloc(32, 7).toString("base64")}`;
  const PAGE_RATE_PER_MINUTE = "1000000";
  const config = readConfig({ DATABASE_URL: database.appUrl, LOG_LEVEL: "fatal", DRAIN_MS: "0", SECRET_KEYS, PAGE_RATE_PER_MINUTE });
  const deps = await openDeps(config, { log: openLog(config.logLevel) });
  const notebook = openNotebook(openDb(deps.pool), deps.log);
  const app = await buildApp(deps, { sender: createLocalSender(receiver.authority.cert), notebook });
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
        const link = await freshenLink(ctx, (await invite(ctx, email)).linkId);
        return link?.secret ?? "";
      }),
    token: (scopes) =>
      forVenue(
        deps,
        slug,
        async (ctx) => (await createToken(ctx, { kind: "api", name: "Reader", scopes, ratePerMinute: null, expiresAt: null })).token,
      ),
    query: (sql) => database.asOwner(sql),
    async close() {
      await worker?.stop();
      await app.stop();
      await notebook.stop();
      await deps.close();
      await receiver.close();
      await database.drop();
    },
  };
};
