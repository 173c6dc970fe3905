/** Asks guests for a review by a message with a link. Request and message are one commit; a job sends the message. */
import type { Ctx } from "#lib/context.ts";
import { hasMessageSince, queueReviewMessage, readMessageHeader } from "#platform/messages/notifications/service.ts";
import { readRestaurant, stateOf } from "#platform/tenants/service.ts";
import { keepGuest } from "#venue/guests/service.ts";
import { type DueRequest, listDueRequests, markRequestSent, postponeRequest, skipRequest } from "#venue/orders/review-requests/service.ts";
import { findReviewRules } from "#venue/settings/service.ts";
import { askedSince, decideAsking, expiryOf, type Rated } from "../rules.ts";
import { readRated } from "./rated.ts";

/** The limit of one transaction. The rest is due in the next round. */
const REQUESTS_MAX = 20;

/** The message is about the guest's own order or visit, as a confirmation is, so it needs no consent to marketing. */
export const askDueGuests = async (ctx: Ctx): Promise<void> => {
  const [rules, restaurant, due] = await Promise.all([
    findReviewRules(ctx),
    readRestaurant(ctx.db, ctx.tenant.id),
    listDueRequests(ctx, REQUESTS_MAX),
  ]);
  const venue = { now: ctx.now, zone: ctx.tenant.zone, isActive: stateOf(restaurant, ctx.now) === "active" };
  for (const request of due) {
    const rated = await readRated(ctx, request);
    if (!rated) {
      skipRequest(ctx, request.id, "it is gone");
      continue;
    }
    const decided = decideAsking({ rated, dueAt: request.due_at }, rules, venue);
    if (decided.step === "skip") skipRequest(ctx, request.id, decided.reason);
    else if (decided.step === "wait") postponeRequest(ctx, request.id, decided.until);
    else await askGuest(ctx, request, rated);
  }
};

/** The guest is locked before the request: a guest who is being erased is not asked. */
const askGuest = async (ctx: Ctx, request: DueRequest, { guestId, name, phone, email }: Rated): Promise<void> => {
  const guest = guestId === null ? undefined : await keepGuest(ctx, guestId);
  const id = guest ? guestId : null;
  if (id !== null && (await hasMessageSince(ctx, id, "review.requested", askedSince(ctx.now))))
    return skipRequest(ctx, request.id, "the guest was asked in the last 24 hours");
  const header = await readMessageHeader(ctx);
  const isSent = await markRequestSent(ctx, request.id, { messageId: header.messageId, expiresAt: expiryOf(ctx.now) });
  if (!isSent) return;
  await queueReviewMessage(ctx, {
    guest: { id, locale: guest?.locale ?? null, phone: phone ?? "", email },
    header,
    about: request.order_id === null ? { kind: "reservation", id: request.reservation_id } : { kind: "order", id: request.order_id },
    message: { kind: "review.requested", guest: name ?? "", isVisit: request.reservation_id !== null },
  });
};
