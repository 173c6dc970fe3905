/** The app registry: ownership, overlapping secrets, and withdrawal from every venue. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { withoutVenue } from "#admin/command-context.ts";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import {
  askConsent,
  authorizeUrl,
  type ConsentingOwner,
  exchangeForm,
  FORM,
  grant,
  install,
  newApp,
  newPkce,
  postForm,
  refreshed,
} from "../../../../test/support/marketplace.ts";
import { startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { type RegisteredClient, registerApp, setInCatalogue } from "./service.ts";

let app: TestApp;
let venue: TestVenue;
let developer: TestUser;
let other: TestUser;
let consenting: ConsentingOwner;

beforeAll(async () => {
  app = await startApp({ environment: { OAUTH_RATE_PER_MINUTE: "1000000" } });
  venue = await app.venue("trattoria");
  consenting = { owner: await createUser(app, venue.slug, "owner"), slug: venue.slug };
  developer = await createUser(app, venue.slug, "staff", "dev@app.example");
  other = await createUser(app, venue.slug, "staff", "other@app.example");
});
afterAll(() => app.close());

const register = async (changes: object = {}): Promise<RegisteredClient> => {
  const { status, body, text } = await developer.act("POST", "/apps", { body: { ...FORM, ...changes } });
  expect(status, text).toBe(201);
  return body.data;
};
const works = async (client: RegisteredClient): Promise<boolean> =>
  (await postForm(app, "/oauth/token", exchangeForm(client, await grant(app, consenting, client)))).status === 200;

test("R5.2-14 every signed-in user may register an app; its secret is shown once", async () => {
  const client = await register();
  expect(client.client_id).toMatch(/^svc_app_[0-9A-Za-z]{24}$/);
  expect(client.client_secret).toMatch(/^svc_cs_[0-9A-Za-z]{40}$/);
  const { text, body } = await developer.call("GET", "/apps");
  expect(text).not.toContain(client.client_secret);
  expect(body.data.at(-1)).toMatchObject({
    client_id: client.client_id,
    installations: 0,
    is_listed: false,
    secrets: [{ expires_at: null }],
  });
  expect(await works(client)).toBe(true);
});

test("404 for another user's app", async () => {
  const client = await register();
  expect((await other.call("GET", "/apps")).body.data).toEqual([]);
  expect((await other.act("PUT", `/apps/${client.id}`, { body: FORM })).status).toBe(404);
  expect((await other.act("POST", `/apps/${client.id}/secret`, { body: { overlap: "now" } })).status).toBe(404);
  expect((await other.call("DELETE", `/apps/${client.id}`)).status).toBe(404);
  expect(await works(client)).toBe(true);
});

test("a new secret works at once; the old one works until the end of the overlap", async () => {
  const old = await register();
  const { body } = await developer.act("POST", `/apps/${old.id}/secret`, { body: { overlap: "24h" } });
  const fresh: RegisteredClient = body.data;
  expect([await works(old), await works(fresh)]).toEqual([true, true]);
  app.clock.advance(24 * 60 * 60 * 1000 + 1000);
  expect([await works(old), await works(fresh)]).toEqual([false, true]);
  const last: RegisteredClient = (await developer.act("POST", `/apps/${old.id}/secret`, { body: { overlap: "now" } })).body.data;
  expect([await works(fresh), await works(last)]).toEqual([false, true]);
});

test("an app has at most three secrets at a time", async () => {
  const { id } = await register();
  const roll = async (overlap: string) => (await developer.act("POST", `/apps/${id}/secret`, { body: { overlap } })).status;
  expect([await roll("7d"), await roll("7d"), await roll("7d"), await roll("now")]).toEqual([201, 201, 422, 201]);
});

test("a withdrawn app is rejected in every venue from the next request on", async () => {
  const client = await register();
  const pair = await install(app, consenting, client);
  expect((await app.call(pair.access_token, "GET", "/menus")).status).toBe(200);
  expect((await developer.call("DELETE", `/apps/${client.id}`)).status).toBe(200);
  expect((await app.call(pair.access_token, "GET", "/menus")).status).toBe(401);
  expect((await refreshed(app, client, pair.refresh_token)).body.error).toBe("invalid_client");
  const { body } = await consenting.owner.call("GET", `/venues/${venue.slug}/apps`);
  expect(body.data.filter((row: { app: { client_id: string } }) => row.app.client_id === client.client_id)).toEqual([]);
});

test("a removed redirect address gets an error page instead of a redirect", async () => {
  const client = await register();
  await developer.act("PUT", `/apps/${client.id}`, { body: { ...FORM, redirect_uris: ["https://app.example/new"] } });
  await expect(grant(app, consenting, client)).rejects.toThrow();
});

test("an open consent request is invalid after its scope, its address or its app was removed from the registry", async () => {
  const client = await register();
  const change = (changes: object) => developer.act("PUT", `/apps/${client.id}`, { body: { ...FORM, ...changes } });
  for (const changes of [{ redirect_uris: ["https://app.example/new"] }, { scopes: ["menu:read"] }]) {
    await change({});
    const request = await askConsent(app, authorizeUrl(client, newPkce()));
    expect((await consenting.owner.act("POST", "/consents/read", { body: { request } })).status).toBe(200);
    expect((await change(changes)).status).toBe(200);
    const allowed = await consenting.owner.act("POST", `/venues/${venue.slug}/consents`, { body: { request, scopes: ["menu:read"] } });
    expect([allowed.status, allowed.text.includes("app.example")]).toEqual([422, false]);
    for (const path of ["/consents/read", "/consents/deny"])
      expect((await consenting.owner.act("POST", path, { body: { request } })).status).toBe(422);
  }
});

const PNG = `data:image/png;base64,${Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").toString("base64")}`;
test("422 for a logo that is not a picture of its declared type", async () => {
  const svg = `data:image/svg+xml;base64,${Buffer.from("<svg onload=alert(1)>").toString("base64")}`;
  const disguised = `data:image/png;base64,${Buffer.from("<svg onload=alert(1)>").toString("base64")}`;
  for (const logo of [svg, disguised, "https://evil.example/x.png", "javascript:alert(1)", `${PNG}" onerror="x`])
    expect((await developer.act("POST", "/apps", { body: { ...FORM, logo } })).status).toBe(422);
  expect((await register({ logo: PNG })).id).toBeGreaterThan(0);
});

test("422 for texts with invisible characters or characters that change the text direction", async () => {
  const { id } = await register();
  for (const field of ["name", "developer", "summary"])
    for (const hidden of ["\u202e", "\u2066", "\u200b", "\ufeff", "\u0007", "\r\n", "\u2028", "\u200e", "\u00ad", "\u3164", "\u{e0041}"])
      expect((await developer.act("PUT", `/apps/${id}`, { body: { ...FORM, [field]: `Your${hidden}bank` } })).status).toBe(422);
  for (const field of ["site", "install_url"])
    for (const address of ["https://app.example/a b", "https://app.\nexample", "https://app.example/\u202e"])
      expect((await developer.act("PUT", `/apps/${id}`, { body: { ...FORM, [field]: address } })).status).toBe(422);
  for (const name of ["مطعم التطبيق", "کتاب‌خانه", "Café 👨‍🍳"])
    expect((await developer.act("PUT", `/apps/${id}`, { body: { ...FORM, name } })).status).toBe(200);
});

test("422 for an app or a developer with the name of this platform, also in letters that look like it; the operator may", async () => {
  const { id } = await register();
  const sentence = "Must not have the name of this platform in it, also not in letters that look like it.";
  for (const field of ["name", "developer"] as const)
    for (const text of ["Comanda", "Соmаndа", "Ｃｏｍａｎｄａ Support", "ᴄᴏᴍᴀɴᴅᴀ", "C.o.m.a.n.d.a Pay"]) {
      const body = { ...FORM, [field]: text };
      for (const answer of [await developer.act("POST", "/apps", { body }), await developer.act("PUT", `/apps/${id}`, { body })]) {
        expect(answer.status, text).toBe(422);
        expect(answer.body.error).toMatchObject({ code: "validation_failed", details: { [field]: [sentence] } });
      }
    }
  expect((await developer.act("PUT", `/apps/${id}`, { body: { ...FORM, name: "Comandante" } })).status).toBe(200);
  const own = await withoutVenue(app.deps, (ctx) => registerApp(ctx, null, { ...FORM, name: "Comanda Pay" }));
  expect(own.id).toBeGreaterThan(0);
});

test("422 for a name that looks like another developer's listed app: when registered, changed or listed", async () => {
  const listed = await register({ name: "Pasta Point" });
  const twin = async (name: string, changes: object = {}) =>
    (await other.act("POST", "/apps", { body: { ...FORM, name, ...changes } })).body;
  const early = (await twin("Pаsta Роint")).data;
  const list = (id: number) => withoutVenue(app.deps, (ctx) => setInCatalogue(ctx, id, true));
  await list(listed.id);
  await expect(list(early.id)).rejects.toMatchObject({ code: "validation_failed" });
  const refusal = { name: ["Looks like the name of another app in the catalogue."] };
  for (const name of ["pasta point", "Pаsta Роint", "Pasta-P0int"]) expect((await twin(name)).error.details, name).toEqual(refusal);
  const changed = await other.act("PUT", `/apps/${early.id}`, { body: { ...FORM, name: "PASTA POINT" } });
  expect([changed.status, changed.body.error.details]).toEqual([422, refusal]);
  expect((await twin("Pasta Pint")).data.id).toBeGreaterThan(0);
  expect((await register({ name: "Pasta Point" })).id).toBeGreaterThan(0);
  await developer.call("DELETE", `/apps/${listed.id}`);
  expect((await twin("Pasta Point")).data.id).toBeGreaterThan(0);
});

test("a user has at most twenty apps", async () => {
  const before = (await developer.call("GET", "/apps")).body.data.length;
  const statuses: number[] = [];
  for (let index = before; index < 21; index++) statuses.push((await developer.act("POST", "/apps", { body: FORM })).status);
  expect(statuses).toEqual([...Array(20 - before).fill(201), 422]);
});

test("the catalogue shows an app that the operator listed, until its description or its scopes change", async () => {
  const client = await newApp(app.deps);
  const names = async () =>
    (await consenting.owner.call("GET", `/venues/${venue.slug}/catalogue`)).body.data.map(
      ({ client_id }: { client_id: string }) => client_id,
    );
  expect(await names()).not.toContain(client.client_id);
  const change = (changes: object) => other.act("PUT", `/apps/${client.id}`, { body: { ...FORM, ...narrow, ...changes } });
  const narrow = { scopes: ["menu:read", "orders:read"] };
  for (const changes of [
    { name: "Your bank" },
    { developer: "Your bank" },
    { summary: "Your bank" },
    { site: "https://bank.example" },
    { install_url: "https://bank.example/sign-in" },
    { logo: PNG },
    { scopes: ["menu:read", "guests:read"] },
  ]) {
    await app.database.asOwner(
      `update apps set listed_at = now(), name = $2, developer = $3, summary = $4, site = $5, install_url = $6, logo = null, scopes = $7,
        user_id = (select id from users where email = 'other@app.example') where id = $1`,
      [client.id, FORM.name, FORM.developer, FORM.summary, FORM.site, FORM.install_url, narrow.scopes],
    );
    expect((await change({ redirect_uris: ["https://app.example/new"] })).status).toBe(200);
    expect((await change({ scopes: ["orders:read"] })).status).toBe(200);
    expect(await names()).toContain(client.client_id);
    expect((await change(changes)).status).toBe(200);
    expect(await names(), Object.keys(changes).join()).not.toContain(client.client_id);
  }
});
