/** GET /restaurant: what any token reads about itself and its restaurant, and that the answer is never an outdated one. */
import { ALL_SCOPES } from "@comanda/contract/scopes.ts";
import type { RestaurantContext } from "@comanda/contract/venue/restaurant.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createUser } from "../../../../test/support/console-client.ts";
import { addToken } from "../../../../test/support/many-tokens.ts";
import { FORM, install, newApp } from "../../../../test/support/marketplace.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { createSandbox } from "../../../admin/sandbox.ts";

let app: TestApp;
let lab: TestVenue;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
});
afterAll(() => app.close());

const read = async (token = lab.token): Promise<RestaurantContext> => {
  const { status, body, text } = await app.call(token, "GET", "/restaurant");
  expect(status, text).toBe(200);
  return body.data;
};
const asOwner = (text: string, values: unknown[] = [lab.id]) => app.database.asOwner(text, values);

describe("the context", () => {
  test("has what the venue's file says: types with their amounts, zones with the minimum that counts, branches with their tables", async () => {
    const { restaurant, features, order_types, delivery_zones, branches, bookings, schedule_days_max } = await read();
    expect(restaurant).toEqual({
      id: lab.id,
      slug: lab.slug,
      name: { en: "The Lab" },
      zone: "UTC",
      currency: "USD",
      default_language: "en",
      languages: expect.arrayContaining(["en"]),
      is_sandbox: false,
      is_suspended: false,
    });
    expect(restaurant.languages[0]).toBe("en");
    expect(new Set(restaurant.languages).size).toBe(restaurant.languages.length);
    expect(features).toEqual(["reservations", "reporting"]);
    expect(
      order_types.map(({ type, minimum_minor, fee_minor, service_charge_percent }) => [
        type,
        minimum_minor,
        fee_minor,
        service_charge_percent,
      ]),
    ).toEqual([
      ["dine_in", 0, 0, 10],
      ["pickup", 0, 0, 0],
      ["delivery", 1500, 300, 0],
    ]);
    expect(delivery_zones.map(({ name, fee_minor, minimum_minor }) => [name, fee_minor, minimum_minor])).toEqual([
      ["Near", 200, 1500],
      ["Far", 500, 3000],
    ]);
    // A table that is not active takes no order.
    expect(branches.map(({ is_default, tables }) => [is_default, tables.map(({ code }) => code)])).toEqual([
      [true, ["L1", "L2"]],
      [false, ["A1"]],
    ]);
    expect(bookings).toEqual({ party_size_max: 20, lead_minutes: 0, horizon_days: 365, service_periods: null });
    expect(schedule_days_max).toBe(365);
  });

  test("shows closing days from yesterday on, the end of a pause while it runs, and times on the restaurant's clock", async () => {
    const gulf = await app.venue("gulf-cafe", (file) => {
      Object.assign(file.branches[0] ?? {}, {
        closing_days: ["2026-11-12", "2026-11-13", "2026-12-25", "2028-01-01"].map((date) => ({ date, reason: "Inventory" })),
      });
    });
    await asOwner("insert into order_pauses (restaurant_id, type, paused_until) values ($1, 'pickup', '2026-11-14T13:00:00Z')", [gulf.id]);
    const pauses = async () => (await read(gulf.token)).order_types.map(({ type, paused_until }) => [type, paused_until]);
    expect((await read(gulf.token)).branches[0]?.closing_days).toEqual(["2026-11-13", "2026-12-25"]);
    expect(await pauses()).toContainEqual(["pickup", expect.stringMatching(/^2026-11-14T\d\d:00:00\+0[34]:00$/)]);
    app.clock.set("2026-11-14T13:00:00Z");
    expect(await pauses()).toContainEqual(["pickup", null]);
    app.clock.set("2026-11-14T12:00:00Z");
  });
});

describe("the token", () => {
  const newToken = (scopes: typeof ALL_SCOPES, ratePerMinute: number | null, expiresAt: Date | null = null) =>
    forVenue(app.deps, lab.slug, (ctx) => addToken(ctx, { kind: "api", name: "Till", scopes, ratePerMinute, expiresAt }));

  test("of any scopes, none included, reads it, and is told what it is", async () => {
    for (const scopes of [[], ...ALL_SCOPES.map((scope) => [scope]), ALL_SCOPES]) {
      const { id, token } = await newToken(scopes, 321, new Date("2027-01-02T03:04:05Z"));
      expect((await read(token)).token).toEqual({
        id,
        kind: "live",
        name: "Till",
        scopes,
        expires_at: "2027-01-02T03:04:05+00:00",
        rate_per_minute: 321,
      });
    }
  });

  test("without a rate of its own has the one by which its requests are counted", async () => {
    const { token } = await newToken([], null);
    const { body, headers } = await app.call(token, "GET", "/restaurant");
    expect(String(body.data.token.rate_per_minute)).toBe(headers.get("x-ratelimit-limit"));
  });

  test("of an app and of a sandbox says so", async () => {
    const owner = await createUser(app, lab.slug, "owner", "olga@lab.example");
    const { access_token } = await install(app, { owner, slug: lab.slug }, await newApp(app.deps));
    expect((await read(access_token)).token).toMatchObject({ kind: "app", name: FORM.name, scopes: ["menu:read", "orders:read"] });
    const sandbox = (await createSandbox(app.deps, lab.slug, null))?.token ?? "";
    expect(await read(sandbox)).toMatchObject({ token: { kind: "sandbox" }, restaurant: { is_sandbox: true } });
  });

  test("that has lost a scope, or whose venue was suspended, is told so by its next request, though it was seen before", async () => {
    const { id, token } = await newToken(["menu:read", "orders:read"], null);
    await read(token);
    await asOwner("update tokens set scopes = '{menu:read}' where id = $1", [id]);
    expect((await read(token)).token.scopes).toEqual(["menu:read"]);
    await asOwner("update restaurants set suspended_at = now() where id = $1");
    expect((await read(token)).restaurant.is_suspended).toBe(true);
    await asOwner("update restaurants set suspended_at = null where id = $1");
  });

  test("of a lapsed venue gets 403; a plan without bookings shows no rules for them", async () => {
    await asOwner("update restaurants set plan = 'essential' where id = $1");
    expect(await read()).toMatchObject({ features: [], bookings: null });
    await asOwner("update restaurants set plan_until = '2026-11-01' where id = $1");
    const { status, body } = await app.call(lab.token, "GET", "/restaurant");
    expect([status, body.error.code]).toEqual([403, "plan_lapsed"]);
    await asOwner("update restaurants set plan = 'complete', plan_until = null where id = $1");
  });
});
