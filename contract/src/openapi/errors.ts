/** The refusals of an operation in the OpenAPI document: which codes it can answer with, and a body of each. */
import { ERRORS, ErrorBody, type ErrorCode } from "../errors.ts";
import type { Operation } from "../operation.ts";

export type OpenApiObject = { [key: string]: unknown };

const ERROR_OF_STATUS: Record<number, ErrorCode> = { 404: "not_found", 410: "cursor_expired", 422: "validation_failed" };

/** In the order of the checks (open point D27). */
export const errorCodesOf = ({ method, path, feature, body, extraStatuses }: Operation): ErrorCode[] => {
  const isPost = method === "POST";
  return [
    "unauthenticated",
    "rate_limited",
    "plan_lapsed",
    "insufficient_scope",
    ...(feature ? (["plan_feature_unavailable"] as const) : []),
    ...(method === "GET" ? [] : (["restaurant_suspended"] as const)),
    ...(body ? (["payload_too_large"] as const) : []),
    ...(isPost ? (["idempotency_key_in_use", "idempotency_key_reused"] as const) : []),
    ...extraStatuses.flatMap((status) => ERROR_OF_STATUS[status] ?? []),
    // What has no id yet has no status that it could not leave.
    ...(extraStatuses.includes(409) && path.includes("{") ? (["invalid_transition"] as const) : []),
    "server_error",
    "service_unavailable",
  ];
};

const detailsOf = (code: ErrorCode, operation: Operation, errors: Record<string, string[]>): OpenApiObject => {
  if (code === "insufficient_scope") return { required_scope: operation.scope ?? "orders:read" };
  if (code === "plan_feature_unavailable") return { feature: operation.feature };
  if (code === "cursor_expired") return { latest: "1024.1794211200000-0.7.2147483647.1794657600000" };
  if (code === "validation_failed") return errors;
  if (code === "invalid_transition")
    return operation.path.startsWith("/orders") ? { from: "completed", to: "accepted" } : { from: "seated", to: "cancelled" };
  return {};
};

const RETRY_AFTER: OpenApiObject = { "Retry-After": { schema: { type: "integer", minimum: 1 }, description: "Seconds to wait." } };
const WAITING: ErrorCode[] = ["rate_limited", "idempotency_key_in_use", "service_unavailable"];

type ErrorResponseParts = { schema(value: unknown): unknown; headers: OpenApiObject; errors: Record<string, string[]> };

/** One response for each status, one example for each code. */
export const errorResponses = (operation: Operation, { schema, headers, errors }: ErrorResponseParts): OpenApiObject => {
  const codes = errorCodesOf(operation);
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const same = codes.filter((code) => ERRORS[code].status === status);
      return [
        status,
        {
          description: same.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join(" "),
          headers: { ...headers, ...(same.some((code) => WAITING.includes(code)) ? RETRY_AFTER : {}) },
          content: {
            "application/json": {
              schema: schema(ErrorBody),
              examples: Object.fromEntries(
                same.map((code) => [
                  code,
                  {
                    summary: ERRORS[code].message,
                    value: { error: { code, message: ERRORS[code].message, details: detailsOf(code, operation, errors) } },
                  },
                ]),
              ),
            },
          },
        },
      ];
    }),
  );
};
