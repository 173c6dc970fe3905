/** Reads OAuth parameters of a query or form: each at most once, empty ones count as absent (RFC 6749 §3.1, §3.2). */
export type Parameters = ReadonlyMap<string, string>;
/** `repeated` are the names that were sent more than once: each endpoint reports them in its own way. */
export type Received = { parameters: Parameters; repeated: readonly string[] };

export const received = (pairs: Iterable<readonly [string, string]>): Received => {
  const parameters = new Map<string, string>();
  const repeated = new Set<string>();
  const seen = new Set<string>();
  for (const [name, value] of pairs) {
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
    if (value !== "") parameters.set(name, value);
  }
  return { parameters, repeated: [...repeated] };
};
