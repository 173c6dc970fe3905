/** The composition of the OAuth endpoints: which transaction each step of the flow runs in. */
import { GRANT_TYPES, OAUTH_PREFIX, type TokenResponse } from "@comanda/contract/oauth.ts";
import { ALL_SCOPES } from "@comanda/contract/scopes.ts";
import type { FastifyRequest } from "fastify";
import { inHouse } from "#db/house.ts";
import { openDb, transaction } from "#db/pool.ts";
import { cameFrom } from "#http/came-from.ts";
import type { OAuthCall, OAuthDoor, Way } from "#http/oauth.ts";
import { rootUrlOf } from "#http/root-url.ts";
import type { Ctx } from "#lib/context.ts";
import { OAuthRefusal } from "#lib/errors.ts";
import type { Client } from "#platform/apps/service.ts";
import { placeOfCode, placeOfRefresh, revokeAccess, revokeRefresh } from "#platform/installations/service.ts";
import { AuthorizeRefusal, type Credentials, readAuthorizeRequest, readCredentials, redirectTo, required } from "#platform/oauth/rules.ts";
import {
  exchange,
  findRequester,
  NowhereToGo,
  openConsent,
  provenAgain,
  provenClient,
  readExchange,
  readRefresh,
  refresh,
  settle,
} from "#platform/oauth/service.ts";
import { readRestaurant, tenantOf } from "#platform/tenants/service.ts";
import { recogniseToken } from "#platform/tokens/service.ts";
import type { Deps } from "./deps.ts";

export const openOAuth = (deps: Deps): OAuthDoor => ({
  metadata: (request) => serverMetadata(rootUrlOf(deps, request)),
  authorize: (call) => authorize(deps, call),
  token: (call) => issue(deps, call),
  revoke: (call) => revoke(deps, call),
});

/** RFC 6749 §4.1.1. Nothing is given here: the request is kept, and the console asks the owner. */
const authorize = async (deps: Deps, { request, received }: OAuthCall): Promise<Way> => {
  const requester = await findRequester({ db: openDb(deps.pool) }, received).catch((error: unknown) => {
    if (error instanceof NowhereToGo) return error.message;
    throw error;
  });
  if (typeof requester === "string") return { deadEnd: requester };
  try {
    const asked = readAuthorizeRequest(received, requester.app);
    const name = await inHouse(deps, cameFrom(request), async (ctx) => openConsent(ctx, requester, asked));
    return { redirectTo: `/console/consent/${name}` };
  } catch (error) {
    if (!(error instanceof AuthorizeRefusal)) throw error;
    const state = received.repeated.includes("state") ? null : (received.parameters.get("state") ?? null);
    return { redirectTo: redirectTo(requester.redirectUri, error, { state, issuer: rootUrlOf(deps, request) }) };
  }
};

/** RFC 6749 §3.2: first who, then what kind of grant, then the grant. */
const issue = async (deps: Deps, { request, received: { parameters }, authorization }: OAuthCall): Promise<TokenResponse> => {
  const db = openDb(deps.pool);
  const credentials = readCredentials(authorization, parameters);
  const client = await provenClient({ db, now: deps.clock.now() }, credentials);
  const given = { deps, request, client, credentials };
  const grantType = required(parameters, "grant_type");
  if (grantType === "authorization_code") {
    const asked = readExchange(parameters);
    const place = await placeOfCode(db, asked.code);
    return settle(place && (await inVenue({ ...given, ...place }, (ctx) => exchange(ctx, client, place.grantId, asked))));
  }
  if (grantType === "refresh_token") {
    const asked = readRefresh(parameters);
    const place = await placeOfRefresh(db, asked.token);
    return settle(place && (await inVenue({ ...given, ...place }, (ctx) => refresh(ctx, client, place.grantId, asked))));
  }
  throw new OAuthRefusal("unsupported_grant_type");
};

/** RFC 7009 §2: whatever is not a live token of this app leaves no trace, and gets the same answer. */
const revoke = async (deps: Deps, { request, received: { parameters }, authorization }: OAuthCall): Promise<void> => {
  const [db, now] = [openDb(deps.pool), deps.clock.now()];
  const credentials = readCredentials(authorization, parameters);
  const client = await provenClient({ db, now }, credentials);
  const token = required(parameters, "token");
  const place = await placeOfRefresh(db, token);
  const given = { deps, request, client, credentials };
  if (place) return inVenue({ ...given, ...place }, (ctx) => revokeRefresh(ctx, { grantId: place.grantId, token, client }));
  const holder = await recogniseToken(db, token, now, null);
  if (holder?.installation_id)
    await inVenue({ ...given, restaurantId: holder.restaurant_id }, async (ctx) => revokeAccess(ctx, { token, client }));
};

type Venue = { deps: Deps; request: FastifyRequest; restaurantId: number; client: Client; credentials: Credentials };

/**
 * Each of these may revoke: a refresh ends the access token before it, and a code or refresh token that comes a second time ends
 * what it gave. A client secret that was rolled meanwhile is refused.
 */
const inVenue = <T>({ deps, request, restaurantId, client, credentials }: Venue, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  transaction(
    deps.pool,
    restaurantId,
    async ({ db, startedAt }) => {
      const proven = provenAgain({ db, now: deps.clock.now() }, client, credentials);
      const [row, moment] = await Promise.all([readRestaurant(db, restaurantId), startedAt, proven]);
      return work({
        tenant: tenantOf(row),
        actor: { kind: "app", id: client.id, name: client.name, scopes: [], caller: `app:${client.id}` },
        now: deps.clock.ofChange(moment),
        db,
        ...cameFrom(request),
        cursorKey: deps.cursorKey,
      });
    },
    [{ of: "venue", id: restaurantId, mode: "exclusive" }],
  );

/** RFC 8414: a client library finds everything from the service's address alone. */
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
