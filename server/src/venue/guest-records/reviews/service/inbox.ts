/** What managers do with reviews: read them by rating, reply. The owner says whether guests are asked. */
import { COUNTED_REVIEWS_MAX, RATINGS } from "@comanda/contract/console/review-limits.ts";
import type { ListedReview, RepliedReview, ReviewDesk, WholeReview } from "@comanda/contract/console/reviews.ts";
import type { ReviewRules } from "@comanda/contract/venue-file/review-rules.ts";
import type { Ctx } from "#lib/context.ts";
import { type ApiError, apiError, validationError } from "#lib/errors.ts";
import { recordAudit, stateChanged } from "#platform/activity/audit/service.ts";
import { chooseChannel, queueReviewMessage, readMessageHeader } from "#platform/messages/notifications/service.ts";
import { findReservation } from "#venue/bookings/reservations/service/bookings.ts";
import { keepGuest } from "#venue/guests/service.ts";
import { endRequestsOf, type RatedSubject } from "#venue/orders/review-requests/service.ts";
import { findRatedOrder } from "#venue/orders/service/reads.ts";
import { findReviewRules, lockReviewRules, updateReviewRules } from "#venue/settings/service.ts";
import { presentReview } from "../present.ts";
import { isReachable, type Rated } from "../rules.ts";
import { clearReviews, countByRating, findReview, listReviews, listReviewsOf, lockReview, type ReviewRow, setReply } from "../store.ts";
import { readRated } from "./rated.ts";

export const readDesk = async (ctx: Ctx): Promise<ReviewDesk> => {
  const [rules, found] = await Promise.all([findReviewRules(ctx), countByRating(ctx, COUNTED_REVIEWS_MAX)]);
  const counts = RATINGS.map((rating) => ({ rating, count: found.find((row) => row.rating === rating)?.count ?? 0 }));
  return { rules, counts, counted_max: COUNTED_REVIEWS_MAX, zone: ctx.tenant.zone };
};

const isSame = (one: ReviewRules, other: ReviewRules): boolean => one.is_on === other.is_on && one.wait_minutes === other.wait_minutes;

export const saveRules = async (ctx: Ctx, { seen, rules }: { seen: ReviewRules; rules: ReviewRules }): Promise<ReviewRules> => {
  const before = await lockReviewRules(ctx);
  if (!isSame(before, seen)) throw await stateChanged(ctx, { area: "review_rules", subject: ctx.tenant.id }, { rules: before });
  if (isSame(before, rules)) return before;
  updateReviewRules(ctx, rules);
  recordAudit(ctx, { action: "review_rules.changed", subject: { kind: "review_rules", id: ctx.tenant.id }, before, after: rules });
  return rules;
};

type ReviewPage = { rating?: number | undefined; before?: number | undefined; rows: number };

export const findReviews = async (
  ctx: Ctx,
  { rating, before, rows }: ReviewPage,
): Promise<{ data: ListedReview[]; next: number | null }> => {
  const found = await listReviews(ctx, { rating: rating ?? null, before: before ?? null, rows: rows + 1 });
  const page = found.slice(0, rows);
  return { data: page.map(presentReview), next: found.length > rows ? (page.at(-1)?.id ?? null) : null };
};

const subjectOf = ({ order_id, reservation_id }: ReviewRow): RatedSubject =>
  order_id !== null ? { order_id, reservation_id: null } : { order_id: null, reservation_id: reservation_id ?? "" };

const readOrderOf = async (ctx: Ctx, { order_id }: ReviewRow): Promise<WholeReview["order"]> => {
  const order = order_id === null ? undefined : await findRatedOrder(ctx, order_id);
  return order ? { id: order.id, number: order.number, placed_at: order.placed_at.toISOString() } : null;
};

const readVisitOf = async (ctx: Ctx, { reservation_id }: ReviewRow): Promise<WholeReview["reservation"]> => {
  const visit = reservation_id === null ? undefined : await findReservation(ctx, reservation_id);
  return visit ? { id: visit.id, date: visit.date, time: visit.time, party_size: visit.party_size } : null;
};

export const readWholeReview = async (ctx: Ctx, id: number): Promise<WholeReview> => {
  const row = await findReview(ctx, id);
  if (!row) throw apiError("not_found");
  const [rated, order, reservation] = await Promise.all([readRated(ctx, subjectOf(row)), readOrderOf(ctx, row), readVisitOf(ctx, row)]);
  const contact = rated && isReachable(rated) ? rated : null;
  return {
    review: presentReview(row),
    order,
    reservation,
    guest_id: rated?.guestId ?? null,
    channel: contact && chooseChannel({ email: contact.email, phone: contact.phone ?? "" }).channel,
    zone: ctx.tenant.zone,
  };
};

type SeenReply = { seen_replied_at: string | null; reply: string };

/** The body is read after the review was found. The guest is locked before the review, as an erasure does it. */
export const replyToSeenReview = async (ctx: Ctx, id: number, read: () => SeenReply): Promise<RepliedReview> => {
  const found = await findReview(ctx, id);
  if (!found) throw apiError("not_found");
  const { seen_replied_at, reply } = read();
  const rated = await readRated(ctx, subjectOf(found));
  const guest = rated?.guestId == null ? undefined : await keepGuest(ctx, rated.guestId);
  const review = await lockReview(ctx, id);
  if (!review) throw apiError("not_found");
  if ((review.replied_at?.toISOString() ?? null) !== seen_replied_at) throw await replyChanged(ctx, review);
  const present = await readRated(ctx, subjectOf(review));
  if (!present || !isReachable(present)) throw validationError({ reply: ["There is no address to send the reply to."] });
  const text = reply.trim();
  if (text !== review.reply) await sendReply(ctx, review, { text, present, guest });
  const { replied_at, replied_by } = text === review.reply ? review : { replied_at: ctx.now, replied_by: ctx.actor.name };
  return { id, replied_at: (replied_at ?? ctx.now).toISOString(), replied_by: replied_by ?? ctx.actor.name };
};

const replyChanged = (ctx: Ctx, { id, replied_at }: ReviewRow): Promise<ApiError> =>
  stateChanged(ctx, { area: "review", subject: id }, { replied_at: replied_at?.toISOString() ?? null });

type Reply = { text: string; present: Rated; guest: { locale: string | null } | undefined };

/** The activity log records that a reply was sent, not its text: it outlives an erased guest. */
const sendReply = async (ctx: Ctx, review: ReviewRow, { text, present, guest }: Reply): Promise<void> => {
  setReply(ctx, review.id, text);
  recordAudit(ctx, {
    action: review.reply === null ? "review.replied" : "review.reply_changed",
    subject: { kind: "review", id: review.id },
  });
  const { guestId, name, phone, email } = present;
  await queueReviewMessage(ctx, {
    guest: { id: guest ? guestId : null, locale: guest?.locale ?? null, phone: phone ?? "", email },
    header: await readMessageHeader(ctx),
    message: { kind: "review.replied", guest: name ?? "", reply: text },
    about: { kind: "review", id: String(review.id) },
  });
};

/** Returns the ids of their reviews. The rating stays. A review that is being written is waited for. */
export const eraseReviewsOf = async (ctx: Ctx, ids: readonly string[]): Promise<number[]> => {
  await endRequestsOf(ctx, ids);
  return (await clearReviews(ctx, ids)).map(({ id }) => id);
};

/** Reads the reviews of these orders and reservations. */
export const readReviewsOf = async (ctx: Ctx, ids: readonly string[]): Promise<ListedReview[]> =>
  (await listReviewsOf(ctx, ids)).map(presentReview);
