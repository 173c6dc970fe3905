/** The text form of codes and refresh tokens, their lifetimes, and how a consent changes scopes. */
import { CODE_SECONDS, OAUTH_PREFIXES } from "@comanda/contract/oauth.ts";
import type { Scope } from "@comanda/contract/scopes.ts";
import { addCounts, type RequestCounts, ZERO_COUNTS } from "#platform/activity/request-log/rules.ts";

export const CODE_LIFE_MS = CODE_SECONDS * 1000;
/** RFC 9700 §4.14.2: an unused refresh token expires. */
export const REFRESH_IDLE_MS = 365 * 24 * 60 * 60 * 1000;
/** A replaced refresh token that comes back within this time is a retry or a race, not a theft (open point D152). */
export const REUSE_LEEWAY_MS = 60_000;

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 62^9 is more than any id. 62^4 rotations are 1,600 years at one an hour. */
const ID_LENGTH = 9;
/** The form of a grant's number. A proxy finds the cell by it. */
export const GRANT_NUMBER = { digits: BASE62, length: ID_LENGTH } as const;
const GENERATION_LENGTH = 4;
const SECRET_LENGTH = 40;

const toBase62 = (value: number, length: number): string => {
  let text = "";
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = BASE62.charAt(rest % 62) + text;
  return text;
};

const fromBase62 = (text: string): number => [...text].reduce((value, character) => value * 62 + BASE62.indexOf(character), 0);

/**
 * The grant's number stands in front of the random part, as in a bearer token. The grant is found by its key, a proxy finds its
 * cell, and a replaced refresh token is detected without a list of all earlier ones.
 */
export const writeGrantNumber = (grantId: number): string => toBase62(grantId, ID_LENGTH);

export const writeCode = (grantId: number, random: string): string =>
  OAUTH_PREFIXES.code + toBase62(grantId, ID_LENGTH) + random.slice(0, SECRET_LENGTH - ID_LENGTH);

export const writeRefreshToken = (grantId: number, generation: number, random: string): string =>
  OAUTH_PREFIXES.refreshToken +
  toBase62(grantId, ID_LENGTH) +
  toBase62(generation, GENERATION_LENGTH) +
  random.slice(0, SECRET_LENGTH - ID_LENGTH - GENERATION_LENGTH);

const SECRET_FORM = new RegExp(`^[0-9A-Za-z]{${SECRET_LENGTH}}$`);

const bodyOf = (text: string, prefix: string): string | null => {
  const body = text.slice(prefix.length);
  return text.startsWith(prefix) && SECRET_FORM.test(body) ? body : null;
};

const idIn = (body: string): number | null => {
  const id = fromBase62(body.slice(0, ID_LENGTH));
  return Number.isSafeInteger(id) && id > 0 ? id : null;
};

/** The number of the grant in a code. Null when the text does not have the form of a code. */
export const readCode = (text: string): number | null => {
  const body = bodyOf(text, OAUTH_PREFIXES.code);
  return body === null ? null : idIn(body);
};

export const readRefreshToken = (text: string): { grantId: number; generation: number } | null => {
  const body = bodyOf(text, OAUTH_PREFIXES.refreshToken);
  const grantId = body === null ? null : idIn(body);
  if (body === null || grantId === null) return null;
  return { grantId, generation: fromBase62(body.slice(ID_LENGTH, ID_LENGTH + GENERATION_LENGTH)) };
};

/** The scopes before the consent plus those granted, without those that were requested and not granted. */
export const scopesAfter = (before: readonly Scope[], requested: readonly Scope[], granted: readonly Scope[]): Scope[] => {
  const refused = new Set(requested.filter((scope) => !granted.includes(scope)));
  return [...new Set([...before, ...granted])].filter((scope) => !refused.has(scope));
};

export type RefreshRotations = { generation: number; recent: readonly Date[] };

/** The times of the rotations that a late retry may still refer to, oldest first. */
export const withRotation = (recent: readonly Date[], now: Date): Date[] =>
  [...recent, now].filter((moment) => now.getTime() - moment.getTime() <= REUSE_LEEWAY_MS);

/**
 * Whether a refresh token of an earlier generation was replaced within the leeway. Generation g was replaced by the rotation that
 * made g + 1: counted from the end of `recent`, the one at current − g.
 */
export const isLateRetry = ({ generation, recent }: RefreshRotations, presented: number, now: Date): boolean => {
  const replacedAt = recent[recent.length - (generation - presented)];
  return presented < generation && replacedAt !== undefined && now.getTime() - replacedAt.getTime() <= REUSE_LEEWAY_MS;
};

/** Adds the hourly counts of all tokens of an installation. The lists have the same length. */
export const sumHourlyUsage = (lists: readonly (readonly RequestCounts[])[]): RequestCounts[] => {
  const [first = [], ...others] = lists;
  return first.map((counts, hour) => others.reduce((sum, hours) => addCounts(sum, hours[hour] ?? ZERO_COUNTS), counts));
};
