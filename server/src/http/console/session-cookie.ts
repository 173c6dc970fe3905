/** The console's cookies: the session of a user, the devices that an account knows, and the secret of a paired screen. */
import type { FastifyReply, FastifyRequest } from "fastify";

/** The `__Host-` prefix: the cookie needs TLS (or localhost), is sent to this host only, and no subdomain can set it. */
const COOKIE = "__Host-comanda";
const COOKIE_SECONDS = 60 * 24 * 60 * 60;

/** Outlives a session, so that a browser stays known after signing out. Dots separate its values. */
const DEVICE_COOKIE = "__Host-comanda-devices";
const DEVICE_COOKIE_SECONDS = 180 * 24 * 60 * 60;
const DEVICES_MAX = 4;
const DEVICE_FORM = /^[0-9A-Za-z]{43}$/;

/** Read on paths below `/screen` alone. A screen has no person, so nothing signs it out. */
const SCREEN_COOKIE = "__Host-comanda-screen";
const SCREEN_COOKIE_SECONDS = 400 * 24 * 60 * 60;

const namedCookie = (request: FastifyRequest, name: string): string | null => {
  const pairs = (request.headers.cookie ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
};

export const cookieOf = (request: FastifyRequest): string | null => namedCookie(request, COOKIE);

export const screenCookieOf = (request: FastifyRequest): string | null => namedCookie(request, SCREEN_COOKIE);

export const devicesOf = (request: FastifyRequest): string[] =>
  (namedCookie(request, DEVICE_COOKIE) ?? "").split(".", DEVICES_MAX).filter((secret) => DEVICE_FORM.test(secret));

export const setSessionCookie = (reply: FastifyReply, value: string | null): void =>
  writeCookie(reply, { name: COOKIE, value: value ?? "", seconds: value === null ? 0 : COOKIE_SECONDS });

export const setScreenCookie = (reply: FastifyReply, value: string): void =>
  writeCookie(reply, { name: SCREEN_COOKIE, value, seconds: SCREEN_COOKIE_SECONDS });

/** The first secrets win; older ones are dropped. */
export const setDeviceCookie = (reply: FastifyReply, secrets: readonly string[]): void =>
  writeCookie(reply, { name: DEVICE_COOKIE, value: secrets.slice(0, DEVICES_MAX).join("."), seconds: DEVICE_COOKIE_SECONDS });

const writeCookie = (reply: FastifyReply, { name, value, seconds }: { name: string; value: string; seconds: number }): void => {
  reply.raw.appendHeader("Set-Cookie", `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${seconds}`);
};
