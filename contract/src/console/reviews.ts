/** Reviews of guests: whether they are asked for, the inbox by rating, the reply. Guests write them on a page of their own. */
import { type Static, Type } from "typebox";
import { Id, Nullable } from "../shared.ts";
import { ReviewRules } from "../venue-file/review-rules.ts";
import { Before, type ConsoleOperation, Count, Data, Instant, Rows } from "./operation.ts";
import { COUNTED_REVIEWS_MAX, REPLY_LENGTH_MAX } from "./review-limits.ts";

const RatingField = Type.Integer({ minimum: 1, maximum: 5 });

/** Comment, name and reply are null after the guest was erased. */
export const ListedReview = Type.Object({
  id: Id,
  rating: RatingField,
  comment: Nullable(Type.String()),
  guest_name: Nullable(Type.String()),
  order_id: Nullable(Type.String()),
  reservation_id: Nullable(Type.String()),
  created_at: Instant,
  reply: Nullable(Type.String()),
  replied_at: Nullable(Instant),
  replied_by: Nullable(Type.String()),
});
export type ListedReview = Static<typeof ListedReview>;

/** What was rated, as staff find it again. */
const RatedOrder = Type.Object({ id: Type.String(), number: Nullable(Type.Integer({ minimum: 1 })), placed_at: Instant });
const RatedVisit = Type.Object({ id: Type.String(), date: Type.String(), time: Type.String(), party_size: Type.Integer({ minimum: 1 }) });

export const WholeReview = Type.Object({
  review: ListedReview,
  order: Nullable(RatedOrder),
  reservation: Nullable(RatedVisit),
  guest_id: Nullable(Id),
  /** Whether a reply would reach the guest, and how. Null: there is no address. */
  channel: Nullable(Type.Union([Type.Literal("email"), Type.Literal("sms")])),
  zone: Type.String(),
});
export type WholeReview = Static<typeof WholeReview>;

/** `counts` has the number of the latest reviews for each rating from 1 to 5. */
export const ReviewDesk = Type.Object({
  rules: ReviewRules,
  counts: Type.Array(Type.Object({ rating: RatingField, count: Count }), { minItems: 5, maxItems: 5 }),
  counted_max: Type.Literal(COUNTED_REVIEWS_MAX),
  zone: Type.String(),
});
export type ReviewDesk = Static<typeof ReviewDesk>;

/** Answers of writes are stored for repeated requests, so they have no personal data: the page reads the review again. */
const RepliedReview = Type.Object({ id: Id, replied_at: Instant, replied_by: Type.String() });
export type RepliedReview = Static<typeof RepliedReview>;

const REVIEWS_PATH = "/venues/{venue}/reviews" as const;
const REVIEW_PATH = `${REVIEWS_PATH}/{id}` as const;

export const reviewOperations = {
  readReviewDesk: {
    method: "GET",
    path: "/venues/{venue}/review-desk",
    who: "manager",
    isService: true,
    success: { status: 200, body: Data(ReviewDesk) },
  },
  /** 409 `state_changed` with the present rules when they are no longer those that the page saw. */
  saveReviewRules: {
    method: "PUT",
    path: "/venues/{venue}/review-rules",
    who: "owner",
    isService: true,
    isIdempotent: true,
    body: Type.Object({ seen: ReviewRules, rules: ReviewRules }),
    success: { status: 200, body: Data(ReviewRules) },
  },
  /** The newest first, of one rating or of all. */
  findReviews: {
    method: "GET",
    path: REVIEWS_PATH,
    who: "manager",
    isService: true,
    query: Type.Object({ rating: Type.Optional(RatingField), ...Before }),
    success: { status: 200, body: Rows(ListedReview) },
  },
  readReview: { method: "GET", path: REVIEW_PATH, who: "manager", isService: true, success: { status: 200, body: Data(WholeReview) } },
  /**
   * The guest gets it as a message; a changed one is sent again. 409 `state_changed` when the reply is not the one that the page saw. 422
   * `reply` when there is no address to send it to.
   */
  replyToReview: {
    method: "PUT",
    path: `${REVIEW_PATH}/reply`,
    who: "manager",
    isService: true,
    isIdempotent: true,
    perMinute: 30,
    body: Type.Object({
      seen_replied_at: Nullable(Instant),
      reply: Type.String({ minLength: 1, maxLength: REPLY_LENGTH_MAX, pattern: "\\S" }),
    }),
    success: { status: 200, body: Data(RepliedReview) },
  },
} as const satisfies Record<string, ConsoleOperation>;
