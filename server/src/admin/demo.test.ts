import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp } from "../../test/support/test-app.ts";
import { createDemo } from "./demo.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

test("a first run shows one token in each sample venue, and it works", async () => {
  const [first] = (await createDemo(app.deps, "http://127.0.0.1", { tokenNames: ["full"] })).venues;
  const countTokens = () =>
    app.database.asOwner<{ count: number }>(
      "select count(*)::integer from tokens where revoked_at is null and kind = 'api' group by restaurant_id",
    );
  expect(new Set((await countTokens()).map(({ count }) => count))).toEqual(new Set([1]));
  expect((await app.call(first?.tokens.full ?? "", "GET", "/menus")).status).toBe(200);
});
