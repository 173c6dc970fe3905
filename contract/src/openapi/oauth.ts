/** The OAuth endpoints in the OpenAPI document: they have their own shapes, their own errors and no bearer token. */
import {
  ACCESS_TOKEN_SECONDS,
  OAUTH_ERRORS,
  OAUTH_PREFIX,
  OAuthErrorBody,
  RevokeRequest,
  RevokeResponse,
  TokenRequest,
  TokenResponse,
  TooManyBody,
} from "../oauth.ts";
import { SCOPES } from "../scopes.ts";
import { headerRefs } from "./parameters.ts";
import type { OpenApiObject, SchemaWriter } from "./schemas.ts";

const MEDIA = ["application/x-www-form-urlencoded", "application/json"];

const errors = (schema: SchemaWriter): OpenApiObject => ({
  400: {
    description: Object.entries(OAUTH_ERRORS)
      .filter(([code]) => code !== "invalid_client")
      .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
      .join(" "),
    content: {
      "application/json": {
        schema: schema(OAuthErrorBody),
        examples: Object.fromEntries(
          Object.entries(OAUTH_ERRORS)
            .filter(([code]) => code !== "invalid_client")
            .map(([code, meaning]) => [code, { summary: meaning, value: { error: code, error_description: meaning } }]),
        ),
      },
    },
  },
  401: {
    description: `\`invalid_client\`: ${OAUTH_ERRORS.invalid_client}`,
    headers: { "WWW-Authenticate": { schema: { type: "string" }, description: "That the client has to prove itself by HTTP Basic." } },
    content: {
      "application/json": {
        schema: schema(OAuthErrorBody),
        example: { error: "invalid_client", error_description: OAUTH_ERRORS.invalid_client },
      },
    },
  },
  429: {
    description: "Too many requests from this address.",
    headers: headerRefs(["Retry-After"]),
    content: { "application/json": { schema: schema(TooManyBody), example: { message: "Too many requests from this address." } } },
  },
});

const REFRESH_TOKEN = "svc_ort_9pLk2XcVb7nMq4WzTy6RgHs1DfJa8KeUo3IxQv0C";

type OAuthEndpointText = {
  id: string;
  summary: string;
  description: string;
  request: unknown;
  response: unknown;
  examples: OpenApiObject;
  answer: OpenApiObject;
};

const describe = (
  { id, summary, description, request, response, examples, answer }: OAuthEndpointText,
  schema: SchemaWriter,
): OpenApiObject => ({
  post: {
    operationId: id,
    tags: ["OAuth"],
    summary,
    description,
    security: [{ client: [] }, {}],
    requestBody: {
      required: true,
      content: Object.fromEntries(MEDIA.map((type) => [type, { schema: schema(request), examples }])),
    },
    responses: {
      200: {
        description: "Done. Never to be cached.",
        headers: {
          "Cache-Control": { schema: { type: "string", const: "no-store" }, description: "Tokens are kept by nobody on the way." },
        },
        content: { "application/json": { schema: schema(response), example: answer } },
      },
      ...errors(schema),
    },
  },
});

export const oauthPaths = (schema: SchemaWriter): Record<string, OpenApiObject> => ({
  [`${OAUTH_PREFIX}/token`]: describe(
    {
      id: "exchangeToken",
      summary: "Exchange a code, or refresh",
      description:
        "Turns an authorization code into an access token of one hour and a refresh token, or a refresh token into the next pair. The client proves itself by HTTP Basic or with client_id and client_secret in the body.",
      request: TokenRequest,
      response: TokenResponse,
      examples: {
        exchange: {
          summary: "Exchange a code",
          value: {
            grant_type: "authorization_code",
            code: "svc_ac_b7NqYx2LkPz9WcVt4RsHm1DfGj8KaEu6oIiQ0T3x",
            redirect_uri: "https://app.example/back",
            code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
          },
        },
        refresh: { summary: "Refresh", value: { grant_type: "refresh_token", refresh_token: REFRESH_TOKEN } },
      },
      answer: {
        access_token: "2048|svc_oat_4fTq0ZrWb8yKcN1xVdG6sLmP3hJuE9oAiR7kQ2tYf3a91c0d",
        token_type: "Bearer",
        expires_in: ACCESS_TOKEN_SECONDS,
        refresh_token: REFRESH_TOKEN,
        scope: "menu:read orders:read",
      },
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
      examples: { refreshToken: { summary: "A refresh token", value: { token: REFRESH_TOKEN } } },
      answer: {},
    },
    schema,
  ),
});

/** Addresses relative to the server's, as RFC 3986 has it. */
export const OAUTH_SECURITY: OpenApiObject = {
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
