/** A venue before it is live: what the operator's suspension and resumption do to it, and what its test order may not do. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { changePlanState } from "#platform/tenants/service.ts";
import { openVenue } from "../../../../test/support/opened-venue.ts";
import { comandaAdmin } from "../../../../test/support/run-admin.ts";
import { forVenue, startApp, type TestApp } from "../../../../test/support/test-app.ts";

let app: TestApp;

beforeAll(async () => {
  app = await startApp({ environment: { SIGN_UP: "open", SIGN_UP_PLAN: "complete" } });
});
afterAll(() => app.close());

const operator = async (...args: string[]) => {
  const { code, stdout, stderr } = await comandaAdmin(["venue", "set", ...args], { DATABASE_URL: app.database.appUrl });
  expect(code, stderr).toBe(0);
  return stdout;
};
const suspend = (slug: string) =>
  forVenue(app.deps, slug, (ctx) => changePlanState(ctx, { suspended_at: new Date(ctx.now.getTime() + 1000) }), { revokes: true });
const order = async (slug: string) => {
  const token = await app.token(slug);
  const { data } = (await app.call(token, "GET", "/items")).body;
  const lines = [{ item_id: data[0].id, quantity: 1 }];
  return (
    await app.call(token, "POST", "/orders", { body: { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100", lines } })
  ).status;
};

test("a venue that the operator resumes before it was live still waits for its owner", async () => {
  app.clock.set("2027-01-14T12:00:00Z");
  const { slug, post } = await openVenue(app, "resumed@example.com", "Resumed");
  await suspend(slug);
  expect(await operator(slug, "--resume")).toContain("never live");
  const [row] = await app.database.asOwner(
    "select r.suspended_at = o.opened_at as is_opened, live_at from restaurants r join venue_openings o on o.restaurant_id = r.id where slug = $1",
    [slug],
  );
  expect(row).toEqual({ is_opened: true, live_at: null });
  expect(await order(slug)).toBe(403);
  expect((await post("/opening/live")).body.data).toMatchObject({ is_live: true, is_suspended: false });
  expect(await order(slug)).toBe(201);
  await suspend(slug);
  expect(await operator(slug, "--resume")).not.toContain("never live");
  expect(await order(slug)).toBe(201);
});

test("while the operator has suspended the venue no test order is placed", async () => {
  const { slug, post } = await openVenue(app, "held@example.com", "Held Back");
  await suspend(slug);
  const refused = await post("/opening/test-order");
  expect([refused.status, refused.body.error.code]).toEqual([403, "restaurant_suspended"]);
  expect(await app.database.asOwner("select from orders o join restaurants r on r.id = o.restaurant_id where slug = $1", [slug])).toEqual(
    [],
  );
  await operator(slug, "--resume");
  expect((await post("/opening/test-order")).status).toBe(201);
});

test("nothing is paid for a test order, so no takings count it", async () => {
  const { slug, post } = await openVenue(app, "unpaid@example.com", "Unpaid");
  const { id } = (await post("/opening/test-order")).body.data.test_order;
  const pay = () => post(`/orders/${id}/payments`, { method: "cash", amount_minor: 1250, seen_paid_minor: 0 });
  for (const moment of ["before", "after"]) {
    const refused = await pay();
    expect([refused.status, refused.body.error.details], moment).toEqual([
      422,
      { order: ["This is a test order: nothing is to be paid for it."] },
    ]);
    // A test order that was finished is not cancelled by going live.
    for (const [seen_status, status] of [
      ["placed", "accepted"],
      ["accepted", "ready"],
      ["ready", "completed"],
    ])
      if (moment === "before") expect((await post(`/orders/${id}/status`, { seen_status, status })).status).toBe(200);
    expect((await post("/opening/live")).status).toBe(200);
  }
  expect(await app.database.asOwner("select from payments p join restaurants r on r.id = p.restaurant_id where slug = $1", [slug])).toEqual(
    [],
  );
});
