/** Sends a file of a build: the console's, or the documentation's. Compressed forms are beside the file. */
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";
import { apiError } from "#lib/errors.ts";
import { writeHeaders } from "./reply.ts";

/** The encodings are in the order in which we prefer them. */
const ENCODINGS = ["br", "gzip"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** A quality of zero refuses an encoding (RFC 9110 §12.5.3). Other qualities do not change our order. */
export const acceptedEncodings = ({ headers }: FastifyRequest): Encoding[] => {
  const wanted = (headers["accept-encoding"] ?? "")
    .toLowerCase()
    .split(",")
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(";")[0]?.trim());
  return ENCODINGS.filter((encoding) => wanted.includes(encoding));
};

const TYPES: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};
const ENDINGS: Record<Encoding, string> = { br: ".br", gzip: ".gz" };

export type ReadFile = (path: string) => Promise<Buffer | null>;

export const readNow: ReadFile = (path) => readFile(path).catch(() => null);

/** Reads each file once, also for requests that come at the same moment, so that unread answers share its bytes instead of holding copies. */
export const createFileCache = (): ReadFile => {
  const cache = new Map<string, Promise<Buffer | null>>();
  return async (path) => {
    const reading = cache.get(path) ?? readNow(path);
    cache.set(path, reading);
    const bytes = await reading;
    if (bytes === null) cache.delete(path);
    return bytes;
  };
};

type StaticFile = { folder: string; name: string };

/** A name that contains a hash of the content belongs to one content for ever. */
export const KEPT_FOR_EVER = { "Cache-Control": "public, max-age=31536000, immutable" };

export const sendFile = async (
  request: FastifyRequest,
  reply: FastifyReply,
  read: ReadFile,
  { folder, name }: StaticFile,
): Promise<FastifyReply> => {
  const type = TYPES[extname(name)];
  if (type === undefined || !/^[\w@-][\w@.-]*$/.test(name)) return sendNotFound(reply);
  for (const encoding of acceptedEncodings(request)) {
    const bytes = await read(`${folder}${name}${ENDINGS[encoding]}`);
    if (bytes === null) continue;
    writeHeaders(reply, { "Content-Encoding": encoding, Vary: "Accept-Encoding", "X-Content-Type-Options": "nosniff" });
    return reply.type(type).send(bytes);
  }
  const bytes = await read(`${folder}${name}`);
  if (bytes === null) return sendNotFound(reply);
  writeHeaders(reply, { Vary: "Accept-Encoding", "X-Content-Type-Options": "nosniff" });
  return reply.type(type).send(bytes);
};

/** The answer is not cached, because the next build may add the file. */
const sendNotFound = (reply: FastifyReply): never => {
  writeHeaders(reply, { "Cache-Control": "no-store" });
  throw apiError("not_found");
};
