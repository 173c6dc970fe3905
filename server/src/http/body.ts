/** From bytes to a JSON object, or the sentence that says why not. Everything here ends in 422 `body` (open points D12–D14). */
import type { FastifyRequest } from "fastify";
import { invalid } from "#lib/errors.ts";

const DEPTH_MAX = 32;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
const PLAIN_JSON = /^application\/json\s*(?:;|$)/i;

const READABLE_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(?:;|$)/;

/** Fastify would refuse a type that it cannot read at once, before anybody is counted, recognised or told apart. */
export const softenType = ({ raw: { headers } }: FastifyRequest): void => {
  const type = headers["content-type"];
  if (type !== undefined && !READABLE_TYPE.test(type)) headers["content-type"] = "application/octet-stream";
};

/** Where a type of its own, such as `application/merge-patch+json`, has no business. */
export const isPlainJson = (type: string | undefined): boolean => type !== undefined && PLAIN_JSON.test(type);

export type JsonObject = { [member: string]: unknown };

const refuse = (sentence: string) => invalid({ body: [sentence] });

export const parseBody = (bytes: Buffer | undefined, contentType: string | undefined): JsonObject => {
  if (!bytes || bytes.length === 0) return {};
  if (contentType && !JSON_TYPE.test(contentType)) throw refuse("The body must be sent as application/json.");
  if (isDeeperThan(bytes, DEPTH_MAX)) throw refuse(`The body is nested deeper than ${DEPTH_MAX} levels.`);
  const value = parse(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw refuse("The body must be a JSON object.");
  return value as JsonObject;
};

const parse = (bytes: Buffer): unknown => {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refuse("The body is not valid UTF-8.");
  }
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    throw refuse("The body is not valid JSON.");
  }
};

/** Looked at before parsing, so that a body of brackets costs one pass over its bytes and no stack. */
const isDeeperThan = (bytes: Buffer, depthMax: number): boolean => {
  const [quote, backslash, openers, closers] = [0x22, 0x5c, [0x5b, 0x7b], [0x5d, 0x7d]] as const;
  let depth = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] as number;
    if (inString) {
      if (byte === backslash) index++;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === openers[0] || byte === openers[1]) {
      if (++depth > depthMax) return true;
    } else if (byte === closers[0] || byte === closers[1]) depth--;
  }
  return false;
};
