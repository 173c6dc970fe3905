import { LATEST } from "@comanda/contract/events/event-feed.ts";
import { REQUEST_PAGE_MAX } from "@comanda/contract/sandbox/sandbox-requests.ts";
import type { Handlers } from "#http/api/operations.ts";
import { because, validationError } from "#lib/errors.ts";
import { presentRequest } from "./present.ts";
import { readRequestTail } from "./service.ts";

/** An id of the log; null for a text that is none. */
const positionOf = (after: string): number | typeof LATEST | null => {
  if (after === LATEST) return LATEST;
  return /^(0|[1-9]\d{0,14})$/.test(after) ? Number(after) : null;
};

export const requestLogRoutes: Pick<Handlers, "listSandboxRequests"> = {
  async listSandboxRequests(ctx, { query }) {
    const { after = "0" } = query();
    const start = positionOf(after);
    if (start === null) throw validationError({ after: [because("Is not a position of this list.", "unknown_cursor")] });
    const { rows, cursor, hasMore } = await readRequestTail(ctx, start, REQUEST_PAGE_MAX);
    const data = rows.map((row) => presentRequest(row, ctx.tenant.zone));
    return { data, meta: { count: data.length, cursor: String(cursor), has_more: hasMore }, links: {} };
  },
};
