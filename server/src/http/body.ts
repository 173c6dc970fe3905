/** From bytes to a JSON object, or the sentence that says why not. Everything here ends in 422 `body` (open points D12–D14, D187). */
import type { FastifyRequest } from "fastify";
import { invalid } from "#lib/errors.ts";

/** Of a call of the API, by itself or by an agent (D15). */
export const BODY_BYTES_MAX = 1024 * 1024;
/** Of everything else, unless it says otherwise: a form that somebody has filled in is far smaller. */
export const SMALL_BODY_BYTES_MAX = 16 * 1024;
const DEPTH_MAX = 20;
/** Values of every kind, at every depth. The largest body that a client means is an order of 100 lines: some thousands. */
const NODES_MAX = 50_000;
/** Of all objects together. Each costs about as much as ten values in a list. */
const MEMBERS_MAX = 10_000;
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
  const excess = excessOf(bytes);
  if (excess) throw refuse(excess);
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

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [ARRAY_BEGIN, ARRAY_END, OBJECT_BEGIN, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Depth and number of values and members, counted before parsing: a body of brackets or commas costs one pass over its bytes, which
 * ends at the first excess. Every value but the outermost follows an opening bracket or a comma; empty brackets count as
 * one value too many.
 */
const excessOf = (bytes: Buffer): string | null => {
  let [depth, nodes, members] = [0, 1, 0];
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === QUOTE) index = endOfString(bytes, index);
    else if (byte === ARRAY_BEGIN || byte === OBJECT_BEGIN) {
      if (++depth > DEPTH_MAX) return `The body is nested deeper than ${DEPTH_MAX} levels.`;
      nodes++;
    } else if (byte === ARRAY_END || byte === OBJECT_END) depth--;
    else if (byte === COMMA) nodes++;
    else if (byte === COLON && ++members > MEMBERS_MAX) return `The body has more than ${MEMBERS_MAX.toLocaleString("en")} members.`;
    if (nodes > NODES_MAX) return `The body has more than ${NODES_MAX.toLocaleString("en")} values.`;
  }
  return null;
};

/** The place of the closing quote, or the end of the bytes where there is none. */
const endOfString = (bytes: Buffer, begin: number): number => {
  let index = begin + 1;
  while (index < bytes.length && bytes[index] !== QUOTE) index += bytes[index] === BACKSLASH ? 2 : 1;
  return index;
};
