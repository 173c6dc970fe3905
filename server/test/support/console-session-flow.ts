/** A person's whole life at the console over HTTP, and every secret that is shown on the way. */
import { randomUUID } from "node:crypto";
import { CONSOLE_PREFIX } from "@comanda/contract/console/operation.ts";
import { ALL_SCOPES } from "@comanda/contract/scopes.ts";
import { codeAt, stepAt } from "#lib/totp.ts";
import type { ConsoleAnswer } from "./console-client.ts";
import type { FakeMailAndSms } from "./fake-smtp-and-sms.ts";
import { authorizeUrl, FORM, type IssuedPair, newPkce, REDIRECT } from "./marketplace.ts";
import { sendCall } from "./raw-http.ts";
import type { Secret } from "./secret-encodings.ts";

type FlowAnswer = Pick<ConsoleAnswer, "status" | "text" | "body">;

export type SessionFlow = {
  secrets: Secret[];
  /** The newest of each, for tests that continue from here. */
  cookie: string;
  /** The cookie of a paired screen. */
  screen: string;
  token: string;
  sandboxToken: string;
  webhookId: number;
};

export type FlowContext = { port: number; slug: string; email: string; mailAndSms: FakeMailAndSms; receiverUrl: string };

type FlowState = FlowContext & {
  secrets: Secret[];
  cookie: string;
  devices: string;
  see: (name: string, text: string, isShort?: boolean) => string;
};

/** As the console's page asks. The cookie of the answer, if there is one, is seen and kept. */
const ask = async (stage: FlowState, method: string, path: string, body?: unknown): Promise<FlowAnswer> => {
  const cookies = `__Host-comanda=${stage.cookie}; __Host-comanda-devices=${stage.devices}`;
  // A key, so that stored answers are among what is searched.
  const headers = { cookie: cookies, "sec-fetch-site": "same-origin", "content-type": "application/json", "idempotency-key": randomUUID() };
  const call = { port: stage.port, token: null, method, prefix: CONSOLE_PREFIX, path, headers, ...(body === undefined ? {} : { body }) };
  const answer = await sendCall(call);
  const cookie = /^__Host-comanda=([^;]+)/.exec(answer.headers.get("set-cookie") ?? "")?.[1];
  if (cookie !== undefined) stage.cookie = stage.see(`cookie of ${method} ${path}`, cookie);
  const devices = /__Host-comanda-devices=([^;]+)/.exec(answer.headers.get("set-cookie") ?? "")?.[1];
  if (devices !== undefined) stage.devices = devices;
  const [device] = devices?.split(".") ?? [];
  if (device !== undefined && !stage.secrets.some(({ text }) => text === device)) stage.see(`device of ${method} ${path}`, device);
  return answer as FlowAnswer;
};

