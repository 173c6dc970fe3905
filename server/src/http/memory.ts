/**
 * Whom a bearer token belonged to when it was last looked up, so that the next look-up can travel with what the token asks
 * for. It is never the answer to whether a token is good: that is asked of the database every time. Found by a hash of all
 * its characters, so that whoever guesses at a token's number finds nobody.
 */
import { hash } from "node:crypto";

export type Known<Holder, Visitor> = { readonly holder: Holder; readonly visitor: Visitor };

export type Memory<Holder, Visitor> = {
  recall(bearer: string | null): Known<Holder, Visitor> | null;
  /** The visitor of before if everything about the holder is as it was, else a new one. */
  remember(bearer: string, holder: Holder): Visitor;
  forget(bearer: string | null): void;
};

const TOKENS_MAX = 10_000;

const isSameValue = (one: unknown, other: unknown): boolean => {
  if (one === other) return true;
  if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime();
  if (Buffer.isBuffer(one) && Buffer.isBuffer(other)) return one.equals(other);
  return Array.isArray(one) && Array.isArray(other) && one.length === other.length && one.every((part, at) => part === other[at]);
};

/** What is `ignored` changes without meaning anything, such as the moment of the last use. */
export const openMemory = <Holder extends object, Visitor>(
  visitorOf: (holder: Holder) => Visitor,
  ignored: readonly (keyof Holder)[],
): Memory<Holder, Visitor> => {
  const known = new Map<string, Known<Holder, Visitor>>();
  let last = { bearer: "", key: "" };
  /** A request asks up to three times for the same token. */
  const keyOf = (bearer: string): string => {
    if (bearer !== last.bearer) last = { bearer, key: hash("sha256", bearer, "base64") };
    return last.key;
  };
  const isSame = (one: Holder, other: Holder): boolean =>
    (Object.keys(one) as (keyof Holder)[]).every((name) => ignored.includes(name) || isSameValue(one[name], other[name]));
  return {
    recall: (bearer) => (bearer === null ? null : (known.get(keyOf(bearer)) ?? null)),
    remember(bearer, holder) {
      const key = keyOf(bearer);
      const before = known.get(key);
      const visitor = before && isSame(before.holder, holder) ? before.visitor : visitorOf(holder);
      known.delete(key);
      known.set(key, { holder, visitor });
      const [oldest] = known.keys();
      if (known.size > TOKENS_MAX && oldest !== undefined) known.delete(oldest);
      return visitor;
    },
    forget(bearer) {
      if (bearer !== null) known.delete(keyOf(bearer));
    },
  };
};
