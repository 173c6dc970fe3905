import { sql } from "kysely";
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
  ms: number;
  address: string;
  client: string | null;
  request_id: string;
};

export type HourNote = { restaurant_id: number; token_id: number; hour: Date; requests: number; errors: number; limited: number };

/** Across venues, because one process answers for many: one statement for all that came since the last. */
export const insertNotes = (db: Db, batch: { requests: RequestNote[]; hours: HourNote[] }): Promise<unknown> =>
  db.query(sql`select note_requests(${JSON.stringify(batch)}::jsonb)`);

export type RequestFilter = { tokenId?: number; statuses?: [number, number]; beforeId?: number };

export const listRequestRows = (ctx: Ctx, { tokenId, statuses, beforeId }: RequestFilter, rowCount: number) =>
  ctx.db.query(
    sql<RequestNote & { id: number; token_name: string }>`
      select r.id, r.restaurant_id, r.token_id, t.name as token_name, r.at, r.method, r.route, r.status, r.code, r.ms, r.address, r.client, r.request_id
      from requests r join tokens t on t.restaurant_id = r.restaurant_id and t.id = r.token_id
      where r.restaurant_id = ${ctx.tenant.id}
        and (${tokenId ?? null}::bigint is null or r.token_id = ${tokenId ?? null}::bigint)
        and (${statuses?.[0] ?? null}::integer is null or r.status between ${statuses?.[0] ?? null}::integer and ${statuses?.[1] ?? null}::integer)
        and (${beforeId ?? null}::bigint is null or r.id < ${beforeId ?? null}::bigint)
      order by r.id desc limit ${rowCount}::integer`,
  );

export const listHours = (ctx: Ctx, since: Date): Promise<Omit<HourNote, "restaurant_id">[]> =>
  ctx.db.query(
    sql<Omit<HourNote, "restaurant_id">>`select token_id, hour, requests, errors, limited from token_hours
      where restaurant_id = ${ctx.tenant.id} and hour >= ${since} order by token_id, hour`,
  );
