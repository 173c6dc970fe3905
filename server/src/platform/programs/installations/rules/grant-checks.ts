/** The rules that a code or a refresh token must meet before it gives tokens, one function each. All are pure. */
import type { Scope } from "@comanda/contract/scopes.ts";
import { isHashOf } from "#lib/token-format.ts";
import { isLateRetry } from "./grant-secrets.ts";

export type GrantRow = {
  id: number;
  installation_id: number;
  app_id: number;
  scopes: Scope[];
  redirect_uri: string;
  code_challenge: string;
  code_hash: Buffer;
  code_expires_at: Date;
  code_used_at: Date | null;
  token_id: number | null;
  refresh_hash: Buffer | null;
  refresh_expires_at: Date | null;
  generation: number;
  recent_rotations: Date[];
  ended_at: Date | null;
};

/** `description` is null for a secret that never existed. `endsGrant`: the secret may be stolen, so what the grant gave is revoked. */
export type GrantFault = { description: string | null; endsGrant: boolean };

const fault = (description: string | null): GrantFault => ({ description, endsGrant: false });

const NO_SCOPE_LEFT = "The owner has taken back all that was granted with it.";

export type CodeUse = { redirectUri: string; isVerified(challenge: string): boolean; now: Date };
type CodeCheck = (grant: GrantRow, presented: CodeUse) => GrantFault | null;

/** RFC 6749 §4.1.3: redirect_uri is the one of the authorization request. */
const requireSameRedirectUri: CodeCheck = (grant, { redirectUri }) =>
  grant.redirect_uri === redirectUri ? null : fault("redirect_uri is not the one of the authorization request (RFC 6749 §4.1.3).");

/** RFC 7636 §4.6: the verifier hashes to the challenge. */
const requirePkceVerifier: CodeCheck = (grant, { isVerified }) =>
  isVerified(grant.code_challenge) ? null : fault("code_verifier does not match the code_challenge (RFC 7636 §4.6).");

/** RFC 6749 §4.1.2: a code is used once. A second use ends the tokens of the first. */
const requireUnusedCode: CodeCheck = (grant) =>
  grant.code_used_at === null
    ? null
    : { description: "The code was used before, so the tokens it gave are ended (RFC 6749 §4.1.2). Ask the owner again.", endsGrant: true };

/** Contract §5.2: uninstalling the app ends its grants. */
const requireInstalledApp: CodeCheck = (grant) => (grant.ended_at === null ? null : fault("The app was uninstalled."));

/** RFC 6749 §4.1.2: a code is short-lived. */
const requireUnexpiredCode: CodeCheck = (grant, { now }) => (grant.code_expires_at > now ? null : fault("The code is expired."));

const requireScopeLeft = (grant: GrantRow): GrantFault | null => (grant.scopes.length > 0 ? null : fault(NO_SCOPE_LEFT));

/**
 * The checks are in the order in which they apply. The use is checked after redirect_uri and verifier, so a request with a wrong one ends
 * nothing.
 */
export const CODE_CHECKS: readonly CodeCheck[] = [
  requireSameRedirectUri,
  requirePkceVerifier,
  requireUnusedCode,
  requireInstalledApp,
  requireUnexpiredCode,
  requireScopeLeft,
];

export type RefreshTokenUse = { token: string; generation: number; now: Date };
type RefreshCheck = (grant: GrantRow, presented: RefreshTokenUse) => GrantFault | null;

/** RFC 7009 §2.1: revoking or uninstalling ends the grant and its refresh token. */
const requireActiveGrant: RefreshCheck = (grant) =>
  grant.ended_at === null && grant.token_id !== null ? null : fault("The grant has ended.");

/**
 * RFC 9700 §4.14.2: a replaced refresh token is not accepted again. Within the leeway it is a late retry of the app; after it the
 * token may be stolen, so the grant ends.
 */
const requireCurrentRefreshToken: RefreshCheck = (grant, { token, generation, now }) => {
  if (isHashOf(token, grant.refresh_hash)) return null;
  if (generation >= grant.generation) return fault(null);
  if (isLateRetry({ generation: grant.generation, recent: grant.recent_rotations }, generation, now))
    return fault("The refresh token was replaced a moment ago: send the new one, which came with the access token (RFC 9700 §4.14.2).");
  return {
    description: "The refresh token was used before, so everything it led to is ended (RFC 9700 §4.14.2). Ask the owner again.",
    endsGrant: true,
  };
};

/** RFC 9700 §4.14.2: an unused refresh token expires. */
const requireUnexpiredRefreshToken: RefreshCheck = (grant, { now }) =>
  grant.refresh_expires_at !== null && grant.refresh_expires_at > now ? null : fault("The refresh token is expired.");

/** The checks are in the order in which they apply. */
export const REFRESH_CHECKS: readonly RefreshCheck[] = [
  requireActiveGrant,
  requireCurrentRefreshToken,
  requireUnexpiredRefreshToken,
  requireScopeLeft,
];
