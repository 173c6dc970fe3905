/** What the handler of a public call or a session call knows of its caller: address, cookies, limits and transactions. */
import type { FastifyReply } from "fastify";
import type { Deps } from "#deps.ts";
import { sourceOf } from "#lib/network-source.ts";
import type { UserSession } from "#lib/principal.ts";
import { countCallerAddress, enforceQuota } from "../address-limit.ts";
import type { RateLimiter } from "../rate-limit.ts";
import type { RunOnce } from "./answer-once.ts";
import type { AuthenticatedCall, ConsoleHandlers, PublicCaller } from "./calls.ts";
import { isOfScreen } from "./path-values.ts";
import { cookieOf, devicesOf, screenCookieOf, setDeviceCookie, setScreenCookie, setSessionCookie } from "./session-cookie.ts";

/** Users who may share one address. */
const USERS_PER_ADDRESS = 6;

type CallerParts = { deps: Deps; limiter: RateLimiter; handlers: ConsoleHandlers };

export const callerOf = (
  { deps, limiter, handlers }: CallerParts,
  call: AuthenticatedCall<UserSession | null>,
  reply: FastifyReply,
  once: RunOnce,
): PublicCaller => {
  const { request, operation } = call;
  const devices = devicesOf(request);
  return {
    cookie: isOfScreen(operation) ? "" : (cookieOf(request) ?? ""),
    source: sourceOf(request.ip),
    devices,
    now: deps.clock.now(),
    client: request.headers["user-agent"] ?? null,
    once,
    inGlobalTransaction: (work) => handlers.inGlobalTransaction(call, work),
    inNewVenue: handlers.inNewVenue(call),
    inInvitingVenue: handlers.inInvitingVenue(call),
    setCookie: (value) => setSessionCookie(reply, value),
    screenCookie: isOfScreen(operation) ? screenCookieOf(request) : null,
    setScreenCookie: (value) => setScreenCookie(reply, value),
    rememberDevice: (secret) => setDeviceCookie(reply, [secret, ...devices.filter((known) => known !== secret)]),
    count: async (kind, limit) =>
      enforceQuota(
        await countCallerAddress(limiter, reply, { who: `console:${kind}:address`, limit: limit * USERS_PER_ADDRESS }),
        reply,
        deps,
      ),
    countIn: async ({ key, limit, windowSeconds }) =>
      enforceQuota(await limiter.count(`console:${key}`, limit, windowSeconds), reply, deps),
    record: async ({ key, limit, windowSeconds }) => void (await limiter.count(`console:${key}`, limit, windowSeconds)),
    isFull: async ({ key, limit, windowSeconds }) => (await limiter.peek?.(`console:${key}`, limit, windowSeconds)) === 0,
    refund: async ({ key, limit, windowSeconds }) => limiter.refund?.(`console:${key}`, limit, windowSeconds),
  };
};
