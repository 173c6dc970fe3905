/** Keyset paging: one row more than the page is read, and positions are signed sort keys (open points D51–D55). */

import type { Ctx } from "#lib/context.ts";
import { type Position, readCursor, writeCursor } from "#lib/cursor.ts";
import { type Faults, invalid } from "#lib/errors.ts";

/** Where to read: from the start, or from a position in one of two directions. */
export type PageRequest = { perPage: number; position: Position | null };

/** `faults` are those of the list's own filters: all that is wrong with a request is told at once. */
export const readPage = (ctx: Ctx, list: string, query: { per_page?: number; cursor?: string }, faults: Faults = {}): PageRequest => {
  const perPage = query.per_page ?? 25;
  const position = query.cursor === undefined ? null : readCursor({ key: ctx.cursorKey, list, tenantId: ctx.tenant.id }, query.cursor);
  const isLost = query.cursor !== undefined && position === null;
  const all: Faults = isLost ? { ...faults, cursor: ["Is not a cursor of this list."] } : faults;
  if (Object.keys(all).length > 0) throw invalid(all);
  return { perPage, position };
};

export type PageOf<Row> = { rows: Row[]; next: string | null; prev: string | null };

/**
 * `rows` come in reading direction, at most one more than the page holds. A page read backwards is turned round,
 * so that every page is in the list's own order.
 */
export const cutPage = <Row>(
  ctx: Ctx,
  list: string,
  request: PageRequest,
  found: { rows: Row[]; keysOf(row: Row): (string | number)[] },
): PageOf<Row> => {
  const { perPage, position } = request;
  const isBackwards = position?.direction === "prev";
  const hasMore = found.rows.length > perPage;
  const rows = found.rows.slice(0, perPage);
  if (isBackwards) rows.reverse();
  const cursor = (direction: Position["direction"], row: Row | undefined): string | null =>
    row === undefined ? null : writeCursor({ key: ctx.cursorKey, list, tenantId: ctx.tenant.id }, { direction, keys: found.keysOf(row) });
  const hasNext = isBackwards ? true : hasMore;
  const hasPrev = isBackwards ? hasMore : position !== null;
  return {
    rows,
    next: hasNext ? cursor("next", rows.at(-1)) : null,
    prev: hasPrev ? cursor("prev", rows[0]) : null,
  };
};

/** The page as the contract shows it. Links are relative here; the binding makes them absolute with the request's filters. */
export const presentPage = <R, M extends object>(data: R[], page: PageOf<unknown>, perPage: number, meta: M) => ({
  data,
  meta: { per_page: perPage, next_cursor: page.next, prev_cursor: page.prev, ...meta },
  links: { next: page.next, prev: page.prev },
});

type Cursors = { next: string | null; prev: string | null };

export const hasPages = (links: object): links is Cursors => "next" in links && "prev" in links;

/** Turns the cursors in `links` into addresses that keep the request's own filters, and nothing else that was sent. */
export const absoluteLinks = ({ next, prev }: Cursors, pageUrl: URL, declared: readonly string[]): object => {
  const address = (cursor: string | null) => {
    if (cursor === null) return null;
    const url = new URL(pageUrl.pathname, pageUrl);
    for (const [name, value] of pageUrl.searchParams) if (declared.includes(name)) url.searchParams.append(name, value);
    url.searchParams.set("cursor", cursor);
    return url.href;
  };
  return { next: address(next), prev: address(prev) };
};
