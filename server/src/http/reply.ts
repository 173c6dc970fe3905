/** The success envelope of §1.6, the error body of §7.1, and their headers. */
import { Readable } from "node:stream";
import { type FieldReason, REASONS_HEADER, REASONS_WANTED } from "@comanda/contract/reasons.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiError } from "#lib/errors.ts";
import { isKeptJson, type JsonPieces, jsonAround } from "#lib/kept-json.ts";

/** The final answer. It is stored and sent again when an idempotent request is repeated. */
export type ApiAnswer = {
  status: number;
  /** The contract's bytes, without reasons. */
  body: string;
  /** Sent in place of the text: a large answer to a read. */
  pieces?: JsonPieces;
  location: string | null;
  isReplay: boolean;
  /** The reasons of an error as JSON; null where there are none. */
  reasons: string | null;
};

/** Rows of JSON that are sent with the bytes that are stored. */
export type StoredRows = { readonly storedRows: readonly string[] };

export const storedRows = (rows: readonly string[]): StoredRows => ({ storedRows: rows });

export const isStoredRows = (data: unknown): data is StoredRows => typeof data === "object" && data !== null && "storedRows" in data;

export const envelopeText = ({ data, meta, links }: Envelope): string =>
  isStoredRows(data)
    ? `{"data":[${data.storedRows.join(",")}],"meta":${JSON.stringify(meta)},"links":${JSON.stringify(links)}}`
    : JSON.stringify({ data, meta, links });

/** Null where the text is not kept as bytes. */
export const envelopePieces = ({ data, meta, links }: Envelope): JsonPieces | null =>
  isKeptJson(data) ? jsonAround("data", data, { meta, links }) : null;

export type Envelope = { data: unknown; meta: object; links: object };

/** `location` is the path of a new resource under the API prefix. */
export type Result = Envelope & { location?: string };

export const one = <D, M extends object = Record<never, never>>(data: D, meta?: M) => ({ data, meta: meta ?? ({} as M), links: {} });

export const list = <R, M extends object>(data: R[], meta: M) => ({ data, meta: { count: data.length, ...meta }, links: {} });

export const errorBody = ({ code, message, details }: Pick<ApiError, "code" | "message" | "details">): string =>
  JSON.stringify({ error: { code, message, details } });

/** Null where the error has none. */
export const reasonsJson = (reasons: readonly FieldReason[]): string | null => (reasons.length === 0 ? null : JSON.stringify(reasons));

/** Only a request that asks for reasons gets them, so every other body has exactly the members of §7.1. */
export const withReasons = ({ headers }: FastifyRequest, body: string, reasons: string | null): string =>
  reasons !== null && headers[REASONS_HEADER.toLowerCase()] === REASONS_WANTED
    ? `${body.slice(0, -ERROR_END.length)},"reasons":${reasons}${ERROR_END}`
    : body;

/** Closes `error` and the body. */
const ERROR_END = "}}";

/** Keeps the contract's spelling; Fastify's `header` would send lower case. */
export const writeHeaders = (reply: FastifyReply, headers: Record<string, string>): void => {
  for (const [name, value] of Object.entries(headers)) reply.raw.setHeader(name, value);
};

export const sendJson = (reply: FastifyReply, status: number, body: string | JsonPieces): FastifyReply => {
  writeHeaders(reply, { "Cache-Control": "no-store" });
  reply.code(status).header("Content-Type", "application/json; charset=utf-8");
  if (typeof body === "string") return reply.send(body);
  const bytes = body.reduce((sum, { length }) => sum + length, 0);
  return reply.header("Content-Length", bytes).send(Readable.from(slicesOf(body), { objectMode: false }));
};

/** Small enough that other requests are answered between two of them. */
const SLICE_BYTES = 64 * 1024;

const slicesOf = function* (pieces: JsonPieces): Generator<Buffer> {
  for (const piece of pieces) for (let at = 0; at < piece.length; at += SLICE_BYTES) yield piece.subarray(at, at + SLICE_BYTES);
};

export const sendAnswer = (request: FastifyRequest, reply: FastifyReply, answer: ApiAnswer): FastifyReply => {
  if (answer.location !== null) writeHeaders(reply, { Location: answer.location });
  if (answer.isReplay) writeHeaders(reply, { "Idempotent-Replayed": "true" });
  return sendJson(reply, answer.status, answer.pieces ?? withReasons(request, answer.body, answer.reasons));
};
