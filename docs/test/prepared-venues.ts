/** A database with the venue that every page starts from. It is made once; each service works on a copy. */
import { randomBytes } from "node:crypto";
import { ALL_SCOPES } from "@comanda/contract/scopes.ts";
import { forVenue } from "../../server/src/admin/command-context.ts";
import { freshSandbox } from "../../server/src/admin/sandbox.ts";
import { importVenue } from "../../server/src/compose/import-venue.ts";
import { readConfig } from "../../server/src/config.ts";
import { type Deps, openDeps, openLog } from "../../server/src/deps.ts";
import { createToken } from "../../server/src/platform/programs/tokens/service.ts";
import { cloneDatabase } from "../../server/test/support/database.ts";
import { readSample } from "../../server/test/support/test-app.ts";

export const UNLIMITED = 1_000_000;

export type PreparedVenues = {
  /** The name of the database to copy. */
  template: string;
  encryptionKeys: string;
  /** The venue that has the sandbox, and its own token. */
  slug: string;
  liveToken: string;
  drop(): Promise<void>;
};

const createLiveToken = (deps: Deps, slug: string): Promise<string> =>
  forVenue(deps, slug, async (ctx) => {
    const wanted = { kind: "api", name: "guide", scopes: ALL_SCOPES, ratePerMinute: UNLIMITED, expiresAt: null } as const;
    return (await createToken(ctx, wanted)).token;
  });

export const prepareVenues = async (): Promise<PreparedVenues> => {
  const database = await cloneDatabase();
  const encryptionKeys = `2026:${randomBytes(32).toString("base64")}`;
  const config = readConfig({ DATABASE_URL: database.appUrl, LOG_LEVEL: "fatal", ENCRYPTION_KEYS: encryptionKeys });
  const deps = await openDeps(config, { log: openLog("fatal") });
  try {
    const { slug } = await importVenue(deps, readSample("trattoria"));
    await freshSandbox(deps, slug, UNLIMITED);
    return {
      template: new URL(database.appUrl).pathname.slice(1),
      encryptionKeys,
      slug,
      liveToken: await createLiveToken(deps, slug),
      drop: () => database.drop(),
    };
  } finally {
    // PostgreSQL copies a database only while it has no connections.
    await deps.close();
  }
};
