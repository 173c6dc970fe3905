/** Whatever was thrown becomes an answer of the contract; only what nobody foresaw is a 500, and it says nothing. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { isContention, isUnavailable } from "#db/pool.ts";
import { fail, invalid, Refusal } from "#lib/errors.ts";
import { errorBody, sendJson, writeHeaders } from "./reply.ts";

const UNAVAILABLE_RETRY_SECONDS = "2";

export const toRefusal = (error: unknown): Refusal => {
  if (error instanceof Refusal) return error;
  const { code, statusCode = 500 } = error as { code?: string; statusCode?: number };
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return fail("payload_too_large");
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return invalid({ body: ["The body must be sent as application/json."] });
  // No operation answers to QUERY, the one method that Fastify refuses before it looks for a route.
  if (code === "FST_ERR_ROUTE_MISSING_CONTENT_TYPE") return fail("method_not_allowed");
  // Fastify marks what the client got wrong: here a length that does not match, or a body cut short (its ECONNRESET is not the database's).
  if (statusCode < 500) return invalid({ body: ["The body is not as long as announced."] });
  if (isUnavailable(error) || isContention(error)) return fail("service_unavailable", {}, { "Retry-After": UNAVAILABLE_RETRY_SECONDS });
  return fail("server_error");
};

/** For the log of requests. */
export const noteRefusal = (request: FastifyRequest, { code, details }: Pick<Refusal, "code" | "details">): void => {
  request.refusedWith = code;
  request.faultyFields = code === "validation_failed" ? Object.keys(details) : null;
};

export const sendRefusal = (request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply => {
  const refusal = toRefusal(error);
  noteRefusal(request, refusal);
  if (refusal.status >= 500) request.log.error({ err: error }, "the request failed");
  writeHeaders(reply, refusal.headers);
  return sendJson(reply, refusal.status, errorBody(refusal));
};
