/** How long sessions and devices last, who outranks whom, and how often a password may be wrong. */
import { ROLES, type Role } from "@comanda/contract/console-operation.ts";

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A session ends after two weeks without use, and after sixty days in any case. */
export const SESSION_IDLE_MS = 14 * DAY_MS;
export const SESSION_LIFE_MS = 60 * DAY_MS;
/** How often a session's last use is written down. */
export const SEEN_EVERY_MS = 5 * MINUTE_MS;

/** A device stays known for half a year after its last sign-in. */
export const DEVICE_LIFE_MS = 180 * DAY_MS;

/** What gives access to somebody else asks for the password again when it was given longer ago than this. */
const RECENT_PASSWORD_MS = 10 * MINUTE_MS;

export const isRecentPassword = (passwordAt: Date | null, now: Date): boolean =>
  passwordAt !== null && now.getTime() - passwordAt.getTime() < RECENT_PASSWORD_MS;

export const sessionEnd = (createdAt: Date, seenAt: Date): Date =>
  new Date(Math.min(createdAt.getTime() + SESSION_LIFE_MS, seenAt.getTime() + SESSION_IDLE_MS));

/** Whether somebody with this role may do what the other role may. */
export const mayActAs = (role: Role, needed: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(needed);

/** Wrong passwords under a key; `isAccountWide` when everybody who tries the account shares it. */
export type GuessBucket = { key: string; limit: number; windowSeconds: number; isAccountWide: boolean };

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;

/** Ten wrong passwords a minute from one place. */
const WRONG_PER_PLACE_MAX = 10;
/** Twenty wrong passwords an hour from a known device: nothing else stops one that was stolen. */
const WRONG_PER_DEVICE_MAX = 20;
/** Fifty wrong passwords an hour for one account from all places; then a new device needs a link by mail. */
export const WRONG_PER_ACCOUNT_MAX = 50;

/**
 * What a sign-in is counted by. A known device has a bucket of its own, so nobody elsewhere can fill it. All others are counted by
 * account and address, and by account alone, whether the account exists or not. `device` is the device's hash.
 */
export const signInBuckets = (email: string, host: string, device: string | null): GuessBucket[] =>
  device !== null
    ? [{ key: `sign-in:device:${device}`, limit: WRONG_PER_DEVICE_MAX, windowSeconds: HOUR_SECONDS, isAccountWide: false }]
    : [
        { key: `sign-in:place:${host}:${email}`, limit: WRONG_PER_PLACE_MAX, windowSeconds: MINUTE_SECONDS, isAccountWide: false },
        { key: `sign-in:account:${email}`, limit: WRONG_PER_ACCOUNT_MAX, windowSeconds: HOUR_SECONDS, isAccountWide: true },
      ];

/** Twenty passwords a minute inside a session, right or wrong: each costs a hash. */
const CHECKS_PER_SESSION_MAX = 20;

export const checksBucket = (sessionId: number): GuessBucket => ({
  key: `password:checks:${sessionId}`,
  limit: CHECKS_PER_SESSION_MAX,
  windowSeconds: MINUTE_SECONDS,
  isAccountWide: false,
});

/** What a password given inside a session is counted by: wrong ones elsewhere do not count here. */
export const sessionBucket = (sessionId: number): GuessBucket => ({
  key: `password:session:${sessionId}`,
  limit: WRONG_PER_PLACE_MAX,
  windowSeconds: 5 * MINUTE_SECONDS,
  isAccountWide: false,
});
