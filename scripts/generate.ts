/** `npm run generate`: writes what is made from the contract, the migrations and the settings. With --check it only compares. */
import { readFileSync, writeFileSync } from "node:fs";
import { openapiDocument } from "@comanda/contract/openapi/document.ts";
import { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import pg from "pg";
import { describeSchema, describeTypes } from "../server/src/db/introspect.ts";
import { openThrowaway } from "../server/src/dev/throwaway.ts";
import { withGroups } from "./groups-table.ts";
import { withEvents, withReasons, withScopes } from "./guide-tables.ts";
import { withPromises } from "./promises-table.ts";
import { sdkMethods } from "./sdk-methods.ts";
import { type OpenApiDocument, sdkTypes } from "./sdk-types.ts";
import { withComposeSettings, withSettings } from "./settings-table.ts";

const isCheck = process.argv.includes("--check");

/** Both descriptions are read out of a database that was built from the migrations a moment ago. */
const describeDatabase = async (): Promise<{ schema: string; types: string }> => {
  const database = await openThrowaway("generate");
  const client = new pg.Client({ connectionString: database.ownerUrl });
  try {
    await client.connect();
    return { schema: await describeSchema(client), types: await describeTypes(client) };
  } finally {
    await client.end();
    await database.close();
  }
};

const { schema, types } = await describeDatabase();
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const OPERATING = "docs/guide/operator/operating.md";
const AUTHENTICATION = "docs/guide/developer/authentication.md";
const REASONS = "docs/guide/developer/reasons.md";
const WEBHOOKS = "docs/guide/developer/webhooks.md";
const readText = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const files: Record<string, string> = {
  "server/src/db/schema.sql": schema,
  "server/src/db/tables.generated.ts": types,
  "server/openapi.json": json(openapiDocument("http://127.0.0.1:4000")),
  "sdk/src/types.generated.ts": sdkTypes(openapiDocument("http://127.0.0.1:4000") as OpenApiDocument),
  "sdk/src/methods.generated.ts": sdkMethods(openapiDocument("http://127.0.0.1:4000") as OpenApiDocument),
  "docs/guide/operator/venue-file.schema.json": json({ $schema: "https://json-schema.org/draft/2020-12/schema", ...VenueFile }),
  "compose.yaml": withComposeSettings(readText("compose.yaml")),
  [OPERATING]: withSettings(readText(OPERATING)),
  [AUTHENTICATION]: withScopes(readText(AUTHENTICATION)),
  [REASONS]: withReasons(readText(REASONS)),
  [WEBHOOKS]: withEvents(readText(WEBHOOKS)),
  "ARCHITECTURE.md": withGroups(readText("ARCHITECTURE.md")),
  "docs/figures.md": withPromises(readText("docs/figures.md")),
};

const stale = Object.entries(files).filter(([path, text]) => {
  const place = new URL(`../${path}`, import.meta.url);
  if (!isCheck) writeFileSync(place, text);
  return isCheck && readFileSync(place, "utf8") !== text;
});
for (const [path] of stale) process.stderr.write(`${path} is out of date: run \`npm run generate\` and commit the result.\n`);
process.exit(stale.length === 0 ? 0 : 1);
