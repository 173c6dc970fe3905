/** Verifies webhook signatures (contract §6.2). The error says which part is wrong. */
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
  no_header: "There is no Service-Signature header: this message is not from the service, or a proxy took the header away.",
  bad_header: "The Service-Signature header is not of the form t=<seconds>,v1=<hex>.",
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

export type SignedMessage = {
  /** As received, before any parser. */
  body: string | Uint8Array;
  /** The header `Service-Signature`. */
  header: string | null | undefined;
  /** Several while you change over from one to the next: one that fits is enough. */
  secret: string | readonly string[];
  toleranceSeconds?: number;
  now?: Date;
};

const TOLERANCE_SECONDS = 300;

const hmac = async (secret: string, seconds: string, body: Uint8Array): Promise<string> => {
  const encoder = new TextEncoder();
  const head = encoder.encode(`${seconds}.`);
  const message = new Uint8Array(head.length + body.length);
  message.set(head);
  message.set(body, head.length);
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
};

/** Constant time: compares every character. */
const isSame = (a: string, b: string): boolean => {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
};

const readHeader = (header: string | null | undefined): { seconds: string; signatures: string[] } => {
  if (!header) throw new WebhookError("no_header");
  const parts = header.split(",").map((part) => part.trim().split("="));
  const seconds = parts.find(([name]) => name === "t")?.[1] ?? "";
  const signatures = parts.flatMap(([name, value = ""]) => (name === "v1" ? [value.toLowerCase()] : []));
  if (!/^\d{1,12}$/.test(seconds) || !signatures.some((signature) => /^[0-9a-f]{64}$/.test(signature)))
    throw new WebhookError("bad_header");
  return { seconds, signatures };
};

const bytesOf = (body: unknown): Uint8Array => {
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  throw new WebhookError("not_raw_body");
};

/** The event, if the message is the service's and fresh. */
export const verifyWebhook = async ({
  body,
  header,
  secret,
  toleranceSeconds = TOLERANCE_SECONDS,
  now = new Date(),
}: SignedMessage): Promise<WebhookEvent> => {
  const bytes = bytesOf(body);
  const { seconds, signatures } = readHeader(header);
  const secrets = [secret].flat().filter(Boolean);
  if (secrets.length === 0) throw new WebhookError("no_secret");
  const made = await Promise.all(secrets.map((one) => hmac(one, seconds, bytes)));
  if (!made.some((one) => signatures.some((signature) => isSame(one, signature)))) throw new WebhookError("no_match");
  const ageSeconds = now.getTime() / 1000 - Number(seconds);
  // Negated, so that NaN in clock or tolerance is refused.
  if (!(ageSeconds <= toleranceSeconds)) throw new WebhookError("too_old");
  if (!(ageSeconds >= -toleranceSeconds)) throw new WebhookError("from_the_future");
  try {
    const event = JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
    if (typeof event.type === "string" && typeof event.id === "string") return event;
  } catch {
    // Said below.
  }
  throw new WebhookError("not_an_event");
};

/** A header as the service would send it, for your own tests. */
export const signWebhook = async (body: string | Uint8Array, secret: string, now = new Date()): Promise<string> => {
  const seconds = String(Math.floor(now.getTime() / 1000));
  return `t=${seconds},v1=${await hmac(secret, seconds, bytesOf(body))}`;
};

/** Handles an event by its id: true when the handler ran now, false when it ran before. Fails when the handler fails. */
export type HandleOnce = (id: string, handle: () => void | Promise<void>) => Promise<boolean>;

/**
 * An event may come more than once, with the same id. The id is remembered after its handler has succeeded, so an event whose handler
 * failed is handled when it comes again. A second message that arrives while the first is handled waits for the outcome of the first.
 * Keeps the last `idsMax` ids in memory; a table in the handler's own transaction does the same across restarts and processes.
 */
export const deduplicate = (idsMax = 10_000): HandleOnce => {
  const handled = new Set<string>();
  const running = new Map<string, Promise<void>>();
  return async (id, handle) => {
    if (handled.has(id)) return false;
    const first = running.get(id);
    if (first) {
      await first;
      return false;
    }
    const run = (async () => handle())();
    running.set(id, run);
    try {
      await run;
      handled.add(id);
      for (const oldest of handled) {
        if (handled.size <= idsMax) break;
        handled.delete(oldest);
      }
      return true;
    } finally {
      running.delete(id);
    }
  };
};
