import { type RawBuilder, sql } from "kysely";
import type { Db } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

export type RequestNote = {
  restaurant_id: number;
  token_id: number;
  at: Date;
  method: string;
  route: string;
  status: number;
  code: string | null;
  /** The faulty fields, in words of the contract; null when the request was not refused for any. */
  fields: string[] | null;
  ms: number;
  address: string;
  client: string | null;
  request_id: string;
};

export type HourNote = { restaurant_id: number; token_id: number; hour: Date; requests: number; errors: number; limited: number };

/** Across venues, because one process answers for many: one statement for all that came since the last. */
export const insertNotes = (db: Db, batch: { requests: RequestNote[]; hours: HourNote[] }): Promise<unknown> =>
  db.query(sql`select note_requests(${JSON.stringify(batch)}::jsonb)`);

export type RequestFilter = { tokenId?: number; statuses?: [number, number]; requestId?: string; beforeId?: number };

/** The newest first. Each status is looked up by itself, because an index has only one order. */
export const listRequestRows = (ctx: Ctx, { tokenId, statuses, requestId, beforeId }: RequestFilter, rowCount: number) => {
  const wanted = [
    sql`restaurant_id = ${ctx.tenant.id}`,
    ...(tokenId === undefined ? [] : [sql`token_id = ${tokenId}`]),
    ...(beforeId === undefined ? [] : [sql`id < ${beforeId}`]),
  ];
  const newest = (more: readonly RawBuilder<unknown>[]) =>
    sql`select id from requests where ${sql.join([...wanted, ...more], sql` and `)} order by id desc limit ${rowCount}::integer`;
  const inStatuses = statuses === undefined ? [] : [sql`status between ${statuses[0]}::integer and ${statuses[1]}::integer`];
  const ids =
    // One id has one request: its status is simply compared.
    requestId !== undefined
      ? newest([sql`request_id = ${requestId}`, ...inStatuses])
      : statuses === undefined
        ? newest([])
        : sql`select newest.id from generate_series(${statuses[0]}::integer, ${statuses[1]}::integer) one, lateral (${newest([sql`status = one`])}) newest
          order by newest.id desc limit ${rowCount}::integer`;
  return ctx.db.query(
    sql<RequestNote & { id: number; token_name: string }>`
      select r.id, r.restaurant_id, r.token_id, t.name as token_name, r.at, r.method, r.route, r.status, r.code, r.fields, r.ms, r.address, r.client, r.request_id
      from requests r join tokens t on t.restaurant_id = r.restaurant_id and t.id = r.token_id
      where r.restaurant_id = ${ctx.tenant.id} and r.id = any(array(${ids}))
      order by r.id desc limit ${rowCount}::integer`,
  );
};

export const listHours = (ctx: Ctx, since: Date): Promise<Omit<HourNote, "restaurant_id">[]> =>
  ctx.db.query(
    sql<Omit<HourNote, "restaurant_id">>`select token_id, hour, requests, errors, limited from token_hours
      where restaurant_id = ${ctx.tenant.id} and hour >= ${since} order by token_id, hour`,
  );
