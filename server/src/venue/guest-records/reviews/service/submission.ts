/** A guest opens the link and rates. Locks: order or reservation, request. Review, event and used link are one commit. */
import type { Translations } from "@comanda/contract/shared.ts";
import type { Ctx } from "#lib/context.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { emit } from "#platform/events/service.ts";
import { readRestaurant, stateOf } from "#platform/tenants/service.ts";
import { readLocale } from "#venue/guests/service.ts";
import {
  findSentRequest,
  lockSentRequest,
  markRequestUsed,
  type RatedSubject,
  type SentRequest,
} from "#venue/orders/review-requests/service.ts";
import { findReviewRules } from "#venue/settings/service.ts";
import { presentReviewOfEvent } from "../present.ts";
import { type GivenReview, type LinkState, linkStateOf } from "../rules.ts";
import { insertReview } from "../store.ts";
import { keepRated, readRated } from "./rated.ts";

export type OpenedLink = { state: LinkState; isVisit: boolean; venueName: Translations; locale: string | null };

/** While the venue asks no guest, or cannot be used, its links do not work. */
const stateNow = async (ctx: Ctx, request: SentRequest | undefined): Promise<LinkState> => {
  const state = linkStateOf(request, ctx.now);
  if (state !== "open") return state;
  const [rules, restaurant] = await Promise.all([findReviewRules(ctx), readRestaurant(ctx.db, ctx.tenant.id)]);
  return rules.is_on && stateOf(restaurant, ctx.now) === "active" ? "open" : "closed";
};

/** Writes nothing: programs that check mail open every link in it. */
export const openLink = async (ctx: Ctx, messageId: number): Promise<OpenedLink> => {
  const [request, { name: venueName }] = await Promise.all([findSentRequest(ctx, messageId), readRestaurant(ctx.db, ctx.tenant.id)]);
  const state = await stateNow(ctx, request);
  const rated = request ? await readRated(ctx, request) : null;
  const locale = await readLocale(ctx, rated?.guestId ?? null);
  return { state, isVisit: request?.reservation_id != null, venueName, locale };
};

/** `stored`: this post wrote the review. Of two posts at once one does; the other one finds the link used. */
export const submitReview = async (ctx: Ctx, messageId: number, { rating, comment }: GivenReview): Promise<"stored" | LinkState> => {
  const found = await findSentRequest(ctx, messageId);
  if (found) await keepRated(ctx, found);
  const request = await lockSentRequest(ctx, messageId);
  const state = await stateNow(ctx, request);
  if (!request || state !== "open") return state;
  const isStored = await storeReview(ctx, request, { rating, comment });
  markRequestUsed(ctx, request.id);
  return isStored ? "stored" : "used";
};

/** False when there is a review of this order or booking. */
export const storeReview = async (ctx: Ctx, subject: RatedSubject, { rating, comment }: GivenReview): Promise<boolean> => {
  const guest_name = (await readRated(ctx, subject))?.name ?? null;
  const { order_id, reservation_id } = subject;
  const review = await insertReview(ctx, { order_id, reservation_id, rating, comment, guest_name });
  if (!review) return false;
  recordAudit(ctx, { action: "review.created", subject: { kind: "review", id: review.id }, after: { rating } });
  emit(ctx, "review.created", { review: presentReviewOfEvent(review, ctx.tenant.zone) });
  return true;
};