const must = async (stage: FlowState, method: string, path: string, body?: unknown): Promise<FlowAnswer["body"]["data"]> => {
  const answer = await ask(stage, method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body.data;
};

const refused = async (stage: FlowState, method: string, path: string, body?: unknown): Promise<void> => {
  const { status, text } = await ask(stage, method, path, body);
  if (status < 400 || status >= 500) throw new Error(`${method} ${path} was not refused: ${status} ${text}`);
};

const WAIT_MS_MAX = 120_000;

export const until = async <T>(find: () => Promise<T | undefined> | T | undefined, what: string): Promise<T> => {
  for (const deadline = Date.now() + WAIT_MS_MAX; Date.now() < deadline; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const found = await find();
    if (found !== undefined) return found;
  }
  throw new Error(`No ${what} came in time`);
};

/** The secret in the newest mail; the box is emptied. */
const linkFromMail = async ({ mailAndSms, see }: FlowState, name: string): Promise<string> => {
  const inMail = ({ body }: { body: string }) => /\/link#(\w+)/.exec(body)?.[1];
  const secret = await until(() => inMail(mailAndSms.mails.findLast(inMail) ?? { body: "" }), name);
  mailAndSms.mails.length = 0;
  return see(name, secret);
};

/** Ids are multiples of 1024: a code that looks like one could be found where it does not stand. */
const enableSecondFactor = async (stage: FlowState, password: string): Promise<{ codeOf: (turn: number) => string }> => {
  for (;;) {
    const { secret } = await must(stage, "POST", "/second-factor", { password });
    const step = stepAt(new Date());
    const codes = [-1, 0, 1].map((turn) => codeAt(secret, step + turn));
    if (codes.some((code) => Number(code) % 1024 === 0)) continue;
    stage.see("second factor", secret);
    return { codeOf: (turn) => stage.see(`code ${turn}`, codes[turn] ?? "", true) };
  }
};

const signInWithEverything = async (stage: FlowState): Promise<void> => {
  const { email, see } = stage;
  const [first, second, third] = ["first", "second", "third"].map((name) => see(`${name} password`, `${name} horse & stäple`));
  const wrong = see("wrong password", "a password of another site");
  const invitation = await linkFromMail(stage, "invitation");
  await must(stage, "POST", "/links/read", { secret: invitation });
  await must(stage, "POST", "/links/use", { secret: invitation, password: first });
  await refused(stage, "POST", "/links/use", { secret: invitation, password: first });
  await refused(stage, "POST", "/session", { email, password: wrong });
  await refused(stage, "POST", "/session", { email: wrong, password: first });
  await refused(stage, "POST", "/session", { email, password: first, code: wrong });
  await must(stage, "POST", "/session", { email, password: first });
  const { codeOf } = await enableSecondFactor(stage, first ?? "");
  const { recovery_codes } = await must(stage, "PUT", "/second-factor", { code: codeOf(0) });
  for (const [index, code] of recovery_codes.entries()) see(`recovery code ${index}`, code);
  await refused(stage, "POST", "/session", { email, password: first });
  await must(stage, "POST", "/session", { email, password: first, code: codeOf(1) });
  await must(stage, "POST", "/session", { email, password: first, code: recovery_codes[0] });
  await must(stage, "POST", "/sign-in-link", { email });
  const signIn = await linkFromMail(stage, "sign-in link");
  await refused(stage, "POST", "/links/sign-in", { secret: signIn });
  await must(stage, "POST", "/links/sign-in", { secret: signIn, code: recovery_codes[1] });
  await must(stage, "POST", "/password-reset", { email });
  const reset = await linkFromMail(stage, "reset");
  await must(stage, "POST", "/links/read", { secret: reset });
  await must(stage, "POST", "/links/use", { secret: reset, password: second, code: codeOf(2) });
  await must(stage, "PUT", "/password", { current: second, password: third });
  await refused(stage, "PUT", "/password", { current: wrong, password: third });
};

const makeTokens = async (stage: FlowState, venue: string): Promise<Pick<SessionFlow, "token" | "sandboxToken">> => {
  const { see } = stage;
  const create = async (name: string) => must(stage, "POST", `${venue}/tokens`, { name, scopes: ALL_SCOPES });
  const [kept, ended] = [await create("kept"), await create("ended")];
  see("token", kept.token);
  see("revoked token", ended.token);
  await must(stage, "DELETE", `${venue}/tokens/${ended.id}`);
  const rolled = await must(stage, "POST", `${venue}/tokens/${kept.id}/roll`, { overlap: "1h" });
  see("rotated token", rolled.token);
  see("first sandbox token", (await must(stage, "POST", `${venue}/sandbox`)).token);
  const sandboxToken = see("sandbox token", (await must(stage, "POST", `${venue}/sandbox`)).token);
  await must(stage, "POST", `${venue}/sandbox/reset`);
  for (const token of [kept.token, ended.token, rolled.token, sandboxToken] as string[])
    for (const path of ["/menus", `/menus?access_token=${token}`, `/nothing/${encodeURIComponent(token)}`, "/items/1"])
      await sendCall({ port: stage.port, token, method: "GET", path, headers: { "x-forwarded-for": token } });
  return { token: rolled.token, sandboxToken };
};

const makeWebhook = async (stage: FlowState, venue: string): Promise<number> => {
  const wanted = { url: stage.receiverUrl, events: ["menu.item_updated", "order.created"], description: "till" };
  const { id, secret } = await must(stage, "POST", `${venue}/webhooks`, wanted);
  stage.see("signing secret", secret);
  stage.see("rotated signing secret", (await must(stage, "POST", `${venue}/webhooks/${id}/secret`)).secret);
  await must(stage, "POST", `${venue}/webhooks/check`, { url: "https://127.0.0.1/" });
  await must(stage, "PATCH", `${venue}/webhooks/${id}`, { description: "the till" });
  await must(stage, "POST", `${venue}/webhooks/${id}/ping`);
  return id;
};

/** An app is registered and authorized, and its tokens and client secret are renewed: a consent's name, codes, both tokens, both client secrets. */
const installApp = async (stage: FlowState, venue: string): Promise<void> => {
  const { see, port } = stage;
  const { id, client_id, client_secret } = await must(stage, "POST", "/apps", FORM);
  see("client secret", client_secret);
  const pkce = newPkce();
  see("code verifier", pkce.verifier);
  const root = `http://127.0.0.1:${port}`;
  const asked = await fetch(root + authorizeUrl({ id, client_id, client_secret }, pkce), { redirect: "manual" });
  const request = see("consent", (asked.headers.get("location") ?? "").split("/").at(-1) ?? "");
  await must(stage, "POST", "/consents/read", { request });
  const { redirect_to } = await must(stage, "POST", `${venue}/consents`, { request, scopes: ["menu:read"] });
  const code = see("code", new URL(redirect_to).searchParams.get("code") ?? "");
  const token = async (path: string, fields: Record<string, string>) =>
    (await (
      await fetch(root + path, { method: "POST", body: new URLSearchParams({ client_id, client_secret, ...fields }) })
    ).json()) as IssuedPair;
  const exchange = { grant_type: "authorization_code", code, redirect_uri: REDIRECT, code_verifier: pkce.verifier };
  await token("/oauth/token", { ...exchange, code_verifier: see("wrong verifier", "wrong".repeat(10)) });
  const first = await token("/oauth/token", exchange);
  const second = await token("/oauth/token", { grant_type: "refresh_token", refresh_token: first.refresh_token });
  for (const [name, pair] of Object.entries({ first, second })) {
    see(`${name} access token`, pair.access_token);
    see(`${name} refresh token`, pair.refresh_token);
    await sendCall({ port, token: pair.access_token, method: "GET", path: "/menus" });
    await token("/oauth/token", { grant_type: "refresh_token", refresh_token: pair.refresh_token, client_secret: "svc_cs_wrong" });
  }
  await token("/oauth/revoke", { token: second.access_token });
  see("rolled client secret", (await must(stage, "POST", `/apps/${id}/secret`, { overlap: "1h" })).client_secret);
};

/** A device shows a code, and is paired: the secret of its cookie. */
const pairDevice = async (stage: FlowState, venue: string): Promise<string> => {
  const headers = { "sec-fetch-site": "same-origin", "content-type": "application/json" };
  const begun = await sendCall({
    port: stage.port,
    token: null,
    method: "POST",
    prefix: CONSOLE_PREFIX,
    path: "/screen/pairing",
    headers,
    body: {},
  });
  const [, secret = ""] = /__Host-comanda-screen=([^;]+)/.exec(begun.headers.get("set-cookie") ?? "") ?? [];
  const { code } = (begun.body as FlowAnswer["body"]).data;
  const settings = { purpose: "kitchen", name: "Kitchen", branch_id: null, stations: [], language: "en", has_sound: true };
  await must(stage, "POST", `${venue}/screens`, { code, ...settings });
  return stage.see("secret of a screen", secret);
};

/** Goes from the invitation's mail to a ping that was delivered. */
export const runSessionFlow = async (scene: FlowContext): Promise<SessionFlow> => {
  const secrets: Secret[] = [];
  const see = (name: string, text: string, isShort = false): string => {
    secrets.push({ name, text, isShort });
    return text;
  };
  const stage: FlowState = { ...scene, secrets, cookie: "none", devices: "none", see };
  const venue = `/venues/${scene.slug}`;
  await signInWithEverything(stage);
  const tokens = await makeTokens(stage, venue);
  const webhookId = await makeWebhook(stage, venue);
  await installApp(stage, venue);
  const screen = await pairDevice(stage, venue);
  return { secrets, cookie: stage.cookie, screen, ...tokens, webhookId };
};
