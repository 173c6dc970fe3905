/**
 * Provides `virtual:contract`: the contract's tables without schemas. The console needs only method and path of a call, so the
 * schema library stays out of the bundle.
 */

import { CONSOLE_PREFIX } from "@comanda/contract/console/operation.ts";
import { consoleEntries } from "@comanda/contract/console/operations.ts";
import { EVENTS, UNSENT_EVENTS } from "@comanda/contract/events/envelope.ts";
import { operationEntries } from "@comanda/contract/operations.ts";
import { Type } from "typebox";
import type { Plugin } from "vite";

const NAME = "virtual:contract";

const tables = {
  prefix: CONSOLE_PREFIX,
  calls: Object.fromEntries(consoleEntries.map(([id, { method, path }]) => [id, [method, path]])),
  publicOperations: operationEntries.map(([id, { method, path, scope, summary, query }]) => ({
    id,
    method,
    path,
    scope,
    summary,
    needsQuery: Object.values(query?.properties ?? {}).some((property) => !Type.IsOptional(property)),
  })),
  events: EVENTS,
  unsentEvents: UNSENT_EVENTS,
};

export const contractTables = (): Plugin => ({
  name: "comanda-contract",
  resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
  load: (id) =>
    id === `\0${NAME}`
      ? Object.entries(tables)
          .map(([name, table]) => `export const ${name} = ${JSON.stringify(table)};`)
          .join("\n")
      : null,
});
