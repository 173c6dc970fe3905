/** A marketplace app: authorization request, consent through the target's browser command, exchange. Each caller has its own address. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { createInterface } from "node:readline";
import { expect } from "vitest";
import { type OAuthTarget, target } from "../target.ts";

export const oauth = target.oauth as OAuthTarget;
export const [client, other] = [oauth?.client, oauth?.other_client];

/** A change of undefined leaves the parameter out. */
export type FormFields = Readonly<Record<string, string | undefined>>;

const pairs = (fields: FormFields): [string, string][] =>
  Object.entries(fields).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]));

// --- The browser ---

type AccountName = keyof OAuthTarget["people"];
type Wish = { allow: readonly string[] | null; person?: AccountName; authorize_url: string } | { uninstall: string; person?: AccountName };
export type Decision = { redirect_to?: string; refused?: string; done?: boolean };

let browser: ChildProcess | null = null;
const waiting: ((answer: Decision) => void)[] = [];

const openBrowser = (): ChildProcess => {
  const [command = "", ...parameters] = oauth.browser;
  const opened = spawn(command, parameters, { stdio: ["pipe", "pipe", "inherit"] });
  if (opened.stdout) createInterface({ input: opened.stdout }).on("line", (line) => waiting.shift()?.(JSON.parse(line) as Decision));
  process.once("exit", () => opened.kill());
  return opened;
};

export const decide = (wish: Wish): Promise<Decision> => {
  browser ??= openBrowser();
  const { person = "owner", ...rest } = wish;
  const line = { root_url: target.root_url, person: oauth.people[person], venue: oauth.venue, ...rest };
  return new Promise((resolve) => {
    waiting.push(resolve);
    browser?.stdin?.write(`${JSON.stringify(line)}\n`);
  });
};

export const closeBrowser = (): void => {
  browser?.stdin?.end();
  browser = null;
};

// --- The app ---

export type OAuthAnswer = { status: number; headers: NodeJS.Dict<string | string[]>; text: string; body: Record<string, unknown> };
export type OAuthRequest = { fields?: FormFields; json?: unknown; headers?: Record<string, string>; from?: string; method?: string };

const isLocal = new URL(target.root_url).hostname === "127.0.0.1";
let address = 1;
/** The endpoints count by address; on a server of this machine every call can use another one. */
const nextAddress = (): string => `127.0.${1 + ((address / 250) | 0)}.${1 + (address++ % 250)}`;

export const send = (path: string, { fields, json, headers = {}, from, method = "POST" }: OAuthRequest): Promise<OAuthAnswer> =>
  new Promise((resolve, reject) => {
    const body = json === undefined ? new URLSearchParams(pairs(fields ?? {})).toString() : JSON.stringify(json);
    const type = json === undefined ? "application/x-www-form-urlencoded" : "application/json";
    const url = `${target.root_url}${path}`;
    const sent = (url.startsWith("https:") ? requestHttps : requestHttp)(url, {
      method,
      agent: false,
      headers: method === "POST" ? { "content-type": type, ...headers } : headers,
      ...(isLocal ? { localAddress: from ?? nextAddress() } : {}),
    });
    sent.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parsed(text) }));
    });
    sent.on("error", reject);
    sent.end(method === "POST" ? body : undefined);
  });

const parsed = (text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
};

export const canShowAddresses = isLocal;

export type Pkce = { verifier: string; challenge: string };
export const newPkce = (): Pkce => {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
};

export const authorizePath = (pkce: Pkce, changes: FormFields = {}): string =>
  `/oauth/authorize?${new URLSearchParams(
    pairs({
      response_type: "code",
      client_id: client.client_id,
      redirect_uri: client.redirect_uri,
      scope: "menu:read orders:read",
      state: "state of the test",
      code_challenge: pkce.challenge,
      code_challenge_method: "S256",
      ...changes,
    }),
  )}`;

export type Grant = { code: string; pkce: Pkce; redirect: URL };

export const allowed = async (scopes: readonly string[] = ["menu:read", "orders:read"], asked = scopes): Promise<Grant> => {
  const pkce = newPkce();
  const authorize_url = `${target.root_url}${authorizePath(pkce, { scope: asked.join(" ") })}`;
  const { redirect_to = "" } = await decide({ allow: scopes, authorize_url });
  const redirect = new URL(redirect_to);
  return { code: redirect.searchParams.get("code") ?? "", pkce, redirect };
};

export const credentials = ({ client_id, client_secret }: OAuthTarget["client"]): FormFields => ({ client_id, client_secret });

export const exchangeFields = ({ code, pkce }: Grant, changes: FormFields = {}): FormFields => ({
  grant_type: "authorization_code",
  code,
  redirect_uri: client.redirect_uri,
  code_verifier: pkce.verifier,
  ...credentials(client),
  ...changes,
});

export type Pair = { access_token: string; refresh_token: string; scope: string };

export const tokens = async (scopes?: readonly string[]): Promise<Pair> => {
  const answer = await send("/oauth/token", { fields: exchangeFields(await allowed(scopes)) });
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Pair;
};

export const refresh = (token: string, changes: FormFields = {}): Promise<OAuthAnswer> =>
  send("/oauth/token", { fields: { grant_type: "refresh_token", refresh_token: token, ...credentials(client), ...changes } });

export const revoke = (token: string, changes: FormFields = {}): Promise<OAuthAnswer> =>
  send("/oauth/revoke", { fields: { token, ...credentials(client), ...changes } });

/** R7.2-01, R4.6-04: every error has this shape, and no answer may be cached. */
export const expectError = ({ status, body, text, headers }: OAuthAnswer, error: string): void => {
  expect([status, body.error], text).toEqual([error === "invalid_client" ? 401 : 400, error]);
  expect(Object.keys(body).sort()).toEqual(["error", "error_description"]);
  expect(typeof body.error_description).toBe("string");
  expect(headers["cache-control"]).toContain("no-store");
};
