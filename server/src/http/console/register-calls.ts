/** Registers the console's calls. They use a cookie instead of a token, one origin, and a role instead of a scope. */
import type { ConsoleOperation } from "@comanda/contract/console/operation.ts";
import { type ConsoleOperationId, consoleOperations, idsOfKind } from "@comanda/contract/console/operations.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "#deps.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError } from "#lib/errors.ts";
import { isKeptJson, type JsonPieces, jsonAround } from "#lib/kept-json.ts";
import type { PairedScreen } from "#lib/principal.ts";
import { parseBody } from "../api/body.ts";
import { type Claim, fingerprintOf, readKey } from "../api/idempotency.ts";
import { routePath } from "../api/path-matching.ts";
import { bodyReader, queryReader } from "../api/validate.ts";
import { sendApiError } from "../errors.ts";
import type { RateLimiter } from "../rate-limit.ts";
import { type ApiAnswer, sendAnswer, sendJson } from "../reply.ts";
import { rejectCrossSite, rootUrlOf } from "../request-origin.ts";
import { answerInVenue, answerOf, answerSecretInVenue, type OnceForUser, onceForUser } from "./answer-once.ts";
import { callerOf } from "./caller.ts";
import type {
  AnyAnswer,
  AuthenticatedCall,
  ConsoleCall,
  ConsoleHandlers,
  MultiTransactionCallId,
  PublicCallId,
  RunGlobally,
  ScreenCallId,
  SessionCallId,
  VenueCallId,
  VenueTransactions,
} from "./calls.ts";
import type { ConsoleRateLimit } from "./console-rate-limit.ts";
import { idOf, uuidOf, venueOf } from "./path-values.ts";
import { cookieOf, screenCookieOf } from "./session-cookie.ts";

type Console = { deps: Deps; limiter: RateLimiter; limit: ConsoleRateLimit; handlers: ConsoleHandlers };

export const registerConsole = (app: FastifyInstance, given: Console): void => {
  app.setErrorHandler((error, request, reply) => sendApiError(request, reply, error));
  app.addHook("onRequest", async (request) => rejectCrossSite(given.deps, request));
  for (const id of idsOfKind("public")) registerPublicCall(app, given, id);
  for (const id of idsOfKind("session")) registerSessionCall(app, given, id);
  for (const id of idsOfKind("screen")) registerScreenCall(app, given, id);
  for (const id of idsOfKind("venue")) registerVenueCall(app, given, id);
  for (const id of idsOfKind("multi-transaction")) registerMultiTransactionCall(app, given, id);
};

type Exchange = { request: FastifyRequest; reply: FastifyReply; operation: ConsoleOperation };

const registerCall = <I extends ConsoleOperationId>(
  app: FastifyInstance,
  { deps }: Console,
  id: I,
  answer: (exchange: Exchange, call: ConsoleCall<I>) => Promise<FastifyReply>,
): void => {
  const operation: ConsoleOperation = consoleOperations[id];
  const { method, path, bodyBytesMax } = operation;
  const readBody = operation.body && bodyReader(operation.body);
  const readQuery = operation.query && queryReader(operation.query);
  app.route({
    method,
    url: routePath(path),
    ...(bodyBytesMax === undefined ? {} : { bodyLimit: bodyBytesMax }),
    handler: async (request, reply) => {
      const call: ConsoleCall<I> = {
        id: idOf(request),
        uuid: uuidOf(request),
        rootUrl: rootUrlOf(deps, request),
        query: () => readQuery?.(new URL(request.url, "http://x").search) as ReturnType<ConsoleCall<I>["query"]>,
        body: () => readBody?.(parseBody(request.body as Buffer | undefined, request.headers)) as ReturnType<ConsoleCall<I>["body"]>,
      };
      return answer({ request, reply, operation }, call);
    },
  });
};

const registerPublicCall = <I extends PublicCallId>(app: FastifyInstance, given: Console, id: I): void =>
  registerCall(app, given, id, ({ reply, ...exchange }, call) => {
    const authenticated = { ...exchange, session: null };
    const forUser = onceForUser(0, userClaimOf(exchange));
    const handle = () => given.handlers.publicCalls[id](callerOf(given, authenticated, reply, forUser.once), call);
    return answerForUser(
      { reply, ...exchange },
      { forUser, handle, look: (work) => given.handlers.inGlobalTransaction(authenticated, work) },
    );
  });

const registerSessionCall = <I extends SessionCallId>(app: FastifyInstance, given: Console, id: I): void =>
  registerCall(app, given, id, async (exchange, call) => {
    const authenticated = await authenticate(given, exchange);
    const { session } = authenticated;
    const forUser = onceForUser(session.id, userClaimOf(exchange));
    const caller = { ...callerOf(given, authenticated, exchange.reply, forUser.once), session };
    const handle = () => given.handlers.sessionCalls[id](caller, call);
    return answerForUser(exchange, { forUser, handle, look: (work) => given.handlers.inGlobalTransaction(authenticated, work) });
  });

