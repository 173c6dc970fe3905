/** The refusals of an operation in the OpenAPI document: which codes it can answer with, and a body of each. */
import { Type } from "typebox";
import { ERRORS, ErrorBody, type ErrorCode } from "../errors.ts";
import { keepsAnswers, type Operation } from "../operation.ts";
import { Literals } from "../shared.ts";
import { ANSWER_HEADERS, headerRefs } from "./parameters.ts";
import type { OpenApiObject, SchemaWriter } from "./schemas.ts";

/** 403 of an operation without a scope: what it is asked for may need one. */
const ERRORS_OF_STATUS: Record<number, ErrorCode[]> = {
  403: ["insufficient_scope", "plan_feature_unavailable"],
  404: ["not_found"],
  410: ["cursor_expired"],
  422: ["validation_failed"],
};

/** Codes are in the order of the checks (open point D27). */
export const errorCodesOf = (operation: Operation): ErrorCode[] => {
  const { method, path, scope, feature, body, extraStatuses, onlyInSandbox = false } = operation;
  return [
    "unauthenticated",
    "rate_limited",
    // A sandbox is never lapsed or suspended (open point D137).
    ...(onlyInSandbox ? [] : (["plan_lapsed"] as const)),
    ...(scope === null ? [] : (["insufficient_scope"] as const)),
    ...(feature ? (["plan_feature_unavailable"] as const) : []),
    ...(method === "GET" || onlyInSandbox ? [] : (["restaurant_suspended"] as const)),
    ...(body ? (["payload_too_large"] as const) : []),
    ...(keepsAnswers(operation) ? (["idempotency_key_in_use", "idempotency_key_reused"] as const) : []),
    ...extraStatuses.flatMap((status) => ERRORS_OF_STATUS[status] ?? []),
    // What has no id yet has no status that it could not leave.
    ...(extraStatuses.includes(409) && path.includes("{") ? (["invalid_transition"] as const) : []),
    "server_error",
    "service_unavailable",
  ];
};

/** A response that several operations share is named by the code that is its own. */
const nameOf = (codes: readonly ErrorCode[]): string => {
  const has = (code: ErrorCode): boolean => codes.includes(code);
  if (has("plan_lapsed") && !has("insufficient_scope")) return has("restaurant_suspended") ? "LapsedWriteForbidden" : "LapsedForbidden";
  if (has("plan_lapsed")) return `${has("plan_feature_unavailable") ? "Plan" : ""}${has("restaurant_suspended") ? "Write" : ""}Forbidden`;
  if (has("validation_failed") && has("idempotency_key_reused")) return "PostRefused";
  const [code = ""] = has("invalid_transition") ? ["invalid_transition"] : codes;
  return code
    .split("_")
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join("")
    .replace(/Error$/, "Fault");
};

const EXAMPLE_DETAILS: Partial<Record<ErrorCode, OpenApiObject>> = {
  insufficient_scope: { required_scope: "orders:write" },
  plan_feature_unavailable: { feature: "reservations" },
  cursor_expired: { latest: "1024.zIoPuXTH0p0gT5V5uT6XhsY1EigeIb9i7G_TLncNGX8z-qYLs9bBYx2XVayvxj27" },
  validation_failed: { per_page: ["Must be at most 100."] },
  invalid_transition: { from: "completed", to: "accepted" },
};

const WAITING: ErrorCode[] = ["rate_limited", "idempotency_key_in_use", "service_unavailable"];

const exampleOf = (code: ErrorCode, details: OpenApiObject): OpenApiObject => ({
  value: { error: { code, message: ERRORS[code].message, details } },
});

/** The body of these codes alone, so that generated code knows which can come with a status. */
const bodyOf = (name: string, codes: readonly ErrorCode[]): object => {
  const { message, details, reasons } = ErrorBody.properties.error.properties;
  const isByRule = codes.some((code) => ERRORS[code].status === 409 || ERRORS[code].status === 422);
  const code = Literals(codes, { description: "What went wrong; switch on this." });
  const members = {
    code,
    message,
    details: { ...details, title: "ErrorDetails" },
    ...(isByRule ? { reasons: Type.Optional({ ...reasons, title: "Reasons" }) } : {}),
  };
  return Type.Object({ error: Type.Object(members) }, { title: `${name}Error` });
};

type ErrorWriter = { responses: OpenApiObject; schema: SchemaWriter };

const responseOf = (name: string, codes: readonly ErrorCode[], schema: SchemaWriter, errors?: OpenApiObject): OpenApiObject => ({
  description: codes.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join(" "),
  headers: headerRefs([...ANSWER_HEADERS, "Link", ...(codes.some((code) => WAITING.includes(code)) ? (["Retry-After"] as const) : [])]),
  content: {
    "application/json": {
      schema: schema(bodyOf(name, codes)),
      examples: Object.fromEntries(
        codes.map((code) => [code, exampleOf(code, (code === "validation_failed" ? errors : undefined) ?? EXAMPLE_DETAILS[code] ?? {})]),
      ),
    },
  },
});

/** One response for each status. Operations share them, but for what a caller gets wrong most easily. */
export const errorResponses = (
  operation: Operation,
  errors: OpenApiObject | undefined,
  { responses, schema }: ErrorWriter,
): OpenApiObject => {
  const codes = errorCodesOf(operation);
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const same = codes.filter((code) => ERRORS[code].status === status);
      const name = nameOf(same);
      if (errors && same.includes("validation_failed")) return [status, responseOf(name, same, schema, errors)];
      responses[name] ??= responseOf(name, same, schema);
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
};
