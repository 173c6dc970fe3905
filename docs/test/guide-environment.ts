/** What one reader of a guide begins with: a sandbox as on its first day, an own venue, an empty folder, and an app with its owner. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { createMarket } from "../../server/src/admin/demo-market.ts";
import { freshSandbox } from "../../server/src/admin/sandbox.ts";
import { importVenue } from "../../server/src/compose/import-venue.ts";
import { readSample } from "../../server/test/support/test-app.ts";
import type { GuideService } from "./guide-service.ts";
import { UNLIMITED } from "./prepared-venues.ts";

export type GuideEnvironment = Pick<GuideService, "rootUrl" | "opsUrl" | "commandsUrl" | "receiverUrl" | "calls"> & {
  folder: string;
  /** Environment variables of the page's blocks. */
  variables: Record<string, string>;
  /** Placeholders of the pages and the values of this environment. */
  values: Record<string, string>;
  close(): void;
};

type Market = Awaited<ReturnType<typeof createMarket>>;

const appValues = ({ client }: Market): Record<string, string> => ({
  "svc_app_…": client.client_id,
  "svc_cs_…": client.client_secret,
});

const ownerOf = ({ people, venue }: Market, rootUrl: string): string => JSON.stringify({ root_url: rootUrl, person: people.owner, venue });

/** The reader's own venue. */
const ownVenueFile = (): VenueFile => {
  const own = readSample("lab");
  return { ...own, restaurant: { ...own.restaurant, slug: "my-venue" } };
};

/** The venue of the reader before keeps its rows under another name. */
const openOwnVenue = async ({ deps, database }: GuideService): Promise<void> => {
  await database.asOwner("update restaurants set slug = 'former-' || id where slug in ('my-venue', 'my-venue.sandbox')");
  await importVenue(deps, ownVenueFile());
};

/**
 * True for what changes more than the sandbox and the own venue, or names a number that the database gives: 1024 is the first dish and the
 * first address. It needs a service of its own.
 */
export const needsOwnService = (text: string): boolean => /svc_app_|\b1024\b|trattoria-da-nino(?!\.sandbox)/.test(text);

/** `run` is the text of what the reader runs. */
export const openGuide = async (service: GuideService, run: string, programs: string): Promise<GuideEnvironment> => {
  const { venues, deps, database, rootUrl, opsUrl, commandsUrl, receiverUrl, calls } = service;
  const hasMarket = run.includes("svc_app_");
  if (run.includes("my-venue")) await openOwnVenue(service);
  const { token } = await freshSandbox(deps, venues.slug, UNLIMITED);
  const folder = mkdtempSync(join(tmpdir(), "comanda-guide-"));
  writeFileSync(join(folder, "my-venue.json"), JSON.stringify(ownVenueFile()));
  if (hasMarket) await importVenue(deps, readSample("lab"));
  const market = hasMarket ? await createMarket(deps) : null;
  calls.length = 0;
  return {
    rootUrl,
    opsUrl,
    commandsUrl,
    receiverUrl,
    calls,
    folder,
    variables: {
      // `comanda`, as it is installed.
      PATH: `${programs}:${process.env.PATH}`,
      DATABASE_URL: database.appUrl,
      OWNER_DATABASE_URL: database.ownerUrl,
      ENCRYPTION_KEYS: venues.encryptionKeys,
      PORT: new URL(rootUrl).port,
      TOKEN: token,
      OWNER: market ? ownerOf(market, rootUrl) : "",
    },
    values: {
      "1024|svc_…": venues.liveToken,
      "2048|svc_sbx_…": token,
      ...(market && appValues(market)),
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
};
