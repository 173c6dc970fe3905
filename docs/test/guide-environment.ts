/** The service that a guide's reader uses: the trattoria with its sandbox, the reader's own venue, an app and an owner. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLocalReceiver } from "../../cli/test/local-receiver.ts";
import { createMarket } from "../../server/src/cli/demo-market.ts";
import { buildApp } from "../../server/src/compose/api.ts";
import { importVenue } from "../../server/src/compose/import-venue.ts";
import { readConfig } from "../../server/src/config.ts";
import { openDeps, openLog } from "../../server/src/deps.ts";
import { buildOpsServer } from "../../server/src/http/ops/health.ts";
import { cloneDatabase } from "../../server/test/support/database.ts";
import { readSample } from "../../server/test/support/test-app.ts";
import { type CheckedCall, startCheckingProxy } from "./checking-proxy.ts";
import { startCommandServer } from "./command-server.ts";
import { ownVenueFile, type PreparedVenues } from "./prepared-venues.ts";

export type GuideEnvironment = {
  rootUrl: string;
  /** Address of the operator's listener. */
  opsUrl: string;
  /** Address that runs `comanda` commands. */
  commandsUrl: string;
  /** Address of the reader's own program, which accepts every event. */
  receiverUrl: string;
  folder: string;
  /** Environment variables of the page's blocks. */
  variables: Record<string, string>;
  /** Placeholders of the pages and the values of this environment. */
  values: Record<string, string>;
  calls: CheckedCall[];
  close(): Promise<void>;
};

type Market = Awaited<ReturnType<typeof createMarket>>;

const appValues = ({ client }: Market): Record<string, string> => ({
  "svc_app_…": client.client_id,
  "svc_cs_…": client.client_secret,
});

const ownerOf = ({ people, venue }: Market, rootUrl: string): string => JSON.stringify({ root_url: rootUrl, person: people.owner, venue });

/** Each page has its own database, so that the first dish and the first address are 1024. */
export const startGuideEnvironment = async (
  { template, encryptionKeys, sandboxToken, liveToken }: PreparedVenues,
  { hasMarket, programs }: { hasMarket: boolean; programs: string },
): Promise<GuideEnvironment> => {
  const database = await cloneDatabase(template);
  const folder = mkdtempSync(join(tmpdir(), "comanda-guide-"));
  const settings = { LOG_LEVEL: "fatal", SHUTDOWN_GRACE_MS: "0", PORT: "0", ENCRYPTION_KEYS: encryptionKeys };
  const config = readConfig({ DATABASE_URL: database.appUrl, ...settings });
  const deps = await openDeps(config, { log: openLog("fatal") });
  const app = await buildApp(deps);
  await app.http.listen({ host: "127.0.0.1", port: 0 });
  const ops = buildOpsServer(deps, () => !app.isShuttingDown());
  const opsUrl = await ops.listen({ host: "127.0.0.1", port: 0 });
  const proxy = await startCheckingProxy((app.http.server.address() as AddressInfo).port);
  const [commands, receiver] = await Promise.all([startCommandServer(), startLocalReceiver()]);
  writeFileSync(join(folder, "my-venue.json"), JSON.stringify(ownVenueFile()));
  if (hasMarket) await importVenue(deps, readSample("lab"));
  const market = hasMarket ? await createMarket(deps) : null;
  return {
    rootUrl: proxy.rootUrl,
    opsUrl,
    commandsUrl: commands.url,
    receiverUrl: new URL(receiver.url).origin,
    folder,
    variables: {
      // `comanda`, as it is installed.
      PATH: `${programs}:${process.env.PATH}`,
      DATABASE_URL: database.appUrl,
      OWNER_DATABASE_URL: database.ownerUrl,
      ENCRYPTION_KEYS: encryptionKeys,
      PORT: new URL(proxy.rootUrl).port,
      TOKEN: sandboxToken,
      OWNER: market ? ownerOf(market, proxy.rootUrl) : "",
    },
    values: {
      "1024|svc_…": liveToken,
      "2048|svc_sbx_…": sandboxToken,
      ...(market && appValues(market)),
    },
    calls: proxy.calls,
    async close() {
      await Promise.all([proxy.close(), commands.close(), receiver.close()]);
      await app.stop();
      await ops.close();
      await deps.close();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
