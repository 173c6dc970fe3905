/** A password that could not be checked is not counted as a wrong one. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp } from "../../../test/app.ts";
import { consoleCall, hire, PASSWORD, type TestPerson } from "../../../test/console.ts";
import { plantedPool } from "../../../test/planted-pool.ts";

let app: TestApp;
let owner: TestPerson;
let isDown = false;

const CANCELLED = "do $$ begin raise exception 'cancelled' using errcode = '57014'; end $$";

beforeAll(async () => {
  app = await startApp({
    pool: plantedPool(({ text }) => (isDown && /from people\b/.test(text) ? { text: CANCELLED, values: [] } : null)),
  });
  owner = await hire(app, (await app.venue("lab")).slug, "owner");
});
afterAll(() => app.close());

test("fifteen sign-ins that were answered 503 leave the sixteenth its turn; inside a session too", async () => {
  const body = { email: owner.email, password: PASSWORD };
  const signIn = () => consoleCall(app, "POST", "/session", { body });
  const confirm = () => owner.call("POST", "/session/password", { body: { password: PASSWORD } });
  isDown = true;
  for (let count = 0; count < 15; count++) expect([(await signIn()).status, (await confirm()).status]).toEqual([503, 503]);
  isDown = false;
  expect((await signIn()).status).toBe(201);
  expect((await confirm()).status).toBeLessThan(300);
});
