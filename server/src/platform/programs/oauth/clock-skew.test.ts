/** Revocations hold from the next request on, also when the database's clock is ahead of the server's. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { credentialsOf, FORM, install, newApp, postForm, refreshed } from "../../../../test/support/marketplace.ts";
import { startApp, type TestApp } from "../../../../test/support/test-app.ts";

const AHEAD_MS = 5000;

let app: TestApp;
let owner: TestUser;
let slug: string;

beforeAll(async () => {
  app = await startApp();
  ({ slug } = await app.venue("trattoria"));
  owner = await createUser(app, slug, "owner");
  app.clock.ofChange = () => new Date(app.clock.now().getTime() + AHEAD_MS);
});
afterAll(() => app.close());

test("a revoked access token is rejected", async () => {
  const client = await newApp(app.deps);
  const { access_token } = await install(app, { owner, slug }, client);
  expect((await app.call(access_token, "GET", "/menus")).status).toBe(200);
  expect((await postForm(app, "/oauth/revoke", { token: access_token, ...credentialsOf(client) })).status).toBe(200);
  expect((await app.call(access_token, "GET", "/menus")).status).toBe(401);
});

test("a client secret that was ended now is rejected", async () => {
  const { data: client } = (await owner.act("POST", "/apps", { body: FORM })).body;
  expect((await owner.act("POST", `/apps/${client.id}/secret`, { body: { overlap: "now" } })).status).toBe(201);
  expect((await refreshed(app, client, "svc_ort_")).body.error).toBe("invalid_client");
});
