/** A venue that is leaving this cell begins no new job: what a job sends is then never sent twice. */
import { sql } from "kysely";
import type { Db } from "./query.ts";

export const isLeaving = async (db: Db, restaurantId: number): Promise<boolean> =>
  (await db.query(sql`select from moves where restaurant_id = ${restaurantId} and phase <> 'copying'`)).length > 0;
