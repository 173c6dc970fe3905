import { LATEST } from "@comanda/contract/events/event-feed.ts";
import { REQUEST_PAGE_MAX, type SandboxRequest } from "@comanda/contract/sandbox/sandbox-requests.ts";
import type { Handlers } from "#http/api/operations.ts";
import type { Ctx } from "#lib/context.ts";
import type { CursorScope } from "#lib/cursor.ts";
import { decryptPosition, encryptPosition } from "#lib/encrypted-position.ts";
import { because, validationError } from "#lib/errors.ts";
import { formatInstant } from "#lib/time-zone.ts";
import { gateOf } from "./rules.ts";
import { readRequestTail } from "./service.ts";
import type { TailRow } from "./store.ts";

/** The log has one row of ids for all venues of the cell. */
const scopeOf = ({ cursorKey: key, tenant }: Ctx): CursorScope => ({ key, list: "requests", tenantId: tenant.id });

/** An id of the log, 0 before the oldest; null for a text that is no position of this venue. */
const startOf = (ctx: Ctx, after: string | undefined): number | typeof LATEST | null => {
  if (after === undefined) return 0;
  return after === LATEST ? LATEST : decryptPosition(scopeOf(ctx), after);
};

export const requestLogRoutes: Pick<Handlers, "listSandboxRequests"> = {
  async listSandboxRequests(ctx, { query }) {
    const start = startOf(ctx, query().after);
    if (start === null) throw validationError({ after: [because("Is not a position of this list.", "unknown_cursor")] });
    const { rows, cursor, hasMore } = await readRequestTail(ctx, start, REQUEST_PAGE_MAX);
    const data = rows.map((row) => presentRequest(row, ctx.tenant.zone));
    return { data, meta: { count: data.length, cursor: encryptPosition(scopeOf(ctx), cursor), has_more: hasMore }, links: {} };
  },
};

/** Names of fields and reasons alone: no value of a request is shown. */
const presentRequest = ({ request_id, at, method, route, status, code, fields, reasons, ms }: TailRow, zone: string): SandboxRequest => ({
  id: request_id,
  at: formatInstant(zone, at),
  method,
  path: route || null,
  status,
  code,
  gate: gateOf({ code, route, reasons }),
  fields: fields ?? [],
  reasons: [...new Set(reasons?.map(({ reason }) => reason))],
  ms,
});
