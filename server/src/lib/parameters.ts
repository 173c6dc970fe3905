/** Parameters as OAuth sends them, in a query or a form: each at most once, and empty ones count as absent (RFC 6749 §3.1, §3.2). */
export type Parameters = ReadonlyMap<string, string>;
/** With the names that came more than once: refused at one endpoint, sent back as an error at the other. */
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
