/** OAuth for apps that venues install: authorization URL, code exchange, and a token that renews itself. */
import type { TokenContext as AskedForToken } from "./transport.ts";
import type { TokenResponse } from "./types.generated.ts";

export type AppCredentials = { rootUrl: string; clientId: string; clientSecret: string; fetch?: typeof fetch };

/** Keep it where your other secrets are. `expiresAt` is in milliseconds since 1970. */
export type TokenPair = { accessToken: string; refreshToken: string; expiresAt: number; scope: string };

/** An error of the token endpoint (RFC 6749 §5.2). After `invalid_grant` the owner must authorize the app again. */
export class OAuthError extends Error {
  override readonly name = "OAuthError";
  readonly code: string;
  readonly status: number;

  constructor(status: number, body: { error?: string; error_description?: string; message?: string }) {
    super(body.error_description ?? body.message ?? `The token endpoint answered ${status}.`);
    this.status = status;
    this.code = body.error ?? `http_${status}`;
  }
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

export type AuthorizationRequest = { url: string; state: string; codeVerifier: string };

/** Send the owner to `url`; keep `state` and `codeVerifier` for when they come back. */
export const askOwner = async (
  app: Omit<AppCredentials, "clientSecret">,
  redirectUri: string,
  scopes?: readonly string[],
): Promise<AuthorizationRequest> => {
  const [state, codeVerifier] = [randomText(), randomText()];
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(codeVerifier));
  const query = new URLSearchParams({
    response_type: "code",
    client_id: app.clientId,
    redirect_uri: redirectUri,
    ...(scopes ? { scope: scopes.join(" ") } : {}),
    state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: "S256",
  });
  return { url: `${app.rootUrl}/oauth/authorize?${query}`, state, codeVerifier };
};

const EARLY_RENEWAL_MS = 60_000;

const postForm = async (app: AppCredentials, path: string, fields: Record<string, string>): Promise<unknown> => {
  const send = app.fetch ?? globalThis.fetch.bind(globalThis);
  const body = new URLSearchParams({ ...fields, client_id: app.clientId, client_secret: app.clientSecret });
  const response = await send(`${app.rootUrl}${path}`, { method: "POST", body });
  const answer: unknown = await response.json().catch(() => ({}));
  if (!response.ok) throw new OAuthError(response.status, answer as object);
  return answer;
};

const pairOf = (answer: unknown): TokenPair => {
  const { access_token, refresh_token, expires_in, scope } = answer as TokenResponse;
  return { accessToken: access_token, refreshToken: refresh_token, expiresAt: Date.now() + expires_in * 1000, scope };
};

/** Exchanges the code from the redirect. Compare its `state` with yours first. */
export const exchangeCode = async (
  app: AppCredentials,
  given: { code: string; redirectUri: string; codeVerifier: string },
): Promise<TokenPair> =>
  pairOf(
    await postForm(app, "/oauth/token", {
      grant_type: "authorization_code",
      code: given.code,
      redirect_uri: given.redirectUri,
      code_verifier: given.codeVerifier,
    }),
  );

export const revokeToken = async (app: AppCredentials, token: string): Promise<void> =>
  void (await postForm(app, "/oauth/revoke", { token }));

/**
 * A token for `createClient` that renews itself a minute before it expires, and after a 401. Concurrent calls share one refresh. The new
 * pair is saved before it is used, because the refresh invalidates the old pair. If saving fails, the next call saves the same pair again.
 */
export const renewingToken = (app: AppCredentials, pair: TokenPair, save: (pair: TokenPair) => void | Promise<void>) => {
  let current = pair;
  let running: Promise<TokenPair> | null = null;
  let unsaved: TokenPair | null = null;
  const renew = async (): Promise<TokenPair> => {
    unsaved ??= pairOf(await postForm(app, "/oauth/token", { grant_type: "refresh_token", refresh_token: current.refreshToken }));
    await save(unsaved);
    [current, unsaved] = [unsaved, null];
    return current;
  };
  return async ({ isRejected, rejected = current.accessToken }: AskedForToken): Promise<string> => {
    // The rejected token is not the current one: it was renewed meanwhile. Another refresh would invalidate the current pair.
    const isOver = isRejected && rejected === current.accessToken;
    if (!isOver && current.expiresAt - Date.now() > EARLY_RENEWAL_MS) return current.accessToken;
    running ??= renew().finally(() => {
      running = null;
    });
    return (await running).accessToken;
  };
};
