/** Writes the tables of the guides that follow from the contract: scopes in authentication.md, events in webhooks.md, reasons in reasons.md. */
import { EVENT_TYPES, EVENTS, isSent } from "@comanda/contract/events/envelope.ts";
import { operationEntries } from "@comanda/contract/operations.ts";
import { REASONS, REFUSAL_REASONS } from "@comanda/contract/reasons.ts";
import { SCOPES } from "@comanda/contract/scopes.ts";
import { splitAt, table } from "./settings-table.ts";

const END = "<!-- end of what is made -->";
const SCOPES_BEGIN = "<!-- made by `npm run generate` from contract/src/areas.ts -->";
const EVENTS_BEGIN = "<!-- made by `npm run generate` from contract/src/events/event-table.ts -->";

const REASONS_BEGIN = "<!-- made by `npm run generate` from contract/src/reasons.ts -->";

const withTable = (page: string, begin: string, rows: string[][]): string => {
  const [before, after] = splitAt(page, begin, END);
  return `${before}${begin}\n\n${table(rows)}\n\n${after}`;
};

export const withScopes = (page: string): string => {
  const rows = Object.entries(SCOPES).map(([scope, allows]) => {
    const operations = operationEntries.filter(([, operation]) => operation.scope === scope);
    return [`\`${scope}\``, allows, operations.map(([, { method, path }]) => `\`${method} ${path}\``).join(" ")];
  });
  return withTable(page, SCOPES_BEGIN, [["scope", "allows", "operations"], ...rows]);
};

export const withEvents = (page: string): string => {
  const rows = EVENT_TYPES.map((type) => [`\`${type}\``, `${isSent(type) ? "" : "**Not yet sent.** "}${EVENTS[type].occursWhen}`]);
  return withTable(page, EVENTS_BEGIN, [["event", "when"], ...rows]);
};

export const withReasons = (page: string): string => {
  const rows = REFUSAL_REASONS.map((reason) => {
    const { meaning, params } = REASONS[reason];
    return [
      `\`${reason}\``,
      Object.keys(params.properties)
        .map((name) => `\`${name}\``)
        .join(" "),
      meaning,
    ];
  });
  return withTable(page, REASONS_BEGIN, [["reason", "params", "meaning"], ...rows]);
};
