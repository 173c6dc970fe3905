/** Parses a body into a JSON object. Every failure is a 422 for the field `body` (open points D12–D14, D187). */
import type { FastifyRequest } from "fastify";
import { type ApiError, because, type Refusal, validationError } from "#lib/errors.ts";
import { jsonFault } from "#lib/json-fault.ts";

/** The limit of calls of the API and of MCP (D15). */
export const BODY_BYTES_MAX = 1024 * 1024;
/** The limit of all other routes without a limit of their own. Filled-in forms are far smaller. */
export const SMALL_BODY_BYTES_MAX = 16 * 1024;
const DEPTH_MAX = 20;
/** Counts values of every kind, at every depth. The largest valid body, an order of 100 lines, has some thousands. */
const NODES_MAX = 50_000;
/** Counts the members of all objects. Each costs about as much as ten values in a list. */
const MEMBERS_MAX = 10_000;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
const PLAIN_JSON = /^application\/json\s*(?:;|$)/i;

const READABLE_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(?:;|$)/;

/** Fastify would reject an unreadable type at once, before the request is counted and authenticated. */
export const tolerateContentType = ({ raw: { headers } }: FastifyRequest): void => {
  const type = headers["content-type"];
  if (type !== undefined && !READABLE_TYPE.test(type)) headers["content-type"] = "application/octet-stream";
};

/** False for other JSON types, such as `application/merge-patch+json`. */
export const isPlainJson = (type: string | undefined): boolean => type !== undefined && PLAIN_JSON.test(type);

export type BodyObject = { [member: string]: unknown };

const bodyError = (refusal: Refusal): ApiError => validationError({ body: [refusal] });

type BodyHeaders = { "content-type"?: string | undefined; "content-encoding"?: string | undefined };

export const parseBody = (
  bytes: Buffer | undefined,
  { "content-type": contentType, "content-encoding": encoding }: BodyHeaders,
): BodyObject => {
  if (!bytes || bytes.length === 0) return {};
  if (isCompressed(bytes, encoding))
    throw bodyError(
      because("The body is compressed, which is not accepted: send it as plain JSON, without Content-Encoding.", "compressed"),
    );
  if (contentType && !JSON_TYPE.test(contentType))
    throw bodyError(because("The body must be sent as application/json, in the header Content-Type.", "not_json_type"));
  const excess = excessOf(bytes);
  if (excess) throw bodyError(excess);
  const value = parse(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw bodyError(because("The body must be a JSON object: {…}, no list and no single value.", "not_an_object"));
  return value as BodyObject;
};

const GZIP_MAGIC = [0x1f, 0x8b];

const isCompressed = (bytes: Buffer, encoding = ""): boolean =>
  (encoding !== "" && encoding.toLowerCase() !== "identity") || GZIP_MAGIC.every((byte, index) => bytes[index] === byte);

const UTF8 = new TextDecoder("utf-8", { fatal: true });

const parse = (bytes: Buffer): unknown => {
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    throw bodyError(because("The body is not valid UTF-8: encode it as UTF-8.", "not_utf8"));
  }
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw bodyError(because(`The body is not valid JSON: ${jsonFault(error)}.`, "not_json"));
  }
};

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [ARRAY_BEGIN, ARRAY_END, OBJECT_BEGIN, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Counts depth, values and members before parsing, so that a hostile body costs at most one pass over its bytes. Every value but the
 * outermost follows an opening bracket or a comma. Empty brackets count as one value too many.
 */
const excessOf = (bytes: Buffer): Refusal | null => {
  let [depth, nodes, members] = [0, 1, 0];
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === QUOTE) index = endOfString(bytes, index);
    else if (byte === ARRAY_BEGIN || byte === OBJECT_BEGIN) {
      if (++depth > DEPTH_MAX) return because(`The body is nested deeper than ${DEPTH_MAX} levels.`, "too_deep", { max: DEPTH_MAX });
      nodes++;
    } else if (byte === ARRAY_END || byte === OBJECT_END) depth--;
    else if (byte === COMMA) nodes++;
    else if (byte === COLON && ++members > MEMBERS_MAX)
      return because(`The body has more than ${MEMBERS_MAX.toLocaleString("en")} members.`, "too_many_members", { max: MEMBERS_MAX });
    if (nodes > NODES_MAX)
      return because(`The body has more than ${NODES_MAX.toLocaleString("en")} values.`, "too_many_values", { max: NODES_MAX });
  }
  return null;
};

/** The index of the closing quote, or the end of the bytes without one. */
const endOfString = (bytes: Buffer, begin: number): number => {
  let index = begin + 1;
  while (index < bytes.length && bytes[index] !== QUOTE) index += bytes[index] === BACKSLASH ? 2 : 1;
  return index;
};
