/** The composition of the guest's page: which transaction opening and rating run in. */
import type { FastifyRequest } from "fastify";
import { repeatOnContention } from "#db/repeat-on-contention.ts";
import { withTenant } from "#db/with-tenant.ts";
import type { ReviewPageHandlers } from "#http/guest-pages/endpoints.ts";
import { requestOrigin } from "#http/request-origin.ts";
import type { Actor, Ctx, TenantById } from "#lib/context.ts";
import { apiError, UserError } from "#lib/errors.ts";
import { chooseLanguage, translatedName } from "#platform/messages/notifications/rules/message-policy.ts";
import { readRestaurant, tenantOf } from "#platform/tenants/service.ts";
import { readComment, readRating } from "#venue/guest-records/reviews/rules.ts";
import { openLink, submitReview } from "#venue/guest-records/reviews/service/submission.ts";
import type { Deps } from "../deps.ts";

/** The activity log names no guest: it outlives an erasure. */
const GUEST: Actor = { kind: "system", id: null, name: "Guest", scopes: [], caller: "guest" };

/** A link of a venue that is not here. */
const venueById = (id: number): TenantById => ({
  id,
  read: async (db) =>
    tenantOf(
      await readRestaurant(db, id).catch((error: unknown) => {
        throw error instanceof UserError ? apiError("not_found") : error;
      }),
    ),
});

const inVenue = <T>(deps: Deps, request: FastifyRequest, restaurantId: number, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  repeatOnContention(() =>
    withTenant(deps, { tenant: venueById(restaurantId), actor: GUEST, from: requestOrigin(request), sandboxLock: "shared" }, work),
  );

export const createReviewPage = (deps: Deps): ReviewPageHandlers => ({
  open: (request, { restaurantId, messageId }) =>
    inVenue(deps, request, restaurantId, async (ctx) => {
      const { default_language } = ctx.tenant;
      const { state, isVisit, venueName, locale } = await openLink(ctx, messageId);
      const language = chooseLanguage([locale, default_language]);
      return { state, language, venue: translatedName(venueName, language, default_language), kind: isVisit ? "visit" : "order" };
    }),
  read: ({ rating: written, comment }) => {
    const [rating, text] = [readRating(written), readComment(comment)];
    if (rating !== null && text) return { rating, comment: text.comment };
    return { faults: [...(rating === null ? (["rating"] as const) : []), ...(text ? [] : (["comment"] as const))] };
  },
  submit: (request, { restaurantId, messageId }, review) =>
    inVenue(deps, request, restaurantId, (ctx) => submitReview(ctx, messageId, review)),
});
