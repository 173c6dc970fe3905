/** The OAuth endpoints in the OpenAPI document: they have their own shapes, their own errors and no bearer token. */
import {
  OAUTH_ERRORS,
  OAUTH_PREFIX,
  OAuthErrorBody,
  RevokeRequest,
  RevokeResponse,
  TokenRequest,
  TokenResponse,
  TooManyBody,
} from "./oauth.ts";
import { SCOPES } from "./scopes.ts";

type Json = { [key: string]: unknown };
type Hoist = (value: unknown) => unknown;

const MEDIA = ["application/x-www-form-urlencoded", "application/json"];

const errors = (schema: Hoist, retry: Json): Json => ({
  400: {
    description: Object.entries(OAUTH_ERRORS)
      .filter(([code]) => code !== "invalid_client")
      .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
      .join(" "),
    content: { "application/json": { schema: schema(OAuthErrorBody) } },
  },
  401: {
    description: `\`invalid_client\`: ${OAUTH_ERRORS.invalid_client}`,
    headers: { "WWW-Authenticate": { schema: { type: "string" } } },
    content: { "application/json": { schema: schema(OAuthErrorBody) } },
  },
  429: {
    description: "Too many requests from this address.",
    headers: retry,
    content: { "application/json": { schema: schema(TooManyBody) } },
  },
});

const RETRY: Json = { "Retry-After": { schema: { type: "integer", minimum: 1 }, description: "Seconds to wait." } };

type Endpoint = { id: string; summary: string; description: string; request: unknown; response: unknown; example: Json };

const describe = ({ id, summary, description, request, response, example }: Endpoint, schema: Hoist): Json => ({
  post: {
    operationId: id,
    tags: ["OAuth"],
    summary,
    description,
    security: [{ client: [] }, {}],
    requestBody: {
      required: true,
      content: Object.fromEntries(MEDIA.map((type) => [type, { schema: schema(request), example }])),
    },
    responses: {
      200: {
        description: "Done. Never to be cached.",
        headers: { "Cache-Control": { schema: { type: "string", const: "no-store" } } },
        content: { "application/json": { schema: schema(response) } },
      },
      ...errors(schema, RETRY),
    },
  },
});

export const oauthPaths = (schema: Hoist): Record<string, Json> => ({
  [`${OAUTH_PREFIX}/token`]: describe(
    {
      id: "exchangeToken",
      summary: "Exchange a code, or refresh",
      description:
        "Turns an authorization code into an access token of one hour and a refresh token, or a refresh token into the next pair. The client proves itself by HTTP Basic or with client_id and client_secret in the body.",
      request: TokenRequest,
      response: TokenResponse,
      example: { grant_type: "refresh_token", refresh_token: `svc_ort_${"a".repeat(40)}` },
    },
    schema,
  ),
  [`${OAUTH_PREFIX}/revoke`]: describe(
    {
      id: "revokeToken",
      summary: "Revoke a token",
      description: "Ends an access token, or a refresh token together with its access token. What is unknown is not an error.",
      request: RevokeRequest,
      response: RevokeResponse,
      example: { token: `svc_ort_${"a".repeat(40)}` },
    },
    schema,
  ),
});

/** Addresses relative to the server's, as RFC 3986 has it. */
export const OAUTH_SECURITY: Json = {
  client: { type: "http", scheme: "basic", description: "The client id and secret of a marketplace app." },
  oauth: {
    type: "oauth2",
    description: "For apps that venues install: authorization code with PKCE (S256).",
    flows: {
      authorizationCode: {
        authorizationUrl: `${OAUTH_PREFIX}/authorize`,
        tokenUrl: `${OAUTH_PREFIX}/token`,
        refreshUrl: `${OAUTH_PREFIX}/token`,
        scopes: SCOPES,
      },
    },
  },
};
