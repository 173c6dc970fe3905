/** No new job starts for a venue that moves to another cell, so that no job sends its message twice. */
import { sql } from "kysely";
import type { Db } from "./query.ts";

export const isLeaving = async (db: Db, restaurantId: number): Promise<boolean> =>
  (await db.query(sql`select from venue_moves where restaurant_id = ${restaurantId} and phase <> 'copying'`)).length > 0;
