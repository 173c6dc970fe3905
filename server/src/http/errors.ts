/** Turns every thrown value into an error of the contract. An unexpected one becomes a 500 without details. */
import { helpPathOf } from "@comanda/contract/errors.ts";
import { API_PREFIX } from "@comanda/contract/operations.ts";
import type { FieldReason } from "@comanda/contract/reasons.ts";
import { FAULT_HEADER } from "@comanda/contract/sandbox/sandbox-operations.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isContention, isUnavailable } from "#db/pool.ts";
import { ApiError, apiError, because, validationError } from "#lib/errors.ts";
import { errorBody, reasonsJson, sendJson, withReasons, writeHeaders } from "./reply.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The code of the error that was sent, for the request log. */
    errorCode: string | null;
    /** The fields that the error names in `details`. */
    invalidFields: readonly string[] | null;
    /** Why it was refused, for the request log. */
    refusalReasons: readonly FieldReason[] | null;
  }
}

const UNAVAILABLE_RETRY_SECONDS = "2";

export const toApiError = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error;
  const { code, statusCode = 500 } = error as { code?: string; statusCode?: number };
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return apiError("payload_too_large");
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE")
    return validationError({ body: [because("The body must be sent as application/json, in the header Content-Type.", "not_json_type")] });
  // Fastify rejects the method QUERY before routing. No operation uses it.
  if (code === "FST_ERR_ROUTE_MISSING_CONTENT_TYPE") return apiError("method_not_allowed");
  // Fastify's client errors: a wrong content length, or a body cut short (this ECONNRESET is not the database's).
  if (statusCode < 500) return validationError({ body: [because("The body is not as long as announced.", "wrong_length")] });
  if (isUnavailable(error) || isContention(error)) return apiError("service_unavailable", {}, { "Retry-After": UNAVAILABLE_RETRY_SECONDS });
  return apiError("server_error");
};

export type RecordedError = Pick<ApiError, "code" | "details" | "reasons">;

/**
 * Notes the error for the request log. An error of the API names its part of the guide (RFC 8288); the address is relative, because a Host
 * may be false.
 */
export const recordError = (request: FastifyRequest, reply: FastifyReply, { code, details, reasons }: RecordedError): void => {
  request.errorCode = code;
  request.invalidFields = code === "validation_failed" ? Object.keys(details) : null;
  request.refusalReasons = reasons;
  if (request.url.startsWith(API_PREFIX)) writeHeaders(reply, { Link: `<${helpPathOf(code)}>; rel="help"` });
};

/** Neither a client that left while its request waited for a connection, nor a fault that a sandbox ordered, is a failure of the service. */
const logFailure = (request: FastifyRequest, reply: FastifyReply, error: unknown): void => {
  const { method, routeOptions } = request;
  if (reply.raw.destroyed) request.log.info({ method, route: routeOptions.url }, "the client left before its answer");
  else if (reply.raw.hasHeader(FAULT_HEADER))
    request.log.info({ method, route: routeOptions.url }, "a sandbox took a fault that it ordered");
  else request.log.error({ err: error, method, route: routeOptions.url }, "the request failed");
};

export const sendApiError = (request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply => {
  const refusal = toApiError(error);
  recordError(request, reply, refusal);
  if (refusal.status >= 500) logFailure(request, reply, error);
  writeHeaders(reply, refusal.headers);
  return sendJson(reply, refusal.status, withReasons(request, errorBody(refusal), reasonsJson(refusal.reasons)));
};
