/**
 * What the OAuth endpoints must refuse, one row each: the section that says so, what is wrong with an otherwise right request,
 * and the answer. A row changes one thing, so the same request without the change must go through afterwards.
 */
import type { RegisteredClient } from "../../src/platform/programs/apps/service.ts";
import type { Changes } from "./marketplace.ts";

export type WrongRequest = {
  form?: Changes;
  raw?: string | Buffer;
  type?: string;
  headers?: Record<string, string | string[]>;
  path?: string;
};
/** What a row may build on: the client, another app's, and the words of the right request. */
export type CaseContext = { client: RegisteredClient; other: RegisteredClient; right: Changes };
export type OAuthCase = [section: string, wrong: string, change: (stuff: CaseContext) => WrongRequest, error: string];

export const basic = (id: string, secret: string): string => `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
const json = (value: unknown): WrongRequest => ({ raw: JSON.stringify(value), type: "application/json" });
const form = (change: Changes) => (): WrongRequest => ({ form: change });
const twice =
  (name: string) =>
  ({ right }: CaseContext): WrongRequest => ({
    raw: `${encode(right)}&${encode({ [name]: right[name] ?? "x" })}`,
  });
const encode = (values: Changes): string =>
  new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]])),
  ).toString();
const without = (right: Changes, ...names: string[]): Changes =>
  Object.fromEntries(Object.entries(right).filter(([name]) => !names.includes(name)));
const bare = { client_id: undefined, client_secret: undefined };

/** RFC 6749 §2.3.1 and §5.2: who asks. The same rows hold for the token and the revocation endpoint. */
export const CLIENT_ROWS: OAuthCase[] = [
  ["RFC 6749 §2.3.1", "no credentials at all", form(bare), "invalid_client"],
  ["RFC 6749 §2.3.1", "client id alone", form({ client_secret: undefined }), "invalid_client"],
  ["RFC 6749 §2.3.1", "client secret alone", form({ client_id: undefined }), "invalid_client"],
  ["RFC 6749 §2.3.1", "empty secret", form({ client_secret: "" }), "invalid_client"],
  ["RFC 6749 §2.3.1", "wrong secret", ({ other }) => ({ form: { client_secret: other.client_secret } }), "invalid_client"],
  [
    "RFC 6749 §2.3.1",
    "secret with another last letter",
    ({ client }) => ({ form: { client_secret: flip(client.client_secret) } }),
    "invalid_client",
  ],
  [
    "RFC 6749 §2.3.1",
    "secret cut short",
    ({ client }) => ({ form: { client_secret: client.client_secret.slice(0, -1) } }),
    "invalid_client",
  ],
  [
    "RFC 6749 §2.3.1",
    "secret with a space behind",
    ({ client }) => ({ form: { client_secret: `${client.client_secret} ` } }),
    "invalid_client",
  ],
  ["RFC 6749 §2.3.1", "unknown client", form({ client_id: `svc_app_${"A".repeat(24)}` }), "invalid_client"],
  ["RFC 6749 §2.3.1", "client id in capitals", ({ client }) => ({ form: { client_id: client.client_id.toUpperCase() } }), "invalid_client"],
  ["RFC 6749 §2.3.1", "client id with U+0000", ({ client }) => ({ form: { client_id: `${client.client_id}\0` } }), "invalid_client"],
  ["RFC 6749 §2.3.1", "another app's id with our secret", ({ other }) => ({ form: { client_id: other.client_id } }), "invalid_client"],
  [
    "RFC 6749 §2.3.1",
    "credentials in the address",
    ({ right, client }) => ({
      form: bare,
      path: `?${encode({ ...without(right), client_id: client.client_id, client_secret: client.client_secret })}`,
    }),
    "invalid_client",
  ],
  [
    "RFC 6749 §2.3",
    "Basic and a secret in the body",
    ({ client }) => ({ headers: { authorization: basic(client.client_id, client.client_secret) } }),
    "invalid_request",
  ],
  [
    "RFC 6749 §2.3",
    "Basic and another client id in the body",
    ({ client, other }) => ({
      form: { client_id: other.client_id, client_secret: undefined },
      headers: { authorization: basic(client.client_id, client.client_secret) },
    }),
    "invalid_request",
  ],
  [
    "RFC 6749 §2.3",
    "wrong Basic and a right secret in the body",
    ({ client }) => ({ headers: { authorization: basic(client.client_id, "x") } }),
    "invalid_request",
  ],
  [
    "RFC 7617 §2",
    "Basic with the wrong secret",
    ({ client }) => ({ form: bare, headers: { authorization: basic(client.client_id, "svc_cs_x") } }),
    "invalid_client",
  ],
  [
    "RFC 7617 §2",
    "Basic with no colon",
    ({ client }) => ({
      form: bare,
      headers: { authorization: `Basic ${Buffer.from(client.client_id).toString("base64")}` },
    }),
    "invalid_client",
  ],
  [
    "RFC 7617 §2",
    "Basic with an empty secret",
    ({ client }) => ({ form: bare, headers: { authorization: basic(client.client_id, "") } }),
    "invalid_client",
  ],
  [
    "RFC 7617 §2",
    "Basic with an empty id",
    ({ client }) => ({ form: bare, headers: { authorization: basic("", client.client_secret) } }),
    "invalid_client",
  ],
  ["RFC 7617 §2", "Basic that is not base64", () => ({ form: bare, headers: { authorization: "Basic ***" } }), "invalid_client"],
  ["RFC 7617 §2", "Basic with nothing", () => ({ form: bare, headers: { authorization: "Basic" } }), "invalid_client"],
  [
    "RFC 7617 §2",
    "Basic with two words",
    ({ client }) => ({
      form: bare,
      headers: { authorization: `${basic(client.client_id, client.client_secret)} more` },
    }),
    "invalid_client",
  ],
  [
    "RFC 6749 §2.3.1",
    "Basic with a broken % in it",
    ({ client }) => ({
      form: bare,
      headers: { authorization: basic(`${client.client_id}%`, client.client_secret) },
    }),
    "invalid_client",
  ],
  [
    "RFC 6749 §5.2",
    "a bearer token instead of Basic",
    ({ client }) => ({ form: bare, headers: { authorization: `Bearer ${client.client_secret}` } }),
    "invalid_client",
  ],
  ["RFC 6749 §2.3.1", "credentials as JSON numbers", ({ right }) => json({ ...right, client_id: 1, client_secret: 2 }), "invalid_request"],
];

const flip = (text: string): string => text.slice(0, -1) + (text.endsWith("A") ? "B" : "A");

/** RFC 6749 §3.2 and §4.1.3: how it is asked. */
export const BODY_ROWS: OAuthCase[] = [
  ["RFC 6749 §3.2", "repeated grant_type", twice("grant_type"), "invalid_request"],
  ["RFC 6749 §3.2", "repeated client_id", twice("client_id"), "invalid_request"],
  ["RFC 6749 §3.2", "repeated client_secret", twice("client_secret"), "invalid_request"],
  ["RFC 6749 §3.2", "an unknown parameter, twice", ({ right }) => ({ raw: `${encode(right)}&x=1&x=2` }), "invalid_request"],
  ["RFC 6749 §4.1.3", "grant_type missing", form({ grant_type: undefined }), "invalid_request"],
  ["RFC 6749 §3.2", "grant_type empty", form({ grant_type: "" }), "invalid_request"],
  ["RFC 6749 §5.2", "grant_type password", form({ grant_type: "password" }), "unsupported_grant_type"],
  ["RFC 6749 §5.2", "grant_type client_credentials", form({ grant_type: "client_credentials" }), "unsupported_grant_type"],
  ["RFC 6749 §5.2", "grant_type implicit", form({ grant_type: "implicit" }), "unsupported_grant_type"],
  [
    "RFC 8628 §3.4",
    "grant_type device_code",
    form({ grant_type: "urn:ietf:params:oauth:grant-type:device_code" }),
    "unsupported_grant_type",
  ],
  ["RFC 7523 §2.1", "grant_type jwt-bearer", form({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer" }), "unsupported_grant_type"],
  [
    "RFC 6749 §5.2",
    "grant_type in capitals",
    ({ right }) => ({ form: { grant_type: String(right.grant_type).toUpperCase() } }),
    "unsupported_grant_type",
  ],
  ["RFC 6749 §5.2", "grant_type with a space", ({ right }) => ({ form: { grant_type: `${right.grant_type} ` } }), "unsupported_grant_type"],
  ["RFC 6749 §3.2", "a body of plain text", ({ right }) => ({ raw: encode(right), type: "text/plain" }), "invalid_request"],
  [
    "RFC 6749 §3.2",
    "a body of multipart",
    ({ right }) => ({ raw: encode(right), type: "multipart/form-data; boundary=x" }),
    "invalid_request",
  ],
  ["RFC 6749 §3.2", "a body of XML", () => ({ raw: "<a/>", type: "application/xml" }), "invalid_request"],
  ["RFC 6749 §3.2", "a content type that is none", ({ right }) => ({ raw: encode(right), type: "nonsense" }), "invalid_request"],
  ["RFC 6749 §3.2", "no content type", ({ right }) => ({ raw: encode(right), type: "" }), "invalid_request"],
  ["RFC 6749 §3.2", "a form with the type of JSON", ({ right }) => ({ raw: encode(right), type: "application/json" }), "invalid_request"],
  ["RFC 6749 §3.2", "JSON that is a list", ({ right }) => json([right]), "invalid_request"],
  ["RFC 6749 §3.2", "JSON that is a string", () => json("x"), "invalid_request"],
  ["RFC 6749 §3.2", "JSON that is null", () => json(null), "invalid_request"],
  [
    "RFC 6749 §3.2",
    "JSON cut short",
    ({ right }) => ({ raw: JSON.stringify(right).slice(0, -1), type: "application/json" }),
    "invalid_request",
  ],
  ["RFC 6749 §3.2", "JSON with grant_type in a list", ({ right }) => json({ ...right, grant_type: [right.grant_type] }), "invalid_request"],
  ["RFC 6749 §3.2", "JSON with grant_type null", ({ right }) => json({ ...right, grant_type: null }), "invalid_request"],
  [
    "RFC 6749 §3.2",
    "JSON too deep",
    () => ({ raw: `${"[".repeat(5000)}${"]".repeat(5000)}`, type: "application/json" }),
    "invalid_request",
  ],
  ["RFC 6749 §3.2", "a body of 100 kB", ({ right }) => ({ form: { ...right, x: "x".repeat(100_000) } }), "invalid_request"],
  [
    "RFC 6749 §3.2",
    "bytes that are no UTF-8",
    ({ right }) => ({ raw: Buffer.from(`${encode(right)}&x=\u00ff`, "latin1") }),
    "invalid_request",
  ],
];

export const EXCHANGE_ROWS: OAuthCase[] = [
  ["RFC 6749 §4.1.3", "code missing", form({ code: undefined }), "invalid_request"],
  ["RFC 6749 §3.2", "code empty", form({ code: "" }), "invalid_request"],
  ["RFC 6749 §3.2", "code repeated", twice("code"), "invalid_request"],
  ["RFC 6749 §4.1.3", "redirect_uri missing", form({ redirect_uri: undefined }), "invalid_request"],
  ["RFC 6749 §3.2", "redirect_uri repeated", twice("redirect_uri"), "invalid_request"],
  ["RFC 7636 §4.5", "code_verifier missing", form({ code_verifier: undefined }), "invalid_request"],
  ["RFC 7636 §4.5", "code_verifier empty", form({ code_verifier: "" }), "invalid_request"],
  ["RFC 7636 §4.5", "code_verifier repeated", twice("code_verifier"), "invalid_request"],
  ["RFC 7636 §4.6", "code_verifier of another request", form({ code_verifier: "v".repeat(43) }), "invalid_grant"],
  ["RFC 7636 §4.1", "code_verifier too short", form({ code_verifier: "short" }), "invalid_grant"],
  ["RFC 7636 §4.1", "code_verifier too long", form({ code_verifier: "v".repeat(129) }), "invalid_grant"],
  ["RFC 7636 §4.1", "code_verifier of other characters", form({ code_verifier: "ü".repeat(43) }), "invalid_grant"],
  ["RFC 7636 §4.1", "code_verifier with U+0000", ({ right }) => ({ form: { code_verifier: `${right.code_verifier}\0` } }), "invalid_grant"],
  [
    "RFC 7636 §4.6",
    "code_verifier with a letter more",
    ({ right }) => ({ form: { code_verifier: `${right.code_verifier}A` } }),
    "invalid_grant",
  ],
  [
    "RFC 7636 §4.6",
    "code_verifier with a letter less",
    ({ right }) => ({ form: { code_verifier: String(right.code_verifier).slice(1) } }),
    "invalid_grant",
  ],
  [
    "RFC 7636 §4.6",
    "code_verifier in other letters",
    ({ right }) => ({ form: { code_verifier: swapCase(String(right.code_verifier)) } }),
    "invalid_grant",
  ],
  ["RFC 7636 §7.2", "the challenge itself as verifier", ({ right }) => ({ form: { code_verifier: right.challenge } }), "invalid_grant"],
  ["RFC 6749 §4.1.3", "another redirect_uri", form({ redirect_uri: "https://app.example/other" }), "invalid_grant"],
  [
    "RFC 6749 §4.1.3",
    "redirect_uri with a slash behind",
    ({ right }) => ({ form: { redirect_uri: `${right.redirect_uri}/` } }),
    "invalid_grant",
  ],
  [
    "RFC 6749 §4.1.3",
    "redirect_uri in capitals",
    ({ right }) => ({ form: { redirect_uri: String(right.redirect_uri).toUpperCase() } }),
    "invalid_grant",
  ],
  ["RFC 6749 §5.2", "an unknown code", form({ code: `svc_ac_${"0".repeat(8)}1${"x".repeat(31)}` }), "invalid_grant"],
  [
    "RFC 6749 §5.2",
    "the code's number with another secret",
    ({ right }) => ({ form: { code: `${String(right.code).slice(0, 16)}${"x".repeat(31)}` } }),
    "invalid_grant",
  ],
  ["RFC 6749 §5.2", "a code with another last letter", ({ right }) => ({ form: { code: flip(String(right.code)) } }), "invalid_grant"],
  ["RFC 6749 §5.2", "a code with a letter more", ({ right }) => ({ form: { code: `${right.code}A` } }), "invalid_grant"],
  ["RFC 6749 §5.2", "a code with a letter less", ({ right }) => ({ form: { code: String(right.code).slice(0, -1) } }), "invalid_grant"],
  ["RFC 6749 §5.2", "a code in capitals", ({ right }) => ({ form: { code: String(right.code).toUpperCase() } }), "invalid_grant"],
  ["RFC 6749 §5.2", "a code without its prefix", ({ right }) => ({ form: { code: String(right.code).slice(7) } }), "invalid_grant"],
  [
    "RFC 6749 §5.2",
    "a code with the prefix of a refresh token",
    ({ right }) => ({ form: { code: String(right.code).replace("svc_ac_", "svc_ort_") } }),
    "invalid_grant",
  ],
  ["RFC 6749 §5.2", "a code with U+0000", ({ right }) => ({ form: { code: `${right.code}\0` } }), "invalid_grant"],
  ["RFC 6749 §5.2", "a code of the largest number there is", form({ code: `svc_ac_${"z".repeat(40)}` }), "invalid_grant"],
  ["RFC 6749 §5.2", "a code of number zero", form({ code: `svc_ac_${"0".repeat(40)}` }), "invalid_grant"],
  ["RFC 6749 §5.2", "SQL for a code", form({ code: "svc_ac_' or true --" }), "invalid_grant"],
  ["RFC 6749 §5.2", "a code of 10,000 letters", form({ code: `svc_ac_${"a".repeat(10_000)}` }), "invalid_grant"],
  [
    "RFC 6749 §4.1.3",
    "another app with this code",
    ({ other }) => ({ form: { client_id: other.client_id, client_secret: other.client_secret } }),
    "invalid_grant",
  ],
  [
    "RFC 6749 §6",
    "the code as a refresh token",
    ({ right }) => ({ form: { grant_type: "refresh_token", refresh_token: right.code } }),
    "invalid_grant",
  ],
];

const swapCase = (text: string): string =>
  text.replaceAll(/[a-zA-Z]/g, (letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()));

export const REFRESH_ROWS: OAuthCase[] = [
  ["RFC 6749 §6", "refresh_token missing", form({ refresh_token: undefined }), "invalid_request"],
  ["RFC 6749 §6", "refresh_token empty", form({ refresh_token: "" }), "invalid_request"],
  ["RFC 6749 §3.2", "refresh_token repeated", twice("refresh_token"), "invalid_request"],
  ["RFC 6749 §6", "an unknown refresh token", form({ refresh_token: `svc_ort_${"0".repeat(8)}1${"x".repeat(31)}` }), "invalid_grant"],
  [
    "RFC 6749 §6",
    "a refresh token with another last letter",
    ({ right }) => ({ form: { refresh_token: flip(String(right.refresh_token)) } }),
    "invalid_grant",
  ],
  [
    "RFC 6749 §6",
    "a refresh token with a letter more",
    ({ right }) => ({ form: { refresh_token: `${right.refresh_token}A` } }),
    "invalid_grant",
  ],
  [
    "RFC 6749 §6",
    "a refresh token of a generation to come",
    ({ right }) => ({
      form: { refresh_token: `${String(right.refresh_token).slice(0, 17)}zzzz${"x".repeat(27)}` },
    }),
    "invalid_grant",
  ],
  ["RFC 6749 §6", "the access token as refresh token", ({ right }) => ({ form: { refresh_token: right.access } }), "invalid_grant"],
  [
    "RFC 6749 §6",
    "a refresh token in capitals",
    ({ right }) => ({ form: { refresh_token: String(right.refresh_token).toUpperCase() } }),
    "invalid_grant",
  ],
  [
    "RFC 6749 §6",
    "another app with this refresh token",
    ({ other }) => ({ form: { client_id: other.client_id, client_secret: other.client_secret } }),
    "invalid_grant",
  ],
  ["RFC 6749 §6", "a scope that was not granted", form({ scope: "menu:read guests:read" }), "invalid_scope"],
  ["RFC 6749 §3.3", "a scope that does not exist", form({ scope: "everything" }), "invalid_scope"],
  ["RFC 6749 §3.3", "scopes separated by commas", form({ scope: "menu:read,orders:read" }), "invalid_scope"],
  ["RFC 6749 §3.3", "scopes separated by two spaces", form({ scope: "menu:read  orders:read" }), "invalid_scope"],
  ["RFC 6749 §3.3", "a scope in capitals", form({ scope: "MENU:READ" }), "invalid_scope"],
  ["RFC 6749 §3.3", "the name of an object's own member as scope", form({ scope: "constructor" }), "invalid_scope"],
];

export const REVOKE_ROWS: OAuthCase[] = [
  ["RFC 7009 §2.1", "token missing", form({ token: undefined }), "invalid_request"],
  ["RFC 7009 §2.1", "token empty", form({ token: "" }), "invalid_request"],
  ["RFC 7009 §2.1", "token repeated", twice("token"), "invalid_request"],
  ["RFC 7009 §2.1", "token as a JSON number", ({ right }) => json({ ...right, token: 5 }), "invalid_request"],
  ["RFC 7009 §2.1", "a body of plain text", ({ right }) => ({ raw: encode(right), type: "text/plain" }), "invalid_request"],
];
