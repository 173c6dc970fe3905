/** An app of the marketplace and an owner who authorizes it, over HTTP, as an app's server and a browser would. */
import { createHash, randomBytes } from "node:crypto";
import type { AppForm } from "@comanda/contract/console/apps.ts";
import { ALL_SCOPES } from "@comanda/contract/scopes.ts";
import { expect } from "vitest";
import { withoutVenue } from "../../src/admin/command-context.ts";
import type { Deps } from "../../src/deps.ts";
import { type RegisteredClient, registerApp } from "../../src/platform/programs/apps/service.ts";
import type { TestUser } from "./console-client.ts";
import type { TestApp } from "./test-app.ts";

export const REDIRECT = "https://app.example/back";

export const FORM: AppForm = {
  name: "Table Talk",
  developer: "Talk Ltd",
  summary: "Answers the telephone and books tables.",
  site: "https://app.example",
  install_url: "https://app.example/install",
  logo: null,
  redirect_uris: [REDIRECT],
  scopes: ALL_SCOPES,
};

export const newApp = (deps: Deps, changes: Partial<AppForm> = {}): Promise<RegisteredClient> =>
  withoutVenue(deps, (ctx) => registerApp(ctx, null, { ...FORM, ...changes }));

export type TestPkce = { verifier: string; challenge: string };
export const newPkce = (): TestPkce => {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
};

/** A change of `undefined` leaves the parameter out. */
export type Changes = Record<string, string | undefined>;

const paired = (values: Changes): [string, string][] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));

export const authorizeUrl = (app: RegisteredClient, pkce: TestPkce, changes: Changes = {}): string =>
  `/oauth/authorize?${new URLSearchParams(
    paired({
      response_type: "code",
      client_id: app.client_id,
      redirect_uri: REDIRECT,
      scope: "menu:read orders:read",
      state: "a state",
      code_challenge: pkce.challenge,
      code_challenge_method: "S256",
      ...changes,
    }),
  )}`;

/** The name of the consent request that a good authorization request leads to. */
export const askConsent = async ({ app: { http } }: TestApp, url: string): Promise<string> => {
  const answer = await http.inject({ method: "GET", url });
  expect(answer.statusCode, answer.payload).toBe(302);
  const [, request = ""] = /^\/console\/consent\/(\w+)$/.exec(String(answer.headers.location)) ?? [];
  expect(request, String(answer.headers.location)).not.toBe("");
  return request;
};

export type ConsentingOwner = { owner: TestUser; slug: string };

/** The address that the owner's browser is sent to. */
export const allow = async ({ owner, slug }: ConsentingOwner, request: string, scopes: string[]): Promise<URL> => {
  const answer = await owner.act("POST", `/venues/${slug}/consents`, { body: { request, scopes } });
  expect(answer.status, answer.text).toBe(200);
  return new URL(answer.body.data.redirect_to);
};

export type Granted = { code: string; pkce: TestPkce; redirect: URL };

export const grant = async (
  app: TestApp,
  approver: ConsentingOwner,
  client: RegisteredClient,
  scopes = ["menu:read", "orders:read"],
): Promise<Granted> => {
  const pkce = newPkce();
  const request = await askConsent(app, authorizeUrl(client, pkce, { scope: scopes.join(" ") }));
  const redirect = await allow(approver, request, scopes);
  return { code: redirect.searchParams.get("code") ?? "", pkce, redirect };
};

export type TokenAnswer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies freely.
  body: any;
};

export const post = async (
  { app: { http } }: TestApp,
  path: string,
  payload: string | Buffer | undefined,
  headers: Record<string, string | string[]> = {},
): Promise<TokenAnswer> => {
  const answer = await http.inject({ method: "POST", url: path, headers, ...(payload === undefined ? {} : { payload }) });
  return {
    status: answer.statusCode,
    headers: answer.headers as TokenAnswer["headers"],
    text: answer.payload,
    body: JSON.parse(answer.payload),
  };
};

export const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };

/** Everything in the body, form-encoded. */
export const postForm = (app: TestApp, path: string, values: Changes, headers: Record<string, string> = {}): Promise<TokenAnswer> =>
  post(app, path, new URLSearchParams(paired(values)).toString(), { ...FORM_TYPE, ...headers });

export const credentialsOf = ({ client_id, client_secret }: RegisteredClient) => ({ client_id, client_secret });

export const exchangeForm = (client: RegisteredClient, granted: Granted): Changes => ({
  grant_type: "authorization_code",
  code: granted.code,
  redirect_uri: REDIRECT,
  code_verifier: granted.pkce.verifier,
  ...credentialsOf(client),
});

export const refreshForm = (client: RegisteredClient, token: string): Changes => ({
  grant_type: "refresh_token",
  refresh_token: token,
  ...credentialsOf(client),
});

export type IssuedPair = { access_token: string; refresh_token: string; scope: string };

export const install = async (
  app: TestApp,
  approver: ConsentingOwner,
  client: RegisteredClient,
  scopes?: string[],
): Promise<IssuedPair> => {
  const answer = await postForm(app, "/oauth/token", exchangeForm(client, await grant(app, approver, client, scopes)));
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

export const refreshed = async (app: TestApp, client: RegisteredClient, token: string): Promise<TokenAnswer> =>
  postForm(app, "/oauth/token", refreshForm(client, token));
