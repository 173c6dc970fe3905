/** The page on which a guest rates: limits, the form and its answers. `venue/guest-records/reviews` decides. Opening it writes nothing. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "#deps.ts";
import { apiError } from "#lib/errors.ts";
import { REVIEW_PATH, type ReviewLink, readReviewToken } from "#lib/review-links.ts";
import { countCallerAddress, enforceQuota } from "../address-limit.ts";
import { tolerateContentType } from "../api/body.ts";
import { recordError, toApiError } from "../errors.ts";
import type { RateLimiter } from "../rate-limit.ts";
import { writeHeaders } from "../reply.ts";
import { redirectToPage, sendGuestPage } from "./html.ts";
import { problemPage, type RefusedForm, type ReviewSubject, reviewForm, thanksPage } from "./review-form.ts";
import { languageOfBrowser, type PageProblem } from "./texts.ts";

export type ReviewView = ReviewSubject & { state: "open" | "used" | "closed" };
export type PostedReview = { rating: number; comment: string | null };

/** The composition passes these in, because http imports no module. */
export type ReviewPageHandlers = {
  open(request: FastifyRequest, link: ReviewLink): Promise<ReviewView>;
  /** The fields that cannot be stored, or the review. */
  read(form: { rating: string; comment: string }): PostedReview | { faults: RefusedForm["faults"] };
  submit(request: FastifyRequest, link: ReviewLink, review: PostedReview): Promise<"stored" | ReviewView["state"]>;
};

/** A comment of 2000 characters, each of which a form may write as nine. */
const FORM_BYTES_MAX = 24 * 1024;
/** In a minute, besides the limit for all pages. */
const POSTS_PER_ADDRESS = 20;
const REQUESTS_PER_LINK = 20;

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

type PageParts = { deps: Deps; limiter: RateLimiter; handlers: ReviewPageHandlers };

export const addReviewPage = (app: FastifyInstance, parts: PageParts): void => {
  const { handlers } = parts;
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, error));
  app.addHook("onRequest", async (request) => tolerateContentType(request));
  const onRequest = countLink(parts);
  const url = `${REVIEW_PATH}/:token`;
  app.get(url, { onRequest }, async (request, reply) => {
    const view = await handlers.open(request, linkOf(parts, request));
    if (view.state === "open") return sendGuestPage(reply, reviewForm(pathOf(request), view));
    return sendGuestPage(reply, view.state === "used" ? thanksPage(200, view) : problemPage(410, view.language, "closed"));
  });
  app.post(url, { onRequest, bodyLimit: FORM_BYTES_MAX }, async (request, reply) => {
    const link = linkOf(parts, request);
    const form = formOf(request);
    const review = handlers.read(form);
    if ("faults" in review) return sendRefused(parts, { request, reply, link }, { ...form, ...review });
    const outcome = await handlers.submit(request, link, review);
    if (outcome === "stored") return redirectToPage(reply, pathOf(request));
    const view = await handlers.open(request, link);
    return sendGuestPage(reply, outcome === "used" ? thanksPage(409, view) : problemPage(410, view.language, "closed"));
  });
};

type LinkRequest = { request: FastifyRequest; reply: FastifyReply; link: ReviewLink };

/** What was written is in the form again. */
const sendRefused = async ({ handlers }: PageParts, { request, reply, link }: LinkRequest, refused: RefusedForm): Promise<FastifyReply> => {
  const view = await handlers.open(request, link);
  if (view.state === "open") return sendGuestPage(reply, reviewForm(pathOf(request), view, refused));
  return sendGuestPage(reply, view.state === "used" ? thanksPage(409, view) : problemPage(410, view.language, "closed"));
};

const tokenOf = (request: FastifyRequest): string => (request.params as { token?: string }).token ?? "";

/** Without a query, which the page does not use. */
const pathOf = (request: FastifyRequest): string => `${REVIEW_PATH}/${encodeURIComponent(tokenOf(request))}`;

/** The signature is checked before the database is asked. */
const linkOf = ({ deps }: Pick<PageParts, "deps">, request: FastifyRequest): ReviewLink => {
  const link = readReviewToken(deps.config.encryptionKeys, tokenOf(request));
  if (!link) throw apiError("not_found");
  return link;
};

/** Runs before the body is read. Only signed links are counted, so that others do not fill the memory. */
const countLink =
  ({ deps, limiter }: PageParts) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (request.method === "POST") {
      const quota = await countCallerAddress(limiter, reply, { who: "review:address", limit: POSTS_PER_ADDRESS });
      enforceQuota(quota, reply, deps);
    }
    const { restaurantId, messageId } = linkOf({ deps }, request);
    enforceQuota(await limiter.count(`review:${restaurantId}:${messageId}`, REQUESTS_PER_LINK), reply, deps);
  };

/** The first of each name. A browser sends a form of this type alone. */
const formOf = (request: FastifyRequest): { rating: string; comment: string } => {
  const bytes = request.body as Buffer | undefined;
  if (!FORM_TYPE.test(request.headers["content-type"] ?? "")) return { rating: "", comment: "" };
  const pairs = new URLSearchParams(new TextDecoder().decode(bytes ?? Buffer.alloc(0)));
  return { rating: pairs.get("rating") ?? "", comment: pairs.get("comment") ?? "" };
};

const PROBLEMS: Record<number, PageProblem> = { 404: "closed", 410: "closed", 429: "limited", 413: "tooLarge", 422: "tooLarge" };

/** An unexpected error is logged with the route alone: the path has the link. */
const sendProblem = (request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply => {
  const refusal = toApiError(error);
  recordError(request, reply, refusal);
  if (refusal.status >= 500) request.log.error({ err: error, route: request.routeOptions.url }, "a guest's page failed");
  writeHeaders(reply, refusal.headers);
  const problem = PROBLEMS[refusal.status] ?? "unavailable";
  return sendGuestPage(reply, problemPage(refusal.status, languageOfBrowser(request.headers["accept-language"]), problem));
};
