/** Answers that are the same for every client: built once, cached as plain and compressed bytes, with an ETag. */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "#deps.ts";
import { writeHeaders } from "../reply.ts";
import { rootUrlOf } from "../request-origin.ts";
import { acceptedEncodings, type Encoding } from "../static-file.ts";

export type SendDocument = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

type Content = string | Buffer;

type Described = {
  type: string;
  cache?: string;
  headers?: Record<string, string>;
  /** The content is rebuilt when this value changes, such as the day. */
  edition?(): string;
};

const SHARED = "public, max-age=300";

// Compression runs off the main thread. Quality 5 is within a few per cent of the best in a tenth of the time.
const COMPRESS: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
};

/** `build` runs at the first request, and never twice for one edition. */
export const createDocument = (described: Described & { build(edition: string): Content | Promise<Content> }): SendDocument => {
  const { type, cache = SHARED, headers = {}, edition = () => "", build } = described;
  let cached: { edition: string; forms: Forms } | null = null;
  return async (request, reply) => {
    const wanted = edition();
    if (cached?.edition !== wanted) cached = { edition: wanted, forms: formsOf(() => build(wanted)) };
    const [encoding = null] = acceptedEncodings(request);
    const { bytes, tag } = await cached.forms(encoding).catch((error: unknown) => {
      cached = null;
      throw error;
    });
    writeHeaders(reply, { ...headers, ETag: tag, "Cache-Control": cache, Vary: "Accept-Encoding" });
    if (isKnown(request, tag)) return reply.code(304).send();
    if (encoding) writeHeaders(reply, { "Content-Encoding": encoding });
    return reply.type(type).send(bytes);
  };
};

/**
 * A document with links to this service. Without PUBLIC_URL the links use the Host header, which a client can forge, so each request gets
 * its own answer and no cache may store it.
 */
export const createLinkedDocument = (
  deps: Deps,
  described: Described & { build(rootUrl: string, edition: string): string },
): SendDocument => {
  const { publicUrl } = deps.config;
  if (publicUrl !== null) return createDocument({ ...described, build: (edition) => described.build(publicUrl, edition) });
  const { type, headers = {}, edition = () => "", build } = described;
  let cached: { edition: string; parts: Buffer[] } | null = null;
  return async (request, reply) => {
    const wanted = edition();
    if (cached?.edition !== wanted)
      cached = {
        edition: wanted,
        parts: build(SOME_URL, wanted)
          .split(SOME_URL)
          .map((part) => Buffer.from(part)),
      };
    writeHeaders(reply, { ...headers, "Cache-Control": "no-store" });
    const rootUrl = Buffer.from(rootUrlOf(deps, request));
    return reply.type(type).send(Buffer.concat(cached.parts.flatMap((part, index) => (index === 0 ? [part] : [rootUrl, part]))));
  };
};

/** A placeholder for the service's address. */
const SOME_URL = "https://address-of-this-service.invalid";

type Form = { bytes: Buffer; tag: string };
type Forms = (encoding: Encoding | null) => Promise<Form>;

/** RFC 9110 §8.8.3.3: each encoding has a tag of its own. */
const formsOf = (build: () => Content | Promise<Content>): Forms => {
  const plain = Promise.resolve()
    .then(build)
    .then((content): Form => {
      const bytes = Buffer.from(content);
      return { bytes, tag: createHash("sha256").update(bytes).digest("base64url").slice(0, 22) };
    });
  const made = new Map<Encoding | null, Promise<Form>>();
  const make = async (encoding: Encoding | null): Promise<Form> => {
    const { bytes, tag } = await plain;
    return encoding ? { bytes: await COMPRESS[encoding](bytes), tag: `"${tag}-${encoding}"` } : { bytes, tag: `"${tag}"` };
  };
  return (encoding) => {
    const form = made.get(encoding) ?? make(encoding);
    made.set(encoding, form);
    return form;
  };
};

/** RFC 9110 §13.1.2: compared weakly. */
const isKnown = (request: FastifyRequest, tag: string): boolean =>
  (request.headers["if-none-match"] ?? "").split(",").some((part) => part.trim().replace(/^W\//, "") === tag);
