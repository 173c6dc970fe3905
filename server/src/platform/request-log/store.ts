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
      select r.id, r.restaurant_id, r.token_id, t.name as token_name, r.at, r.method, r.route, r.status, r.code, r.fields, r.ms, r.address, r.client, r.request_id
      from request_log r join tokens t on t.restaurant_id = r.restaurant_id and t.id = r.token_id
      where r.restaurant_id = ${ctx.tenant.id} and r.id = any(array(${ids}))
      order by r.id desc limit ${rowCount}::integer`,
  );
};

export const listHourlyUsage = (ctx: Ctx, since: Date): Promise<Omit<HourlyUsage, "restaurant_id">[]> =>
  ctx.db.query(
    sql<Omit<HourlyUsage, "restaurant_id">>`select token_id, hour, requests, errors, limited from hourly_token_usage
      where restaurant_id = ${ctx.tenant.id} and hour >= ${since} order by token_id, hour`,
  );
