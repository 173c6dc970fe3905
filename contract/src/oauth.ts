/** The OAuth endpoints at the service's root (contract §4.6, §5.2, §7.2): shapes, error codes, prefixes, lifetimes. */
import { type Static, Type } from "typebox";
import { Literals, Shape } from "./shared.ts";

export const OAUTH_PREFIX = "/oauth";

/** What each secret and name begins with (contract §5.2). */
export const OAUTH_PREFIXES = { client: "svc_app_", clientSecret: "svc_cs_", code: "svc_ac_", refreshToken: "svc_ort_" } as const;

export const ACCESS_TOKEN_SECONDS = 3600;
export const CODE_SECONDS = 300;

export const GRANT_TYPES = ["authorization_code", "refresh_token"] as const;

/** RFC 6749 §5.2, at the token endpoint and, as far as RFC 7009 §2.2.1 uses them, at the revocation endpoint. */
export const OAUTH_ERRORS = {
  invalid_request: "A parameter is missing, repeated or malformed.",
  invalid_client: "The client id or secret is wrong (RFC 6749 §2.3.1).",
  invalid_grant: "The code or refresh token is unknown, expired or used, or does not fit the rest of the request.",
  unauthorized_client: "The app may not use this grant.",
  unsupported_grant_type: "grant_type must be authorization_code or refresh_token.",
  invalid_scope: "A scope is unknown, or wider than what was granted (RFC 6749 §3.3).",
} as const satisfies Record<string, string>;
export type OAuthErrorCode = keyof typeof OAUTH_ERRORS;

/** RFC 6749 §4.1.2.1: what is sent back to the app's redirect address instead of a code. */
export const AUTHORIZE_ERRORS = ["invalid_request", "unsupported_response_type", "invalid_scope", "access_denied"] as const;
export type AuthorizeErrorCode = (typeof AUTHORIZE_ERRORS)[number];

export const OAuthErrorBody = Shape("OAuthError", {
  error: Type.String({ description: "A code of RFC 6749 §5.2; switch on this." }),
  error_description: Type.String({ minLength: 1, description: "For developers; may change." }),
});

const credentials = {
  client_id: Type.Optional(Type.String({ description: "Unless sent by HTTP Basic." })),
  client_secret: Type.Optional(Type.String({ description: "Unless sent by HTTP Basic." })),
};

export const TokenRequest = Shape("TokenRequest", {
  grant_type: Literals(GRANT_TYPES),
  code: Type.Optional(Type.String({ description: "For authorization_code." })),
  redirect_uri: Type.Optional(Type.String({ description: "For authorization_code: the same as at /oauth/authorize." })),
  code_verifier: Type.Optional(Type.String({ description: "For authorization_code: what the code_challenge was made from." })),
  refresh_token: Type.Optional(Type.String({ description: "For refresh_token." })),
  scope: Type.Optional(Type.String({ description: "For refresh_token: narrows the new access token." })),
  ...credentials,
});

export const TokenResponse = Shape("TokenResponse", {
  access_token: Type.String({ pattern: "^[1-9][0-9]*\\|svc_oat_[0-9A-Za-z]{48}$" }),
  token_type: Type.Literal("Bearer"),
  expires_in: Type.Literal(ACCESS_TOKEN_SECONDS),
  refresh_token: Type.String({ pattern: "^svc_ort_[0-9A-Za-z]{40}$" }),
  scope: Type.String({ description: "What was granted, separated by spaces." }),
});
export type TokenResponse = Static<typeof TokenResponse>;

export const RevokeRequest = Shape("RevokeRequest", {
  token: Type.String({ description: "An access token, which goes alone, or a refresh token, which takes its access token along." }),
  token_type_hint: Type.Optional(Type.String({ description: "Not needed." })),
  ...credentials,
});

export const RevokeResponse = Type.Object({}, { maxProperties: 0 });

export const TooManyBody = Shape("TooManyRequests", { message: Type.String({ minLength: 1 }) });
