/** The service that the readers of guides use, behind a proxy that checks every call, and what stands beside it. */
import type { AddressInfo } from "node:net";
import { startLocalReceiver } from "../../cli/test/local-receiver.ts";
import { buildApp } from "../../server/src/compose/api.ts";
import { readConfig } from "../../server/src/config.ts";
import { type Deps, openDeps, openLog } from "../../server/src/deps.ts";
import { buildOpsServer } from "../../server/src/http/ops/health.ts";
import { cloneDatabase, type TestDatabase } from "../../server/test/support/database.ts";
import { type CheckedCall, startCheckingProxy } from "./checking-proxy.ts";
import { startCommandServer } from "./command-server.ts";
import type { PreparedVenues } from "./prepared-venues.ts";

export type GuideService = {
  venues: PreparedVenues;
  deps: Deps;
  database: TestDatabase;
  rootUrl: string;
  /** Address of the operator's listener. */
  opsUrl: string;
  /** Address that runs `comanda-admin` commands. */
  commandsUrl: string;
  /** Address of the reader's own program, which accepts every event. */
  receiverUrl: string;
  calls: CheckedCall[];
  close(): Promise<void>;
};

export const startGuideService = async (venues: PreparedVenues): Promise<GuideService> => {
  const database = await cloneDatabase(venues.template);
  const settings = { LOG_LEVEL: "fatal", SHUTDOWN_GRACE_MS: "0", PORT: "0", ENCRYPTION_KEYS: venues.encryptionKeys };
  const deps = await openDeps(readConfig({ DATABASE_URL: database.appUrl, ...settings }), { log: openLog("fatal") });
  const app = await buildApp(deps);
  await app.http.listen({ host: "127.0.0.1", port: 0 });
  const ops = buildOpsServer(deps, () => !app.isShuttingDown());
  const opsUrl = await ops.listen({ host: "127.0.0.1", port: 0 });
  const proxy = await startCheckingProxy((app.http.server.address() as AddressInfo).port);
  const [commands, receiver] = await Promise.all([startCommandServer(), startLocalReceiver()]);
  return {
    venues,
    deps,
    database,
    rootUrl: proxy.rootUrl,
    opsUrl,
    commandsUrl: commands.url,
    receiverUrl: new URL(receiver.url).origin,
    calls: proxy.calls,
    async close() {
      await Promise.all([proxy.close(), commands.close(), receiver.close()]);
      await app.stop();
      await ops.close();
      await deps.close();
      await database.drop();
    },
  };
};
