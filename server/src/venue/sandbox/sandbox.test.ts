/** A sandbox over HTTP, as the developer who was given its token meets it. */

import { sandboxOperations } from "@comanda/contract/sandbox/sandbox-operations.ts";
import { ALL_SCOPES } from "@comanda/contract/scopes.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createToken, listTokens } from "#platform/programs/tokens/service.ts";
import { changePlanState } from "#platform/tenants/service.ts";
import { listAllVenues } from "#platform/tenants/store.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";
import { createSandbox, inSandbox } from "../../admin/sandbox.ts";
import { openDb } from "../../db/pool.ts";
import { readSandbox, registerSandbox, renewSandboxToken, resetSandbox } from "./service.ts";

const UNLIMITED = 1_000_000;

let app: TestApp;
let live: TestVenue;
let sandbox: TestVenue;

beforeAll(async () => {
  app = await startApp();
  live = await app.venue("trattoria");
  const created = await createSandbox(app.deps, live.slug, UNLIMITED);
  sandbox = { slug: `${live.slug}.sandbox`, id: created?.restaurant_id ?? 0, token: created?.token ?? "" };
});
afterAll(() => app.close());

const get = async (token: string, path: string) => (await app.call(token, "GET", path)).body.data;
const reset = () => inSandbox(app.deps, live.slug, (ctx) => resetSandbox(ctx, null), { sandboxLock: "exclusive" });

type ItemJson = { id: number | string };

describe("a fresh sandbox", () => {
  test("R1-14 D32 its token is an id, a bar and svc_sbx_, and is kept as a hash", async () => {
    expect(sandbox.token).toMatch(/^\d+\|svc_sbx_[0-9A-Za-z]{48}$/);
    const [row] = await app.database.asOwner<{ kind: string; hash: Buffer }>("select kind, hash from tokens where restaurant_id = $1", [
      sandbox.id,
    ]);
    expect(row).toMatchObject({ kind: "sandbox", hash: expect.any(Buffer) });
  });

  test("was opened when it was opened, whenever its sample is dated", async () => {
    expect(await inSandbox(app.deps, live.slug, readSandbox)).toMatchObject({ created_at: app.clock.now(), reset_at: null });
    const [order] = await get(sandbox.token, "/orders");
    expect(order.placed_at).toBe("2026-11-14T01:15:00+01:00");
  });

  test("R1-11 holds a menu with dishes, guests of both kinds, exactly one booking and exactly one order", async () => {
    const menus = await get(sandbox.token, "/menus");
    const menu = await get(sandbox.token, `/menus/${menus[0].id}`);
    expect(menu.categories.flatMap(({ items }: { items: ItemJson[] }) => items).length).toBeGreaterThan(9);
    const guests = await get(sandbox.token, "/guests");
    expect(guests.map(({ contact_shared }: { contact_shared: boolean }) => contact_shared)).toEqual([true, false, false]);
    const [order, ...otherOrders] = await get(sandbox.token, "/orders");
    expect(otherOrders).toEqual([]);
    expect(order).toMatchObject({ status: "placed", type: "dine_in", table: { code: "T1" }, currency: "EUR", subtotal_minor: 3000 });
    const [booking, ...otherBookings] = await get(sandbox.token, "/reservations");
    expect(otherBookings).toEqual([]);
    expect(booking).toMatchObject({ status: "confirmed", party_size: 4, date: "2026-11-15", time: "19:30" });
    expect((await get(sandbox.token, "/reports/sales-summary")).orders).toBe(1);
  });

  test("R1-11 takes an order at one of its tables, at any hour, and an order of each other type", async () => {
    const [dish] = (await get(sandbox.token, "/items?available=true")).filter(
      (item: { price_minor: number | null; modifier_groups: unknown[] }) => item.price_minor && item.modifier_groups.length === 0,
    );
    const order = { customer_name: "Dev", customer_phone: "+44 7700 900 999", lines: [{ item_id: dish.id, quantity: 1 }] };
    const place = (parts: object) => app.call(sandbox.token, "POST", "/orders", { body: { ...order, ...parts } });
    for (const hour of ["00", "04", "12", "23"]) {
      app.clock.set(`2026-11-14T${hour}:30:00Z`);
      const { status, body } = await place({ type: "dine_in", table_code: "T3" });
      expect([status, body.data?.scheduled_for]).toEqual([201, null]);
    }
    app.clock.set("2026-11-14T12:00:00Z");
    expect((await place({ type: "pickup" })).status).toBe(201);
    expect((await place({ type: "delivery", delivery_address: { line1: "1 Anywhere", city: "Nowhere" } })).status).toBe(201);
    await reset();
  });
});

