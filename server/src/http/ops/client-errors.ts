/**
 * Answers what the HTTP parser of Node refuses with the error body of the contract (§7.1). Such a request has no route, and it is not counted,
 * so the same answer is given for every path.
 */
import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { type ErrorCode, helpPathOf } from "@comanda/contract/errors.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Deps } from "#deps.ts";
import { type ApiError, apiError } from "#lib/errors.ts";
import { newUuid } from "#lib/ids.ts";
import { uncountedHeaders } from "../rate-limit.ts";
import { errorBody } from "../reply.ts";
import { unansweredOn } from "./pipelining-limit.ts";

type ParserError = Error & { code?: string; rawPacket?: unknown };

/** A client that is still sending gets the answer only while the connection is open. */
const LINGER_MS = 1000;
const TLS_HANDSHAKE = 0x16;

const HEADER_LINE = "Each header is one line of a name, a colon and a value, without control characters, and ends with CR LF.";
const BODY_LENGTH = "Content-Length is sent once, as the number of bytes of the body.";
const BODY_FRAME = "A body has either a Content-Length or Transfer-Encoding: chunked, not both, and no other Transfer-Encoding.";
const CHUNKS = "Each chunk of the body begins with its size in hexadecimal digits, and ends with CR LF.";
const FIRST_LINE =
  "The first line is a method, a path and HTTP/1.1, with one space between them. Other characters in the path are percent-encoded.";

const CAUSES: Record<string, string> = {
  HPE_INVALID_METHOD: `The method is none of HTTP; methods are written in capitals, such as GET. ${FIRST_LINE}`,
  HPE_INVALID_CONSTANT: FIRST_LINE,
  HPE_INVALID_URL: `The path contains a character that must be percent-encoded, or does not begin with a slash. ${FIRST_LINE}`,
  HPE_INVALID_VERSION: "Send the request as HTTP/1.1.",
  HPE_PAUSED_H2_UPGRADE: "Send the request as HTTP/1.1.",
  HPE_INVALID_HEADER_TOKEN: `A header is malformed. ${HEADER_LINE}`,
  HPE_CR_EXPECTED: `A header is malformed. ${HEADER_LINE}`,
  HPE_LF_EXPECTED: `A header is malformed. ${HEADER_LINE}`,
  HPE_INVALID_CONTENT_LENGTH: `Content-Length cannot be read. ${BODY_LENGTH} ${BODY_FRAME}`,
  HPE_UNEXPECTED_CONTENT_LENGTH: `Content-Length is sent more than once. ${BODY_LENGTH}`,
  HPE_INVALID_TRANSFER_ENCODING: `Transfer-Encoding cannot be used like this. ${BODY_FRAME}`,
  HPE_INVALID_CHUNK_SIZE: `The body's chunks cannot be read. ${CHUNKS}`,
  HPE_STRICT: `The body's chunks cannot be read. ${CHUNKS}`,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: `The extensions of the body's chunks are too large. ${CHUNKS}`,
};
const UNKNOWN_CAUSE = "The request is not well-formed HTTP/1.1.";
const ENCRYPTED = "This port takes no TLS. Send the request to the address that begins with https://, or use http:// here.";

const CODES: Record<string, ErrorCode> = { ERR_HTTP_REQUEST_TIMEOUT: "request_timeout", HPE_HEADER_OVERFLOW: "headers_too_large" };

const toApiError = ({ code = "", rawPacket }: ParserError): ApiError => {
  const known = CODES[code];
  if (known) return apiError(known);
  return apiError(
    "bad_request",
    {},
    {},
    Buffer.isBuffer(rawPacket) && rawPacket[0] === TLS_HANDSHAKE ? ENCRYPTED : (CAUSES[code] ?? UNKNOWN_CAUSE),
  );
};

/** The parser reports a connection again for everything that arrives after its first failure. */
const refused = new WeakSet<Socket>();

export const createClientErrorHandler =
  ({ clock, config, log }: Pick<Deps, "clock" | "config" | "log">) =>
  (error: ParserError, socket: Socket): void => {
    if (refused.has(socket)) return;
    refused.add(socket);
    const unanswered = unansweredOn(socket);
    const [own] = unanswered;
    // An earlier request would take the answer for its own. Its body is complete, or its answer has begun.
    const isForOther = own !== undefined && (unanswered.length > 1 || own.req.complete || own.headersSent);
    if (error.code === "ECONNRESET" || !socket.writable || isForOther) return void socket.destroy(error);
    const refusal = toApiError(error);
    const body = errorBody(refusal);
    const headers: Record<string, string> = {
      "X-Request-Id": newUuid(clock.now()),
      "X-Content-Type-Options": "nosniff",
      ...uncountedHeaders(config),
      ...ownHeaders(own),
      Link: `<${helpPathOf(refusal.code)}>; rel="help"`,
      "Cache-Control": "no-store",
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": String(Buffer.byteLength(body)),
      Date: new Date().toUTCString(),
      Connection: "close",
    };
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${head.join("")}\r\n${body}`);
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
    log.info({ request_id: headers["X-Request-Id"], cause: error.code, address: socket.remoteAddress }, "a request could not be parsed");
  };

const OWN_HEADERS = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "Service-Sandbox", "Strict-Transport-Security"];

/** Returns the headers that the request has already, because its head was read before its body failed. */
const ownHeaders = (answer: ServerResponse | undefined): Record<string, string> =>
  Object.fromEntries(OWN_HEADERS.filter((name) => answer?.hasHeader(name)).map((name) => [name, String(answer?.getHeader(name))]));

/** Node itself would answer these without a body: an expectation that it does not know, and HTTP/1.1 without a Host. */
export const IGNORES_HOST = { requireHostHeader: false } as const;

export const ignoreUnknownExpectations = ({ server }: FastifyInstance): void => {
  server.on("checkExpectation", (request, response) => void server.emit("request", request, response));
};

export const hasHost = ({ raw: { httpVersion, headers } }: FastifyRequest): boolean => httpVersion !== "1.1" || headers.host !== undefined;

export const missingHost = (): ApiError => apiError("bad_request", {}, {}, "HTTP/1.1 requires the header Host: the name of this service.");
