/** Idempotency keys that change with what is sent. */

/**
 * A key for a request that your program may send again, also after a restart: your own name for it, such as the cart's, and a hash of its
 * content. The same content has the same key, so it is done once. Corrected content has another key, so it is a new request.
 */
export const idempotencyKey = async (name: string, content: unknown): Promise<string> => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(canonicalJson(content)));
  return `${name}-${Array.from(new Uint8Array(digest).slice(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
};

/** Members in one order, without those that JSON leaves out: a content that is built again has the same text. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map((entry) => canonicalJson(entry ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).filter(([, entry]) => entry !== undefined);
  const sorted = members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([name, entry]) => `${JSON.stringify(name)}:${canonicalJson(entry)}`).join(",")}}`;
};