describe("its token", () => {
  test("R1-10 holds every scope", async () => {
    const [token] = await inSandbox(app.deps, live.slug, listTokens);
    expect(token?.scopes).toEqual(ALL_SCOPES);
  });

  test("R1-09 D136 marks every answer as the sandbox's, refusals included", async () => {
    const calls: [string, string, number, object?][] = [
      ["GET", "/menus", 200],
      ["HEAD", "/menus", 200],
      ["GET", "/items/1", 404],
      ["GET", "/nothing", 404],
      ["DELETE", "/items", 405],
      ["POST", "/orders", 422, {}],
      ["GET", "/items?per_page=0", 422],
    ];
    for (const [method, path, status, body] of calls) {
      const answer = await app.call(sandbox.token, method, path, body ? { body } : {});
      expect([answer.status, answer.headers.get("service-sandbox")], `${method} ${path}`).toEqual([status, "true"]);
    }
    const narrow = await inSandbox(app.deps, live.slug, (ctx) =>
      createToken(ctx, { kind: "sandbox", name: "narrow", scopes: [], ratePerMinute: 1, expiresAt: null }),
    );
    for (const status of [403, 429]) {
      const answer = await app.call(narrow.token, "GET", "/menus");
      expect([answer.status, answer.headers.get("service-sandbox")]).toEqual([status, "true"]);
    }
  });

  test("R1-09 D136 a live token's answers and a 401 are never marked", async () => {
    for (const [token, path] of [
      [live.token, "/menus"],
      [live.token, "/nothing"],
      [null, "/menus"],
      [`${sandbox.token.slice(0, -1)}x`, "/menus"],
    ] as const)
      expect((await app.call(token, "GET", path)).headers.get("service-sandbox")).toBe(null);
  });

  test("D137 a new one ends the one before; a sandbox has no other kind, and a live restaurant has none of this", async () => {
    const { token } = await inSandbox(app.deps, live.slug, (ctx) => renewSandboxToken(ctx, UNLIMITED), {
      sandboxLock: "exclusive",
      revokes: true,
    });
    const answer = await app.call(sandbox.token, "GET", "/menus");
    expect([answer.status, answer.headers.get("service-sandbox")]).toEqual([401, null]);
    sandbox.token = token;
    expect((await app.call(token, "GET", "/menus")).status).toBe(200);
    await expect(app.token(sandbox.slug)).rejects.toThrow(/comanda-admin sandbox token/);
    await expect(app.token(live.slug, { kind: "sandbox" })).rejects.toThrow(/comanda-admin sandbox token/);
    const tokens = await inSandbox(app.deps, live.slug, listTokens);
    expect(tokens.filter(({ state }) => state === "active").map(({ hint }) => hint)).toEqual([
      expect.stringMatching(/^\d+\|svc_sbx_….{4}$/),
    ]);
  });
});

