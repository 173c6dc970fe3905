/** Lifetimes of sessions and devices, the order of roles, and the limits of password attempts. */
import { ROLES, type Role } from "@comanda/contract/console/operation.ts";

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A session ends after two weeks without use, and after sixty days in any case. */
export const SESSION_IDLE_MS = 14 * DAY_MS;
export const SESSION_LIFE_MS = 60 * DAY_MS;
/** A session's last use is written at most this often. */
export const TOUCH_EVERY_MS = 5 * MINUTE_MS;

/** A device is known for half a year after its last sign-in. */
export const DEVICE_LIFE_MS = 180 * DAY_MS;

/** Actions that give access to others ask for the password again after this time. */
const RECENT_PASSWORD_MS = 10 * MINUTE_MS;

export const isRecentPassword = (passwordAt: Date | null, now: Date): boolean =>
  passwordAt !== null && now.getTime() - passwordAt.getTime() < RECENT_PASSWORD_MS;

export const sessionEnd = (createdAt: Date, seenAt: Date): Date =>
  new Date(Math.min(createdAt.getTime() + SESSION_LIFE_MS, seenAt.getTime() + SESSION_IDLE_MS));

/** ROLES is ordered from the highest role to the lowest. */
export const mayActAs = (role: Role, needed: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(needed);

/** A counter of password attempts. `isAccountWide`: all unknown devices that try the account share it. */
export type GuessBucket = { key: string; limit: number; windowSeconds: number; isAccountWide: boolean };

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;

/** Wrong passwords a minute for one account from one network address. */
const WRONG_PER_ADDRESS_MAX = 10;
/** Wrong passwords an hour from a known device. It is the only limit for a stolen device. */
const WRONG_PER_DEVICE_MAX = 20;
/** Wrong passwords an hour for one account from all unknown devices. Above it, a new device needs a sign-in link. */
export const WRONG_PER_ACCOUNT_MAX = 50;

/**
 * The counters of a sign-in. A known device has its own, so attempts elsewhere cannot lock it out. Other devices are counted by
 * account and network address, and by account alone, whether the account exists or not. `device` is the device's hash.
 */
export const signInBuckets = (email: string, host: string, device: string | null): GuessBucket[] =>
  device !== null
    ? [{ key: `sign-in:device:${device}`, limit: WRONG_PER_DEVICE_MAX, windowSeconds: HOUR_SECONDS, isAccountWide: false }]
    : [
        { key: `sign-in:place:${host}:${email}`, limit: WRONG_PER_ADDRESS_MAX, windowSeconds: MINUTE_SECONDS, isAccountWide: false },
        { key: `sign-in:account:${email}`, limit: WRONG_PER_ACCOUNT_MAX, windowSeconds: HOUR_SECONDS, isAccountWide: true },
      ];

/** Password checks a minute inside a session, right or wrong, because each costs a hash. */
const CHECKS_PER_SESSION_MAX = 20;

export const checksBucket = (sessionId: number): GuessBucket => ({
  key: `password:checks:${sessionId}`,
  limit: CHECKS_PER_SESSION_MAX,
  windowSeconds: MINUTE_SECONDS,
  isAccountWide: false,
});

/** Wrong passwords inside a session. Attempts elsewhere do not count here. */
export const sessionBucket = (sessionId: number): GuessBucket => ({
  key: `password:session:${sessionId}`,
  limit: WRONG_PER_ADDRESS_MAX,
  windowSeconds: 5 * MINUTE_SECONDS,
  isAccountWide: false,
});
