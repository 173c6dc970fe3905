/** Payments and refunds: an order is paid once, and no more is given back than was paid. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { recordPayment, refundPayment } from "./service.ts";

let app: TestApp;
let lab: TestVenue;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
});
afterAll(() => app.close());

const place = async () => {
  const { body } = await app.call(lab.token, "GET", "/items?per_page=100");
  const dish = body.data.find((item: { name: { en: string } }) => item.name.en.toLowerCase().includes("plain"));
  const order = { type: "pickup", customer_name: "Ada", customer_phone: "1", lines: [{ item_id: dish.id, quantity: 1 }] };
  return (await app.call(lab.token, "POST", "/orders", { body: order })).body.data;
};
const pay = (orderId: string, amount_minor: number) =>
  forVenue(app.deps, lab.slug, (ctx) => recordPayment(ctx, orderId, { method: "cash", amount_minor }));
const refund = (paymentId: number, amount_minor: number) =>
  forVenue(app.deps, lab.slug, (ctx) => refundPayment(ctx, paymentId, { amount_minor, reason: "Cold soup" }));
const events = async (type: string, orderId: string) => {
  const rows = await app.database.asOwner<{ body: string }>("select body from events where type = $1 order by created_at, id", [type]);
  return rows.map(({ body }) => JSON.parse(body)).filter((event) => JSON.stringify(event).includes(orderId));
};

test("R6.2-05 D100 payments that cover the total set paid_at and say so once", async () => {
  const order = await place();
  expect(await pay(order.id, order.total_minor - 1)).toMatchObject({ is_paid: false });
  expect((await app.call(lab.token, "GET", `/orders/${order.id}`)).body.data.paid_at).toBeNull();
  expect(await pay(order.id, 1)).toMatchObject({ is_paid: true });
  await pay(order.id, 500);
  const paid = (await app.call(lab.token, "GET", `/orders/${order.id}`)).body.data;
  expect(paid.paid_at).toBe(paid.updated_at);
  const said = await events("order.paid", order.id);
  expect(said).toHaveLength(1);
  expect(said[0].data.order).toEqual(paid);
});

test("R6.2-05 of ten payments at once that each cover the order, one says that it is paid", async () => {
  const order = await place();
  await Promise.all(Array.from({ length: 10 }, () => pay(order.id, order.total_minor)));
  expect(await events("order.paid", order.id)).toHaveLength(1);
});

test("R6.2-08 D166 refunds add up to the payment at most, and each is an event", async () => {
  const order = await place();
  const { id } = await pay(order.id, order.total_minor);
  await refund(id, 300);
  await expect(refund(id, order.total_minor)).rejects.toMatchObject({ code: "validation_failed" });
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => refund(id, order.total_minor - 300)));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const said = await events("payment.refunded", order.id);
  expect(said.map(({ data }) => data.payment.refunded_total_minor)).toEqual([300, order.total_minor]);
  expect(said[0].data.refund).toMatchObject({ amount_minor: 300, currency: "USD", reason: "Cold soup" });
  expect((await app.call(lab.token, "GET", `/orders/${order.id}`)).body.data.paid_at).not.toBeNull();
});

test("R6.2-05 nothing is paid for an order that was cancelled or rejected, and no event says so; an earlier payment is refunded", async () => {
  for (const status of ["cancelled", "rejected"]) {
    const order = await place();
    const { id } = await pay(order.id, 100);
    expect((await app.call(lab.token, "POST", `/orders/${order.id}/status`, { body: { status } })).status).toBe(200);
    await expect(pay(order.id, order.total_minor)).rejects.toMatchObject({
      code: "validation_failed",
      details: { order: [`The order is ${status}: nothing is to be paid for it.`] },
    });
    expect(await events("order.paid", order.id)).toEqual([]);
    expect((await app.call(lab.token, "GET", `/orders/${order.id}`)).body.data.paid_at).toBeNull();
    await refund(id, 100);
  }
});

test("a payment of another venue's order is refused as unknown", async () => {
  const other = await app.venue("gulf-cafe");
  const order = await place();
  await expect(
    forVenue(app.deps, other.slug, (ctx) => recordPayment(ctx, order.id, { method: "cash", amount_minor: 1 })),
  ).rejects.toMatchObject({ code: "not_found" });
  await expect(pay(order.id, 0)).rejects.toMatchObject({ code: "validation_failed" });
});
