/** OAuth for apps that venues install: authorization URL, code exchange, and a token that renews itself. */
import { sleep } from "./retries.ts";
import { checkRootUrl } from "./root-url.ts";
import type { TokenContext } from "./transport.ts";
import type { OAuthErrorCode, TokenResponse } from "./types.generated.ts";

export type AppCredentials = { rootUrl: string; clientId: string; clientSecret: string; fetch?: typeof fetch };

/** Keep it where your other secrets are. `expiresAt` is in milliseconds since 1970. */
export type TokenPair = { accessToken: string; refreshToken: string; expiresAt: number; scope: string };

/** An error of the token endpoint (RFC 6749 §5.2). After `invalid_grant` the owner must authorize the app again. */
export class OAuthError extends Error {
  override readonly name = "OAuthError";
  readonly code: OAuthErrorCode | `http_${number}`;
  readonly status: number;

  constructor(status: number, body: { error?: OAuthErrorCode; error_description?: string; message?: string }) {
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
  checkRootUrl(app.rootUrl);
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
  checkRootUrl(app.rootUrl);
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

/** The store in which an app keeps the pair of one venue. Several processes may share it. */
export type TokenStore = {
  /** The pair that was saved last. */
  load(): TokenPair | Promise<TokenPair>;
  save(pair: TokenPair): void | Promise<void>;
};

/** Another process that has won may still be saving: about four seconds in all. */
const REREAD_WAITS_MS = [0, 50, 200, 750, 3000];

const isLostRace = (error: unknown): boolean => error instanceof OAuthError && error.code === "invalid_grant";

/**
 * A token for `createClient` that renews itself a minute before it expires, and after a 401. Concurrent calls share one refresh. The new
 * pair is saved before it is used, because the refresh invalidates the old pair. If saving fails, the next call saves the same pair again.
 * Processes that share the store may refresh at the same moment: the service accepts one, and the others read that one's pair.
 */
export const renewingToken = (app: AppCredentials, store: TokenStore) => {
  let current: TokenPair | null = null;
  let running: Promise<TokenPair> | null = null;
  let unsaved: TokenPair | null = null;

  const isUsable = (pair: TokenPair, { isRejected, rejected = current?.accessToken ?? pair.accessToken }: TokenContext): boolean =>
    !(isRejected && rejected === pair.accessToken) && pair.expiresAt - Date.now() > EARLY_RENEWAL_MS;

  const refresh = async ({ refreshToken }: TokenPair): Promise<TokenPair> => {
    try {
      unsaved = pairOf(await postForm(app, "/oauth/token", { grant_type: "refresh_token", refresh_token: refreshToken }));
      return await saved(unsaved);
    } catch (error) {
      if (!isLostRace(error)) throw error;
      for (const ms of REREAD_WAITS_MS) {
        await sleep(ms, undefined);
        const winner = await store.load();
        if (winner.refreshToken !== refreshToken) return winner;
      }
      throw error;
    }
  };
  const saved = async (pair: TokenPair): Promise<TokenPair> => {
    await store.save(pair);
    unsaved = null;
    return pair;
  };
  const renew = async (asked: TokenContext): Promise<TokenPair> => {
    if (unsaved) return saved(unsaved);
    const stored = await store.load();
    return isUsable(stored, asked) ? stored : refresh(stored);
  };

  return async (asked: TokenContext): Promise<string> => {
    // A rejected token that is not the current one was renewed meanwhile. Another refresh would invalidate the current pair.
    if (current && isUsable(current, asked)) return current.accessToken;
    running ??= renew(asked).finally(() => {
      running = null;
    });
    current = await running;
    return current.accessToken;
  };
};
