/** Verifies webhook signatures, the service's own (contract §6.2) and those of Standard Webhooks. The error says which part is wrong. */
import type { WebhookEvent } from "./types.generated.ts";

export type WebhookFault =
  | "no_header"
  | "bad_header"
  | "no_secret"
  | "not_raw_body"
  | "no_match"
  | "too_old"
  | "from_the_future"
  | "not_an_event";

const ADVICE: Record<WebhookFault, string> = {
  no_header:
    "There is no Service-Signature header, and none of Standard Webhooks: this message is not from the service, or a proxy took the header away.",
  bad_header:
    "The Service-Signature header is not of the form t=<seconds>,v1=<hex>, or a header of Standard Webhooks is missing or not of its form.",
  no_secret: "The signing secret is empty. Copy it from the console: it begins with whsec_.",
  not_raw_body: "The body must be the bytes or the text as received, not what a JSON parser made of it.",
  no_match:
    "No signature fits. Either the secret is another address's, or the body was changed on its way, for example parsed and written again.",
  too_old: "The signature is older than five minutes: a replayed message, or this machine's clock is fast.",
  from_the_future: "The signature is from the future: this machine's clock is slow.",
  not_an_event: "The signature is right, but the body is not an event.",
};

export class WebhookError extends Error {
  override readonly name = "WebhookError";
  readonly fault: WebhookFault;

  constructor(fault: WebhookFault) {
    super(ADVICE[fault]);
    this.fault = fault;
  }
}

/** Headers as `fetch` or Node's `http` have them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type SignedMessage = {
  /** The body as it was received, before any parser. */
  body: string | Uint8Array;
  /** The header `Service-Signature`. */
  header?: string | null | undefined;
  /** All headers instead: `Service-Signature` is verified, or without it the three headers of Standard Webhooks. */
  headers?: WebhookHeaders;
  /** Several while you change over from one to the next: one that fits is enough. */
  secret: string | readonly string[];
  toleranceSeconds?: number;
  now?: Date;
};

const TOLERANCE_SECONDS = 300;

const encoder = new TextEncoder();

const hmac = async (secret: Uint8Array<ArrayBuffer>, head: string, body: Uint8Array): Promise<Uint8Array> => {
  const first = encoder.encode(head);
  const message = new Uint8Array(first.length + body.length);
  message.set(first);
  message.set(body, first.length);
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
};

const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** Null for a text that is no base64, or has no byte: no key of the service is so. */
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | null => {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return bytes.length > 0 ? bytes : null;
  } catch {
    return null;
  }
};

/** Constant time: compares every character. */
const isSame = (a: string, b: string): boolean => {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
};

/** What was signed when, the signatures that came, and the one that a secret makes of a body: null when it is no key. */
type Signed = { seconds: string; signatures: string[]; make(secret: string, body: Uint8Array): Promise<string | null> };

const readHeader = (header: string): Signed => {
  const parts = header.split(",").map((part) => part.trim().split("="));
  const seconds = parts.find(([name]) => name === "t")?.[1] ?? "";
  const signatures = parts.flatMap(([name, value = ""]) => (name === "v1" ? [value.toLowerCase()] : []));
  if (!SECONDS.test(seconds) || !signatures.some((signature) => /^[0-9a-f]{64}$/.test(signature))) throw new WebhookError("bad_header");
  return { seconds, signatures, make: async (secret, body) => toHex(await hmac(encoder.encode(secret), `${seconds}.`, body)) };
};

const SECONDS = /^\d{1,12}$/;

/** Standard Webhooks: the key is the base64 after `whsec_`, and the signed text begins with the id. */
const readStandardHeaders = (id: string, seconds: string, signature: string): Signed => {
  const signatures = signature.split(" ").flatMap((part) => (part.startsWith("v1,") ? [part.slice(3)] : []));
  if (!id || !SECONDS.test(seconds) || signatures.length === 0) throw new WebhookError("bad_header");
  const make: Signed["make"] = async (secret, body) => {
    const key = fromBase64(secret.replace(/^whsec_/, ""));
    return key && toBase64(await hmac(key, `${id}.${seconds}.`, body));
  };
  return { seconds, signatures, make };
};