const registerVenueCall = <I extends VenueCallId>(app: FastifyInstance, given: Console, id: I): void =>
  registerCall(app, given, id, async (exchange, call) => {
    const { inVenue, venueCalls, inGlobalTransaction } = given.handlers;
    const { request, reply, operation } = exchange;
    const authenticated = await authenticate(given, exchange);
    const handle = (ctx: Ctx) => venueCalls[id](ctx, call);
    // A person who is invited may be in the venue no longer, so the answer is kept with the person.
    if (operation.isIdempotent && operation.who !== "invited")
      return sendAnswer(request, reply, await inVenue(authenticated, (ctx) => answerByKey(ctx, exchange, () => handle(ctx))));
    const forUser = onceForUser(authenticated.session.id, userClaimOf(exchange));
    return answerForUser(exchange, {
      forUser,
      handle: () => inVenue(authenticated, (ctx) => forUser.once(ctx, () => handle(ctx))),
      look: (work) => inGlobalTransaction(authenticated, work),
    });
  });

const registerMultiTransactionCall = <I extends MultiTransactionCallId>(app: FastifyInstance, given: Console, id: I): void =>
  registerCall(app, given, id, async (exchange, call) => {
    const authenticated = await authenticate(given, exchange);
    const forUser = onceForUser(authenticated.session.id, userClaimOf(exchange));
    const venues = transactionsOf(given, authenticated, forUser);
    const handle = () => given.handlers.multiTransactionCalls[id](venues, call);
    return answerForUser(exchange, { forUser, handle, look: venues.inVenue });
  });

const registerScreenCall = <I extends ScreenCallId>(app: FastifyInstance, given: Console, id: I): void =>
  registerCall(app, given, id, async ({ reply, ...exchange }, call) => {
    const { authenticateScreen, inScreenVenue, screenCalls } = given.handlers;
    const { request, operation } = exchange;
    const cookie = screenCookieOf(request);
    const screen = cookie === null ? null : await authenticateScreen(cookie);
    if (screen === null) throw apiError("signed_out");
    await given.limit.countCaller(reply, { caller: `screen:${screen.id}`, restaurantId: screen.restaurant_id }, operation);
    const handle = (ctx: Ctx, present: PairedScreen) => screenCalls[id](ctx, call, present);
    const authenticated = { ...exchange, screen };
    if (!operation.isIdempotent)
      return sendJson(reply, operation.success.status, JSON.stringify(await inScreenVenue(authenticated, handle)));
    const answer = await inScreenVenue(authenticated, (ctx, present) => answerByKey(ctx, exchange, () => handle(ctx, present)));
    return sendAnswer(request, reply, answer);
  });

/** The user's session, counted against the limits of the user and of the venue in the path. */
const authenticate = async ({ deps, limit, handlers }: Console, { request, reply, operation }: Exchange): Promise<AuthenticatedCall> => {
  const cookie = cookieOf(request);
  const slug = venueOf(request);
  const session = cookie === null ? null : await handlers.authenticate(cookie, slug, deps.clock.now());
  if (session === null) throw apiError("signed_out");
  const restaurantId = session.venues.find((venue) => venue.slug === slug)?.restaurant_id ?? null;
  await limit.countCaller(reply, { caller: `user:${session.id}`, restaurantId }, operation);
  return { request, operation, session };
};

const transactionsOf = ({ handlers }: Console, call: AuthenticatedCall, { once, isAnswered }: OnceForUser): VenueTransactions => ({
  inVenue: (work) => handlers.inVenue(call, work),
  inTenant: (target, work) => handlers.inTenant(call, target, work),
  once,
  isAnswered,
});

/**
 * A repeated call may be refused before its effect, because of the effect: what it removes is gone. It gets the first answer, after the checks
 * of who makes the call.
 */
const answerForUser = async (
  { request, reply, operation: { success } }: Exchange,
  { forUser, handle, look }: { forUser: OnceForUser; handle: () => Promise<AnyAnswer>; look: RunGlobally },
): Promise<FastifyReply> => {
  let answer: AnyAnswer;
  try {
    answer = await handle();
  } catch (error) {
    const first = forUser.find && (await look(forUser.find).catch(() => null));
    if (first === null) throw error;
    return sendAnswer(request, reply, { ...answerOf(success.status, first), isReplay: true });
  }
  if (!forUser.isReplay()) return sendJson(reply, success.status, bodyOf(answer));
  return sendAnswer(request, reply, { ...answerOf(success.status, JSON.stringify(answer)), isReplay: true });
};

const bodyOf = (answer: AnyAnswer): string | JsonPieces => {
  const { data } = answer;
  return isKeptJson(data) ? jsonAround("data", data) : JSON.stringify(answer);
};

type SentCall = Pick<Exchange, "request" | "operation">;

const answerByKey = (ctx: Ctx, { request, operation }: SentCall, handle: () => Promise<AnyAnswer>): Promise<ApiAnswer> => {
  const answer = async () => answerOf(operation.success.status, JSON.stringify(await handle()));
  return (operation.showsSecret ? answerSecretInVenue : answerInVenue)(ctx, claimOf(request), answer);
};

const userClaimOf = ({ request, operation }: SentCall): Claim | null => (operation.isIdempotent ? claimOf(request) : null);

/** Null without a key. The body is part of the fingerprint as it was sent. */
const claimOf = (request: FastifyRequest): Claim | null => {
  const key = readKey(request.raw.rawHeaders);
  if (key === null) return null;
  const body = parseBody(request.body as Buffer | undefined, request.headers);
  return { key, fingerprint: fingerprintOf(request.method, request.url, body) };
};
