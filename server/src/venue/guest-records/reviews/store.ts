import { sql } from "kysely";
import { type Db, first } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

export type ReviewRow = {
  id: number;
  order_id: string | null;
  reservation_id: string | null;
  rating: number;
  comment: string | null;
  guest_name: string | null;
  created_at: Date;
  reply: string | null;
  replied_at: Date | null;
  replied_by: string | null;
};

const COLUMNS = sql`id, order_id, reservation_id, rating, comment, guest_name, created_at, reply, replied_at, replied_by`;
const REVIEW = sql`select ${COLUMNS} from reviews`;

export type NewReview = Pick<ReviewRow, "order_id" | "reservation_id" | "rating" | "comment" | "guest_name">;

/** Undefined when there is a review of this order or reservation. */
export const insertReview = (ctx: Ctx, review: NewReview): Promise<ReviewRow | undefined> =>
  first(
    ctx.db.query(sql<ReviewRow>`
      insert into reviews (restaurant_id, order_id, reservation_id, rating, comment, guest_name, created_at)
      values (${ctx.tenant.id}, ${review.order_id}::uuid, ${review.reservation_id}::uuid, ${review.rating}, ${review.comment},
        ${review.guest_name}, ${ctx.now})
      on conflict do nothing returning ${COLUMNS}`),
  );

export const findReview = (ctx: Ctx, id: number): Promise<ReviewRow | undefined> =>
  first(ctx.db.query(sql<ReviewRow>`${REVIEW} where restaurant_id = ${ctx.tenant.id} and id = ${id}`));

export const lockReview = (ctx: Ctx, id: number): Promise<ReviewRow | undefined> =>
  first(ctx.db.query(sql<ReviewRow>`${REVIEW} where restaurant_id = ${ctx.tenant.id} and id = ${id} for update`));

export type ReviewFilter = { rating: number | null; before: number | null; rows: number };

/** The newest first. */
export const listReviews = (ctx: Ctx, { rating, before, rows }: ReviewFilter): Promise<ReviewRow[]> => {
  const ofRating = rating === null ? sql`` : sql`and rating = ${rating}`;
  const older = before === null ? sql`` : sql`and id < ${before}`;
  return ctx.db.query(
    sql<ReviewRow>`${REVIEW} where restaurant_id = ${ctx.tenant.id} ${ofRating} ${older} order by id desc limit ${rows}::integer`,
  );
};

/** Counts the latest reviews. A rating that none has is missing. */
export const countByRating = (ctx: Ctx, rowCount: number): Promise<{ rating: number; count: number }[]> =>
  ctx.db.query(sql<{ rating: number; count: number }>`
    select latest.rating, count(*)::integer as count
    from (select rating from reviews where restaurant_id = ${ctx.tenant.id} order by id desc limit ${rowCount}::integer) latest
    group by latest.rating order by latest.rating limit 5`);

export const setReply = (ctx: Ctx, id: number, reply: string): void =>
  ctx.db.defer(sql`
    update reviews set reply = ${reply}, replied_at = ${ctx.now}, replied_by = ${ctx.actor.name}
    where restaurant_id = ${ctx.tenant.id} and id = ${id}`);

const of = (ids: readonly string[]) => sql`(order_id = any (${[...ids]}::uuid[]) or reservation_id = any (${[...ids]}::uuid[]))`;

/** Lists the reviews of these orders and reservations. */
export const listReviewsOf = (ctx: Ctx, ids: readonly string[]): Promise<ReviewRow[]> =>
  ctx.db.query(sql<ReviewRow>`${REVIEW} where restaurant_id = ${ctx.tenant.id} and ${of(ids)} order by id`);

/** The rating stays. Locked in the order of ids. */
export const clearReviews = (ctx: Ctx, ids: readonly string[]): Promise<{ id: number }[]> =>
  ctx.db.query(sql<{ id: number }>`
    with theirs as (select id from reviews where restaurant_id = ${ctx.tenant.id} and ${of(ids)} order by id for update)
    update reviews r set comment = null, guest_name = null, reply = null from theirs
    where r.restaurant_id = ${ctx.tenant.id} and r.id = theirs.id returning r.id`);

const FOUND_REQUESTS_MAX = 1000;

export const findVenuesWithDueRequests = async (db: Db, now: Date): Promise<number[]> =>
  (await db.query(sql<{ id: number }>`select venues_with_due_review_requests(${now}, ${FOUND_REQUESTS_MAX}::integer) as id`)).map(
    ({ id }) => id,
  );
