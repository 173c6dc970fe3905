/** Keyset paging (open points D51–D55). One row more than the page is read; a cursor is a signed sort key. */

import type { Ctx } from "#lib/context.ts";
import { type Position, readCursor, writeCursor } from "#lib/cursor.ts";
import { because, type FieldRefusals, validationError } from "#lib/errors.ts";

/** Reads from the start, or from a position in one of two directions. */
export type PageRequest = { perPage: number; position: Position | null };

/** `faults` are the errors of the list's filters, so that one answer reports all errors of the request. */
export const readPage = (
  ctx: Ctx,
  list: string,
  query: { per_page?: number; cursor?: string },
  faults: FieldRefusals = {},
): PageRequest => {
  const perPage = query.per_page ?? 25;
  const position = query.cursor === undefined ? null : readCursor({ key: ctx.cursorKey, list, tenantId: ctx.tenant.id }, query.cursor);
  const isLost = query.cursor !== undefined && position === null;
  const all: FieldRefusals = isLost ? { ...faults, cursor: [because("Is not a cursor of this list.", "unknown_cursor")] } : faults;
  if (Object.keys(all).length > 0) throw validationError(all);
  return { perPage, position };
};

export type PageOf<Row> = { rows: Row[]; next: string | null; prev: string | null };

/**
 * `rows` come in reading direction, at most one more than the page holds. A page read backwards is reversed, so that every page has the
 * list's order.
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

/** The links hold cursors only; `absoluteLinks` turns them into URLs. */
export const presentPage = <R, M extends object>(data: R[], page: PageOf<unknown>, perPage: number, meta: M) => ({
  data,
  meta: { per_page: perPage, next_cursor: page.next, prev_cursor: page.prev, ...meta },
  links: { next: page.next, prev: page.prev },
});

type Cursors = { next: string | null; prev: string | null };

export const hasPages = (links: object): links is Cursors => "next" in links && "prev" in links;

/** Turns the cursors in `links` into URLs with the request's declared filters. */
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
