/** Every error code the API answers with (contract §7.1): its status and the sentence it carries by default. */
import { Type } from "typebox";
import { REFUSAL_REASONS } from "./reasons.ts";
import { Literals, Shape } from "./shared.ts";

export const ERRORS = {
  unauthenticated: { status: 401, message: "A valid bearer token is required." },
  insufficient_scope: { status: 403, message: "This token does not carry the scope that the operation needs." },
  plan_feature_unavailable: { status: 403, message: "The restaurant's plan does not include this feature." },
  restaurant_suspended: { status: 403, message: "The restaurant is suspended: it can be read but not changed." },
  plan_lapsed: { status: 403, message: "The restaurant has no plan in force." },
  not_found: { status: 404, message: "This restaurant has nothing with this id." },
  method_not_allowed: { status: 405, message: "This path does not answer to that method." },
  invalid_transition: { status: 409, message: "The requested status cannot be reached from the current one." },
  idempotency_key_in_use: {
    status: 409,
    message: "The first request with this Idempotency-Key is still running: send it again after the seconds of Retry-After.",
  },
  cursor_expired: { status: 410, message: "Events after this position may be gone: start over." },
  payload_too_large: { status: 413, message: "The request body is larger than 1 MiB: send less at once." },
  validation_failed: { status: 422, message: "Some fields are not valid." },
  idempotency_key_reused: {
    status: 422,
    message: "This Idempotency-Key was already used with another body, method or path: send a new key for a new request.",
  },
  rate_limited: { status: 429, message: "Too many requests: wait the number of seconds given in Retry-After." },
  // These codes answer requests that cannot be read. No token is read from them, and no operation answers with these codes.
  bad_request: { status: 400, message: "The request is not well-formed HTTP/1.1." },
  request_timeout: {
    status: 408,
    message: "The request did not arrive in time: its head has 5 seconds, all of it 10. Send it again on a new connection.",
  },
  headers_too_large: {
    status: 431,
    message: "The first line and the headers are larger than 16 KiB together. Send shorter or fewer ones.",
  },
  // The console's own calls answer with these codes, never a call under /api/v1.
  signed_out: { status: 401, message: "Sign in first." },
  sign_in_failed: { status: 401, message: "The e-mail address or the password is not right." },
  second_factor_required: { status: 401, message: "A code of your authenticator app, or a recovery code, is needed." },
  sign_in_link_required: {
    status: 403,
    message: "Too many sign-ins to this account have failed. On this device, sign in by a link sent to your e-mail address.",
  },
  password_required: { status: 403, message: "Give your password again." },
  role_required: { status: 403, message: "Your role in this venue does not allow this." },
  second_factor_setup_required: {
    status: 403,
    message: "This venue asks its owners and managers for a second factor. Set one up on your account page.",
  },
  sign_in_again: { status: 403, message: "An owner ended your sessions in this venue. Sign in again to open it." },
  state_changed: { status: 409, message: "Another person was faster: look at the present state and decide again." },
  cross_site: { status: 403, message: "This call must come from the console itself." },
  server_error: { status: 500, message: "Something went wrong on our side." },
  service_unavailable: { status: 503, message: "The service cannot answer right now: try again shortly." },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** Codes of the console's own calls. The API never answers with them. */
export const CONSOLE_ERROR_CODES: readonly ErrorCode[] = [
  "signed_out",
  "sign_in_failed",
  "second_factor_required",
  "sign_in_link_required",
  "password_required",
  "role_required",
  "second_factor_setup_required",
  "sign_in_again",
  "state_changed",
  "cross_site",
];

/** Codes of requests that the HTTP parser refuses. */
export const PARSER_ERROR_CODES: readonly ErrorCode[] = ["bad_request", "request_timeout", "headers_too_large"];

/** The part of the guide that explains a code. The header `Link` of an error leads there. */
export const helpPathOf = (code: ErrorCode): string => `/docs/guide/errors#${code}`;

export const ErrorBody = Shape("Error", {
  error: Type.Object({
    code: Type.String({ description: "One of the published codes; switch on this." }),
    message: Type.String({ minLength: 1, description: "For people; may change." }),
    details: Type.Record(Type.String(), Type.Unknown(), {
      description: "For validation_failed: dotted field path to a list of sentences. Otherwise what the code adds, or empty.",
    }),
    reasons: Type.Optional(
      Type.Array(
        Shape(
          "FieldReason",
          {
            field: Type.String({ description: "The field as in `details`; `status` or `Idempotency-Key` where there is none." }),
            reason: Literals(REFUSAL_REASONS, { description: "More may be added: show the sentence for an unknown one." }),
            params: Type.Record(Type.String(), Type.Unknown(), { description: "What belongs to the reason, such as `max`." }),
          },
          { description: "Why one field was refused, for programs.", "x-addition": true },
        ),
        { description: "Of 409 and 422, when the request asks with `Service-Reasons: 1`: one for each sentence.", "x-addition": true },
      ),
    ),
  }),
});