describe("the wall between a restaurant and its sandbox", () => {
  test("R1-12 neither knows the other's ids", async () => {
    for (const [mine, other] of [
      [live, sandbox],
      [sandbox, live],
    ] as const) {
      const [item] = await get(other.token, "/items?per_page=1");
      const [menu] = await get(other.token, "/menus");
      const [guest] = await get(other.token, "/guests?per_page=1");
      for (const path of [`/items/${item.id}`, `/menus/${menu.id}`, `/guests/${guest.id}`]) {
        expect((await app.call(other.token, "GET", path)).status).toBe(200);
        expect((await app.call(mine.token, "GET", path)).status).toBe(404);
      }
      const body = { is_available: false };
      expect((await app.call(mine.token, "PUT", `/items/${item.id}/availability`, { body })).status).toBe(404);
    }
    const [order] = await get(sandbox.token, "/orders");
    expect((await app.call(live.token, "POST", `/orders/${order.id}/status`, { body: { status: "accepted" } })).status).toBe(404);
    const [booking] = await get(sandbox.token, "/reservations");
    expect((await app.call(live.token, "POST", `/reservations/${booking.id}/cancel`)).status).toBe(404);
  });

  test("D137 it is in no directory, but its restaurant finds it", async () => {
    const slugs: string[] = [];
    for await (const { slug } of listAllVenues(openDb(app.deps.pool))) slugs.push(slug);
    expect(slugs).toEqual([live.slug]);
    expect(await forVenue(app.deps, live.slug, registerSandbox)).toBe(sandbox.id);
    expect(await inSandbox(app.deps, live.slug, readSandbox)).toMatchObject({ restaurant_id: sandbox.id, zone: "Europe/Rome" });
  });

  test("D137 neither a plan nor a suspension of its restaurant closes it, and it has no standing of its own", async () => {
    const standing = { plan: "essential", plan_until: app.clock.now(), suspended_at: app.clock.now() };
    await forVenue(app.deps, live.slug, (ctx) => changePlanState(ctx, standing));
    expect((await app.call(live.token, "GET", "/menus")).status).toBe(403);
    for (const path of ["/menus", "/reservations", "/reports/sales-summary"])
      expect((await app.call(sandbox.token, "GET", path)).status, path).toBe(200);
    const [dish] = await get(sandbox.token, "/items?per_page=1");
    expect((await app.call(sandbox.token, "PATCH", `/items/${dish.id}`, { body: { name: "Renamed" } })).status).toBe(200);
    for (const { method, path } of Object.values(sandboxOperations)) {
      const body = path === "/sandbox/act" ? { act: "trigger", event: "ping" } : {};
      const { status } = await app.call(sandbox.token, method, path, method === "GET" ? {} : { body });
      expect([path, status]).toEqual([path, 200]);
    }
    await forVenue(app.deps, live.slug, (ctx) => changePlanState(ctx, { plan: "complete", plan_until: null, suspended_at: null }));
    await expect(inSandbox(app.deps, live.slug, (ctx) => changePlanState(ctx, { plan: "essential" }))).rejects.toThrow(
      /plan and suspension cannot be changed/,
    );
    await expect(app.database.asOwner("update restaurants set suspended_at = now() where id = $1", [sandbox.id])).rejects.toMatchObject({
      code: "23514",
    });
  });

  test("D139 guests of the sandbox are told nothing", async () => {
    const body = { name: "Dev", phone: "+44 7700 900 999", party_size: 2, date: "2026-11-20", time: "12:00" };
    expect((await app.call(sandbox.token, "POST", "/reservations", { body })).status).toBe(201);
    const messages = await app.database.asOwner("select state from notifications where restaurant_id = $1", [sandbox.id]);
    expect(messages).toEqual([{ state: "skipped" }]);
    expect(await app.database.asOwner("select from jobs.job where name = 'send-message'")).toEqual([]);
  });
});

describe("opening it", () => {
  test("D137 a restaurant has one sandbox: a second request, later or at the same moment, creates no second one", async () => {
    expect(await createSandbox(app.deps, live.slug, null)).toBe(null);
    const lab = await app.venue("lab");
    const attempts = await Promise.all(Array.from({ length: 4 }, () => createSandbox(app.deps, lab.slug, UNLIMITED)));
    const [opened, ...more] = attempts.filter((attempt) => attempt !== null);
    expect(more).toEqual([]);
    for (const path of ["/orders", "/reservations"]) expect(await get(opened?.token ?? "", path)).toHaveLength(1);
    expect(await app.database.asOwner("select from sandboxes where restaurant_id = $1", [lab.id])).toHaveLength(1);
    expect(
      await app.database.asOwner("select from jobs.job where name = 'reset-sandbox' and (data ->> 'restaurant_id')::bigint = $1", [
        opened?.restaurant_id,
      ]),
    ).toHaveLength(1);
  });

  test("D137 what a crash leaves between its two steps is completed by asking again", async () => {
    const { slug } = await app.venue("gulf-cafe");
    const id = await forVenue(app.deps, slug, registerSandbox);
    await expect(inSandbox(app.deps, slug, readSandbox)).rejects.toThrow(/has no sandbox.*comanda-admin sandbox create/);
    const created = await createSandbox(app.deps, slug, UNLIMITED);
    expect(created?.restaurant_id).toBe(id);
    expect((await app.call(created?.token ?? "", "GET", "/menus")).body.meta.currency).toBe("KWD");
    expect(await inSandbox(app.deps, slug, readSandbox)).toMatchObject({ default_language: "ar", zone: "Asia/Kuwait", reset_at: null });
  });

  test("D137 a sandbox has no sandbox", async () => {
    await expect(createSandbox(app.deps, sandbox.slug, null)).rejects.toThrow(/is a sandbox itself/);
  });
});
