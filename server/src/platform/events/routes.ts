import { FEED_PAGE_MAX } from "@comanda/contract/events/event-feed.ts";
import type { Handlers } from "#http/api/operations.ts";
import { storedRows } from "#http/reply.ts";
import { because, validationError } from "#lib/errors.ts";
import { readFeedStart } from "#lib/feed-position.ts";
import { readEventFeed } from "./service.ts";

export const eventRoutes: Pick<Handlers, "listEvents"> = {
  async listEvents(ctx, { query }) {
    const { after, types, limit = FEED_PAGE_MAX } = query();
    const start = readFeedStart({ key: ctx.cursorKey, tenantId: ctx.tenant.id }, after);
    if (start === null) throw validationError({ after: [because("Is not a position of this feed.", "unknown_cursor")] });
    const { bodies, cursors, cursor, hasMore } = await readEventFeed(ctx, { start, types, limit });
    return { data: storedRows(bodies), meta: { count: bodies.length, cursor, has_more: hasMore, cursors }, links: {} };
  },
};
