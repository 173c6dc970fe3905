/** What a reader of a guide has before them: the service with the trattoria and its sandbox, a venue of their own, an app, an owner. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ALL_SCOPES } from "@comanda/contract/scopes.ts";
import { buildApp } from "../../server/src/app.ts";
import { createMarket } from "../../server/src/cli/demo-market.ts";
import { freshSandbox } from "../../server/src/cli/sandbox.ts";
import { forVenue } from "../../server/src/cli/session.ts";
import { importVenue } from "../../server/src/cli/venue.ts";
import { readConfig } from "../../server/src/config.ts";
import { type Deps, openDeps, openLog } from "../../server/src/deps.ts";
import { buildOps } from "../../server/src/http/ops.ts";
import { createToken } from "../../server/src/platform/tokens/service.ts";
import { readSample } from "../../server/test/app.ts";
import { cloneDatabase } from "../../server/test/database.ts";
import { openWitness, type Seen } from "./witness.ts";

const UNLIMITED = 1_000_000;

export type House = {
  rootUrl: string;
  /** Of the operator's listener. */
  opsUrl: string;
  folder: string;
  /** The environment in which the page's blocks run. */
  environment: Record<string, string>;
  /** What stands in the pages for a value that each reader has their own of. */
  values: Record<string, string>;
  seen: Seen[];
  close(): Promise<void>;
};

const liveToken = (deps: Deps, slug: string): Promise<string> =>
  forVenue(deps, slug, async (ctx) => {
    const wanted = { kind: "api", name: "guide", scopes: ALL_SCOPES, ratePerMinute: UNLIMITED, expiresAt: null } as const;
    return (await createToken(ctx, wanted)).token;
  });

type Market = Awaited<ReturnType<typeof createMarket>>;

const appValues = ({ client }: Market): Record<string, string> => ({
  "svc_app_…": client.client_id,
  "svc_cs_…": client.client_secret,
});

const ownerOf = ({ people, venue }: Market, rootUrl: string): string => JSON.stringify({ root_url: rootUrl, person: people.owner, venue });

/** Each page has a database of its own, so the first dish, the first address are 1024 whoever was here before. */
export const openHouse = async ({ hasMarket }: { hasMarket: boolean }): Promise<House> => {
  const database = await cloneDatabase();
  const folder = mkdtempSync(join(tmpdir(), "comanda-guide-"));
  const secretKeys = `2026:${randomBytes(32).toString("base64")}`;
  const config = readConfig({ DATABASE_URL: database.appUrl, LOG_LEVEL: "fatal", DRAIN_MS: "0", PORT: "0", SECRET_KEYS: secretKeys });
  const deps = await openDeps(config, { log: openLog("fatal") });
  const app = await buildApp(deps);
  await app.http.listen({ host: "127.0.0.1", port: 0 });
  const ops = buildOps(deps, () => !app.isDraining());
  const opsUrl = await ops.listen({ host: "127.0.0.1", port: 0 });
  const witness = await openWitness((app.http.server.address() as AddressInfo).port);
  const trattoria = await importVenue(deps, readSample("trattoria"));
  const own = readSample("lab");
  writeFileSync(join(folder, "my-venue.json"), JSON.stringify({ ...own, restaurant: { ...own.restaurant, slug: "my-venue" } }));
  await importVenue(deps, { ...own, restaurant: { ...own.restaurant, slug: "my-venue" } });
  const sandbox = await freshSandbox(deps, trattoria.slug, UNLIMITED);
  if (hasMarket) await importVenue(deps, own);
  const market = hasMarket ? await createMarket(deps) : null;
  return {
    rootUrl: witness.rootUrl,
    opsUrl,
    folder,
    environment: {
      DATABASE_URL: database.appUrl,
      OWNER_DATABASE_URL: database.ownerUrl,
      SECRET_KEYS: secretKeys,
      PORT: new URL(witness.rootUrl).port,
      TOKEN: sandbox.token,
      OWNER: market ? ownerOf(market, witness.rootUrl) : "",
    },
    values: {
      "1024|svc_…": await liveToken(deps, trattoria.slug),
      "2048|svc_sbx_…": sandbox.token,
      ...(market && appValues(market)),
    },
    seen: witness.seen,
    async close() {
      await witness.close();
      await app.stop();
      await ops.close();
      await deps.close();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
