/**
 * Caches each token's principal so that a read can share a round trip with the token check. The cache never authorizes: every
 * request asks the database whether the token is still valid. Entries are found by a hash of the whole token, so a guessed token id finds none.
 */
import { hash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Db } from "#db/query.ts";
import type { Principal, TokenEnding } from "#lib/principal.ts";

/** A token as the database has it. */
type Digested = { readonly digest: string };

export type CacheEntry<Token extends Digested> = { readonly token: Token; readonly principal: Principal };

export type PrincipalCache<Token extends Digested> = {
  get(bearer: string | null): CacheEntry<Token> | null;
  /** Keeps the cached principal while the digest is the same. */
  set(bearer: string, token: Token): CacheEntry<Token>;
  delete(bearer: string | null): void;
};

const TOKENS_MAX = 10_000;

export const createPrincipalCache = <Token extends Digested>(principalOf: (token: Token) => Principal): PrincipalCache<Token> => {
  const entries = new Map<string, CacheEntry<Token>>();
  let last = { bearer: "", key: "" };
  /** A request asks up to three times for the same token. */
  const keyOf = (bearer: string): string => {
    if (bearer !== last.bearer) last = { bearer, key: hash("sha256", bearer, "base64") };
    return last.key;
  };
  return {
    get: (bearer) => (bearer === null ? null : (entries.get(keyOf(bearer)) ?? null)),
    set(bearer, token) {
      const key = keyOf(bearer);
      const before = entries.get(key);
      const entry = { token, principal: before?.token.digest === token.digest ? before.principal : principalOf(token) };
      entries.delete(key);
      entries.set(key, entry);
      const [oldest] = entries.keys();
      if (entries.size > TOKENS_MAX && oldest !== undefined) entries.delete(oldest);
      return entry;
    },
    delete(bearer) {
      if (bearer !== null) entries.delete(keyOf(bearer));
    },
  };
};

/** How tokens are read and looked up. The composition passes it in because http imports no module. */
export type TokenLookup<Token extends Digested> = {
  bearerOf(rawHeaders: readonly string[]): string | null;
  /** Null: the token is unknown. `cached` itself: the database still has its digest. */
  findToken(bearer: string, now: Date, cached: Token | null): Promise<Token | TokenEnding | null>;
  principalOf(token: Token): Principal;
  isUnchanged(db: Db, principal: Principal): Promise<boolean>;
};

export type TokenAuthenticator = {
  /** The principal of the token's last lookup. */
  getCached(request: FastifyRequest): Principal | null;
  /** Asks the database and updates the cache. Null: the token is not valid; `request.auth` says how it ended. */
  identify(request: FastifyRequest, now: Date): Promise<Principal | null>;
  /** Whether token, venue and plan are as the principal says; expiry is checked against the clock. */
  isUnchanged(db: Db, principal: Principal): Promise<boolean>;
};

export const createTokenAuthenticator = <Token extends Digested>(lookup: TokenLookup<Token>): TokenAuthenticator => {
  const cache = createPrincipalCache(lookup.principalOf);
  const bearerIn = (request: FastifyRequest): string | null => lookup.bearerOf(request.raw.rawHeaders);
  return {
    isUnchanged: lookup.isUnchanged,
    getCached: (request) => cache.get(bearerIn(request))?.principal ?? null,
    async identify(request, now) {
      const bearer = bearerIn(request);
      const cached = cache.get(bearer);
      const token = bearer === null ? null : await lookup.findToken(bearer, now, cached?.token ?? null);
      if (token === null || typeof token === "string" || bearer === null) {
        request.auth.ending = typeof token === "string" ? token : null;
        cache.delete(bearer);
        return null;
      }
      return cached && token === cached.token ? cached.principal : cache.set(bearer, token).principal;
    },
  };
};
