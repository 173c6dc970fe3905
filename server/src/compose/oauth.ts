/** The composition of the OAuth endpoints: which transaction each step of the flow runs in. */
import { GRANT_TYPES, OAUTH_PREFIX, type TokenResponse } from "@comanda/contract/oauth.ts";
import { ALL_SCOPES } from "@comanda/contract/scopes.ts";
import type { FastifyRequest } from "fastify";
import { inGlobalTransaction } from "#db/global-transaction.ts";
import { openDb } from "#db/pool.ts";
import { withTenant } from "#db/with-tenant.ts";
import type { AuthorizeOutcome, OAuthCall, OAuthHandlers } from "#http/oauth/endpoints.ts";
import { requestOrigin, rootUrlOf } from "#http/request-origin.ts";
import type { Ctx } from "#lib/context.ts";
import type { OAuthClient } from "#platform/programs/apps/service.ts";
import { locateCodeGrant, locateRefreshGrant, revokeAccessToken, revokeRefreshToken } from "#platform/programs/installations/service.ts";
import {
  AuthorizeError,
  readAuthorizationRequest,
  redirectTo,
  UntrustedRedirectError,
} from "#platform/programs/oauth/rules/authorization-request.ts";
import {
  type Credentials,
  readCodeRequest,
  readCredentials,
  readRefreshRequest,
  requireGrantType,
  requireParameter,
} from "#platform/programs/oauth/rules/token-request.ts";
import {
  authenticateClient,
  createConsent,
  exchange,
  findRequestingApp,
  reauthenticateClient,
  refresh,
  unwrapTokenResponse,
} from "#platform/programs/oauth/service.ts";
import { authenticateToken } from "#platform/programs/tokens/service.ts";
import { tenantById } from "#platform/tenants/service.ts";
import type { Deps } from "../deps.ts";

export const createOAuth = (deps: Deps): OAuthHandlers => ({
  metadata: (request) => serverMetadata(rootUrlOf(deps, request)),
  authorize: (call) => authorize(deps, call),
  token: (call) => issueTokens(deps, call),
  revoke: (call) => revoke(deps, call),
});

/** RFC 6749 §4.1.1. Stores the request; the owner decides in the console. */
const authorize = async (deps: Deps, { request, received }: OAuthCall): Promise<AuthorizeOutcome> => {
  const requester = await findRequestingApp({ db: openDb(deps.pool) }, received).catch((error: unknown) => {
    if (error instanceof UntrustedRedirectError) return error.message;
    throw error;
  });
  if (typeof requester === "string") return { errorPage: requester };
  try {
    const asked = readAuthorizationRequest(received, requester.app);
    const name = await inGlobalTransaction(deps, requestOrigin(request), async (ctx) => createConsent(ctx, requester, asked));
    return { redirectTo: `/console/consent/${name}` };
  } catch (error) {
    if (!(error instanceof AuthorizeError)) throw error;
    const state = received.repeated.includes("state") ? null : (received.parameters.get("state") ?? null);
    return { redirectTo: redirectTo(requester.redirectUri, error, { state, issuer: rootUrlOf(deps, request) }) };
  }
};

/** RFC 6749 §3.2: checks the client first, then the grant type, then the grant. */
const issueTokens = async (deps: Deps, { request, received: { parameters }, authorization }: OAuthCall): Promise<TokenResponse> => {
  const db = openDb(deps.pool);
  const credentials = readCredentials(authorization, parameters);
  const client = await authenticateClient({ db, now: deps.clock.now() }, credentials);
  const given = { deps, request, client, credentials };
  if (requireGrantType(parameters) === "authorization_code") {
    const asked = readCodeRequest(parameters);
    const grant = await locateCodeGrant(db, asked.code);
    return unwrapTokenResponse(grant && (await inVenue({ ...given, ...grant }, (ctx) => exchange(ctx, client, grant.grantId, asked))));
  }
  const asked = readRefreshRequest(parameters);
  const grant = await locateRefreshGrant(db, asked.token);
  return unwrapTokenResponse(grant && (await inVenue({ ...given, ...grant }, (ctx) => refresh(ctx, client, grant.grantId, asked))));
};

/** RFC 7009 §2: a text that is no valid token of this app gets the same answer and changes nothing. */
const revoke = async (deps: Deps, { request, received: { parameters }, authorization }: OAuthCall): Promise<void> => {
  const [db, now] = [openDb(deps.pool), deps.clock.now()];
  const credentials = readCredentials(authorization, parameters);
  const client = await authenticateClient({ db, now }, credentials);
  const token = requireParameter(parameters, "token");
  const grant = await locateRefreshGrant(db, token);
  const given = { deps, request, client, credentials };
  if (grant) return inVenue({ ...given, ...grant }, (ctx) => revokeRefreshToken(ctx, { grantId: grant.grantId, token, client }));
  const record = await authenticateToken(db, token, now);
  if (record?.installation_id)
    await inVenue({ ...given, restaurantId: record.restaurant_id }, async (ctx) => revokeAccessToken(ctx, { token, client }));
};

type OAuthTenant = { deps: Deps; request: FastifyRequest; restaurantId: number; client: OAuthClient; credentials: Credentials };

/**
 * Each of these may revoke: a refresh ends the previous access token, and a reused code or refresh token ends the tokens that it gave. A
 * client secret that was replaced meanwhile is rejected.
 */
const inVenue = <T>({ deps, request, restaurantId, client, credentials }: OAuthTenant, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  withTenant(
    deps,
    {
      tenant: tenantById(restaurantId),
      actor: async ({ db }) => {
        await reauthenticateClient({ db, now: deps.clock.now() }, client, credentials);
        return { kind: "app", id: client.id, name: client.name, scopes: [], caller: `app:${client.id}` };
      },
      from: requestOrigin(request),
      locks: [{ of: "venue", id: restaurantId, mode: "exclusive" }],
      sandboxLock: "shared",
    },
    work,
  );

/** RFC 8414: lets a client library discover the endpoints from the service's address. */
const serverMetadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}${OAUTH_PREFIX}/authorize`,
  token_endpoint: `${issuer}${OAUTH_PREFIX}/token`,
  revocation_endpoint: `${issuer}${OAUTH_PREFIX}/revoke`,
  scopes_supported: ALL_SCOPES,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: GRANT_TYPES,
  token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
  revocation_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
});
