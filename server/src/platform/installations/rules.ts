/** What a grant is made of: its secrets as text, its lifetimes, and how scopes come and go. */
import { CODE_SECONDS, OAUTH_PREFIXES } from "@comanda/contract/oauth.ts";
import type { Scope } from "@comanda/contract/scopes.ts";
import { add, type Counts, NOTHING } from "#platform/requests/rules.ts";

export const CODE_LIFE_MS = CODE_SECONDS * 1000;
/** RFC 9700 §4.14.2: a refresh token that nobody uses ends. */
export const REFRESH_IDLE_MS = 365 * 24 * 60 * 60 * 1000;
/** A retry or a race within this time is no theft (open point D152). */
export const REUSE_LEEWAY_MS = 60_000;

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 62^9 is more than any id; 62^4 rotations are 1,600 years of one an hour. */
const ID_LENGTH = 9;
/** How a grant's number is written; a proxy tells the cell by it. */
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
 * The grant's number stands in front of what is random, as in a bearer token: it is found by its key, it says its cell,
 * and a refresh token that was replaced long ago is recognised without a list of all that ever were.
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

/** The number of the grant that a code names; null for what cannot be a code. */
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

/** What an installation may do after a consent: what it could before and what was ticked, without what was asked for and not ticked. */
export const scopesAfter = (before: readonly Scope[], asked: readonly Scope[], ticked: readonly Scope[]): Scope[] => {
  const refused = new Set(asked.filter((scope) => !ticked.includes(scope)));
  return [...new Set([...before, ...ticked])].filter((scope) => !refused.has(scope));
};

export type Rotations = { generation: number; recent: readonly Date[] };

/** The moments that a late retry may still refer to, the last one last. */
export const withRotation = (recent: readonly Date[], now: Date): Date[] =>
  [...recent, now].filter((moment) => now.getTime() - moment.getTime() <= REUSE_LEEWAY_MS);

/**
 * A refresh token of an earlier generation came back. Generation g was replaced by the rotation that made g + 1: of the last
 * rotations, counted from the end, the one at current − g.
 */
export const isLateRetry = ({ generation, recent }: Rotations, presented: number, now: Date): boolean => {
  const replacedAt = recent[recent.length - (generation - presented)];
  return presented < generation && replacedAt !== undefined && now.getTime() - replacedAt.getTime() <= REUSE_LEEWAY_MS;
};

/** Hour by hour over all tokens of an installation; lists of the same length. */
export const addHours = (lists: readonly (readonly Counts[])[]): Counts[] => {
  const [first = [], ...others] = lists;
  return first.map((counts, hour) => others.reduce((sum, hours) => add(sum, hours[hour] ?? NOTHING), counts));
};
