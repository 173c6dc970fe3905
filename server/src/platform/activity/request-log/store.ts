import { sandboxOperations } from "@comanda/contract/sandbox/sandbox-operations.ts";
import { type RawBuilder, sql } from "kysely";
import type { Db, Row } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

export type RequestLogEntry = Omit<Row<"request_log">, "id">;

export type HourlyUsage = { restaurant_id: number; token_id: number; hour: Date; requests: number; errors: number; limited: number };

/** Writes rows of several venues in one statement, because one process serves many venues. */
export const insertRequestLog = (db: Pick<Db, "query">, batch: { requests: RequestLogEntry[]; hours: HourlyUsage[] }): Promise<unknown> =>
  db.query(sql`select record_requests(${JSON.stringify(batch)}::jsonb)`);

export type RequestLogFilter = { tokenId?: number; statuses?: [number, number]; requestId?: string; beforeId?: number };

/** Newest first. Each status is searched separately, because the index is ordered by id only within one status. */
export const listRequestLog = (ctx: Ctx, { tokenId, statuses, requestId, beforeId }: RequestLogFilter, rowCount: number) => {
  const wanted = [
    sql`restaurant_id = ${ctx.tenant.id}`,
    ...(tokenId === undefined ? [] : [sql`token_id = ${tokenId}`]),
    ...(beforeId === undefined ? [] : [sql`id < ${beforeId}`]),
  ];
  const newest = (more: readonly RawBuilder<unknown>[]) =>
    sql`select id from request_log where ${sql.join([...wanted, ...more], sql` and `)} order by id desc limit ${rowCount}::integer`;
  const inStatuses = statuses === undefined ? [] : [sql`status between ${statuses[0]}::integer and ${statuses[1]}::integer`];
  const ids =
    // A request id has at most one row, so its status is compared directly.
    requestId !== undefined
      ? newest([sql`request_id = ${requestId}`, ...inStatuses])
      : statuses === undefined
        ? newest([])
        : sql`select newest.id from generate_series(${statuses[0]}::integer, ${statuses[1]}::integer) one, lateral (${newest([sql`status = one`])}) newest
          order by newest.id desc limit ${rowCount}::integer`;
  return ctx.db.query(
    sql<RequestLogEntry & { id: number; token_name: string }>`
      select r.id, r.restaurant_id, r.token_id, t.name as token_name, r.at, r.method, r.route, r.status, r.code, r.fields, r.reasons, r.ms, r.address, r.client, r.request_id
      from request_log r join tokens t on t.restaurant_id = r.restaurant_id and t.id = r.token_id
      where r.restaurant_id = ${ctx.tenant.id} and r.id = any(array(${ids}))
      order by r.id desc limit ${rowCount}::integer`,
  );
};

export type TailRow = Omit<RequestLogEntry, "restaurant_id" | "token_id" | "address" | "client"> & { id: number };

/** A call looks at so many requests, however many of them it shows. */
export const TAIL_LOOKED_MAX = 1000;

const TAIL_ROUTE = sandboxOperations.listSandboxRequests.path;

export const lastRequestLogId = async (ctx: Ctx): Promise<number> => {
  const [row] = await ctx.db.query(
    sql<{ id: number }>`select coalesce(max(id), 0)::bigint as id from request_log where restaurant_id = ${ctx.tenant.id}`,
  );
  return row?.id ?? 0;
};

/** The oldest first. `lastId` is the last that was looked at; calls that read the tail themselves are looked at and not shown. */
export const listRequestTail = async (ctx: Ctx, afterId: number, rowCount: number) => {
  type Row = { [N in keyof TailRow]: TailRow[N] | null } & { last_id: number | null; looked_at: number };
  const found = await ctx.db.query(sql<Row>`
    with looked as (
      select id, route = ${TAIL_ROUTE} as is_tail from request_log
      where restaurant_id = ${ctx.tenant.id} and id > ${afterId} order by id limit ${TAIL_LOOKED_MAX}::integer
    )
    select s.last_id, s.looked_at, r.id, r.at, r.method, r.route, r.status, r.code, r.fields, r.reasons, r.ms, r.request_id
    from (select max(id)::bigint as last_id, count(*)::integer as looked_at from looked) s
      left join (select id from looked where not is_tail order by id limit ${rowCount}::integer) shown on true
      left join request_log r on r.restaurant_id = ${ctx.tenant.id} and r.id = shown.id
    order by r.id`);
  const [first] = found;
  return { rows: found.filter((row) => row.id !== null) as TailRow[], lastId: first?.last_id ?? null, lookedAt: first?.looked_at ?? 0 };
};

export const listHourlyUsage = (ctx: Ctx, since: Date): Promise<Omit<HourlyUsage, "restaurant_id">[]> =>
  ctx.db.query(
    sql<Omit<HourlyUsage, "restaurant_id">>`select token_id, hour, requests, errors, limited from hourly_token_usage
      where restaurant_id = ${ctx.tenant.id} and hour >= ${since} order by token_id, hour`,
  );
