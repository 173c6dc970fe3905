/** A password check that fails with 503 does not count as a wrong password. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { consoleCall, createUser, PASSWORD, type TestUser } from "../../../../test/support/console-client.ts";
import { faultInjectingPool } from "../../../../test/support/fault-injection.ts";
import { startApp, type TestApp } from "../../../../test/support/test-app.ts";

let app: TestApp;
let owner: TestUser;
let isDown = false;

const CANCELLED = "do $$ begin raise exception 'cancelled' using errcode = '57014'; end $$";

beforeAll(async () => {
  app = await startApp({
    pool: faultInjectingPool(({ text }) => (isDown && /from users\b/.test(text) ? { text: CANCELLED, values: [] } : null)),
  });
  owner = await createUser(app, (await app.venue("lab")).slug, "owner");
});
afterAll(() => app.close());

test("after fifteen sign-ins with 503 the sixteenth is checked, also inside a session", async () => {
  const body = { email: owner.email, password: PASSWORD };
  const signIn = () => consoleCall(app, "POST", "/session", { body });
  const confirm = () => owner.call("POST", "/session/password", { body: { password: PASSWORD } });
  isDown = true;
  for (let count = 0; count < 15; count++) expect([(await signIn()).status, (await confirm()).status]).toEqual([503, 503]);
  isDown = false;
  expect((await signIn()).status).toBe(201);
  expect((await confirm()).status).toBeLessThan(300);
});
