import { sql } from "kysely";
import { type Db, first, type Row } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

export type BoardReading = Pick<Row<"board_readings">, "number" | "read_at">;

export const findReading = (ctx: Ctx): Promise<BoardReading | undefined> =>
  first(ctx.db.query(sql<BoardReading>`select number, read_at from board_readings where restaurant_id = ${ctx.tenant.id}`));

/** Two screens may read at once: the later reading stays. */
export const saveReading = (ctx: Ctx, { number, read_at }: BoardReading): void =>
  ctx.db.defer(sql`
    insert into board_readings (restaurant_id, number, read_at) values (${ctx.tenant.id}, ${number}, ${read_at})
    on conflict (restaurant_id) do update
      set number = greatest(board_readings.number, excluded.number), read_at = greatest(board_readings.read_at, excluded.read_at)`);

export type UnseenOrders = { count: number; since: Date };

/** Takes the right to send the next alarm, so that one of several processes sends it. Undefined: nothing waits, or another one did. */
export const claimAlarm = (
  ctx: Ctx,
  { waitingBefore, lastAlarmBefore }: { waitingBefore: Date; lastAlarmBefore: Date },
): Promise<UnseenOrders | undefined> =>
  first(
    ctx.db.query(sql<UnseenOrders>`
      with waiting as (
        select u.count, u.since from board_readings r, unseen_orders(r.restaurant_id, r.number, ${waitingBefore}) u
        where r.restaurant_id = ${ctx.tenant.id}
      )
      update board_readings r set alarmed_at = ${ctx.now} from waiting
      where r.restaurant_id = ${ctx.tenant.id} and waiting.count > 0 and (r.alarmed_at is null or r.alarmed_at <= ${lastAlarmBefore})
      returning waiting.count, waiting.since`),
  );

const FOUND_VENUES_MAX = 200;

export const findVenuesWithUnseenOrders = async (db: Db, now: Date): Promise<number[]> =>
  (await db.query(sql<{ id: number }>`select venues_with_unseen_orders(${now}, ${FOUND_VENUES_MAX}::integer) as id`)).map(({ id }) => id);