const readSigned = ({ header, headers }: Pick<SignedMessage, "header" | "headers">): Signed => {
  const own = header || headerIn(headers, "service-signature");
  if (own) return readHeader(own);
  const standard = headerIn(headers, "webhook-signature");
  if (!standard) throw new WebhookError("no_header");
  return readStandardHeaders(headerIn(headers, "webhook-id"), headerIn(headers, "webhook-timestamp"), standard);
};

/** Names are in any case; a header that is repeated has its first value. */
const headerIn = (headers: WebhookHeaders | undefined, name: string): string => {
  if (headers === undefined) return "";
  if (headers instanceof Headers) return headers.get(name) ?? "";
  const [, value] = Object.entries(headers).find(([given]) => given.toLowerCase() === name) ?? [];
  return (typeof value === "string" ? value : value?.[0]) ?? "";
};

const bytesOf = (body: unknown): Uint8Array => {
  if (typeof body === "string") return encoder.encode(body);
  if (body instanceof Uint8Array) return body;
  throw new WebhookError("not_raw_body");
};

/** The event, if the message is the service's and fresh. */
export const verifyWebhook = async ({
  body,
  header,
  headers,
  secret,
  toleranceSeconds = TOLERANCE_SECONDS,
  now = new Date(),
}: SignedMessage): Promise<WebhookEvent> => {
  const bytes = bytesOf(body);
  const { seconds, signatures, make } = readSigned({ header, ...(headers ? { headers } : {}) });
  const secrets = [secret].flat().filter(Boolean);
  if (secrets.length === 0) throw new WebhookError("no_secret");
  const made = await Promise.all(secrets.map((one) => make(one, bytes)));
  if (!made.some((one) => one !== null && signatures.some((signature) => isSame(one, signature)))) throw new WebhookError("no_match");
  const ageSeconds = now.getTime() / 1000 - Number(seconds);
  // Negated, so that NaN in clock or tolerance is refused.
  if (!(ageSeconds <= toleranceSeconds)) throw new WebhookError("too_old");
  if (!(ageSeconds >= -toleranceSeconds)) throw new WebhookError("from_the_future");
  try {
    const event = JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
    if (typeof event.type === "string" && typeof event.id === "string") return event;
  } catch {
    // The error below says that it is no event.
  }
  throw new WebhookError("not_an_event");
};

/** A header as the service would send it, for your own tests. */
export const signWebhook = async (body: string | Uint8Array, secret: string, now = new Date()): Promise<string> => {
  const seconds = String(Math.floor(now.getTime() / 1000));
  return `t=${seconds},v1=${toHex(await hmac(encoder.encode(secret), `${seconds}.`, bytesOf(body)))}`;
};

/** Handles an event by its id: true when the handler ran now, false when it ran before. Fails when the handler fails. */
export type HandleOnce = (id: string, handle: () => void | Promise<void>) => Promise<boolean>;

/** The store of the ids of handled events. A `Set` is one; a table with a unique key is one that outlives the process. */
export type HandledIds = { has(id: string): boolean | Promise<boolean>; add(id: string): unknown };

/** The last `idsMax` ids, in memory. */
export const rememberIds = (idsMax = 10_000): HandledIds => {
  const ids = new Set<string>();
  return {
    has: (id) => ids.has(id),
    add: (id) => {
      ids.add(id);
      for (const oldest of ids) {
        if (ids.size <= idsMax) break;
        ids.delete(oldest);
      }
    },
  };
};

/**
 * An event may come more than once, with the same id. The id is remembered after its handler has succeeded, so an event whose handler
 * failed is handled when it comes again. A second message that arrives while the first is handled waits for the outcome of the first.
 * With a store that several processes share, two of them may still handle the same message at the same moment, and an id that could not be
 * stored comes again. Where that must not happen, write the id in the transaction of what the handler writes.
 */
export const deduplicate = (handled: HandledIds = rememberIds()): HandleOnce => {
  const running = new Map<string, Promise<boolean>>();
  const handleNew = async (id: string, handle: () => void | Promise<void>): Promise<boolean> => {
    if (await handled.has(id)) return false;
    await handle();
    await handled.add(id);
    return true;
  };
  return async (id, handle) => {
    const first = running.get(id);
    if (first) {
      await first;
      return false;
    }
    const run = handleNew(id, handle).finally(() => running.delete(id));
    running.set(id, run);
    return run;
  };
};
