/** What is ended is ended with the next request, also where the database's clock is ahead of the server's. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp } from "../../../test/app.ts";
import { hire, type TestPerson } from "../../../test/console.ts";
import { credentialsOf, FORM, install, newApp, postForm, refreshed } from "../../../test/marketplace.ts";

const AHEAD_MS = 5000;

let app: TestApp;
let owner: TestPerson;
let slug: string;

beforeAll(async () => {
  app = await startApp();
  ({ slug } = await app.venue("trattoria"));
  owner = await hire(app, slug, "owner");
  app.clock.ofChange = () => new Date(app.clock.now().getTime() + AHEAD_MS);
});
afterAll(() => app.close());

test("an access token that is revoked", async () => {
  const client = await newApp(app.deps);
  const { access_token } = await install(app, { owner, slug }, client);
  expect((await app.call(access_token, "GET", "/menus")).status).toBe(200);
  expect((await postForm(app, "/oauth/revoke", { token: access_token, ...credentialsOf(client) })).status).toBe(200);
  expect((await app.call(access_token, "GET", "/menus")).status).toBe(401);
});

test("a client secret whose time is over now", async () => {
  const { data: client } = (await owner.act("POST", "/apps", { body: FORM })).body;
  expect((await owner.act("POST", `/apps/${client.id}/secret`, { body: { overlap: "now" } })).status).toBe(201);
  expect((await refreshed(app, client, "svc_ort_")).body.error).toBe("invalid_client");
});
