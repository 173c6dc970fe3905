/** Valid writes for orders at the counter and in the kitchen. */
import type { OrderDetails } from "@comanda/contract/console/orders.ts";
import { soldCard } from "./console-writes-money.ts";
import { type Scenarios, screenOf, type WritesWorld } from "./console-writes-world.ts";

const detailsOf = (world: WritesWorld, order: string): Promise<OrderDetails> => world.done("GET", `/orders/${order}`);

const ticketOf = async ({ app, order, move }: WritesWorld): Promise<number> => {
  const placed = await order();
  await move(placed, "accepted");
  const [ticket] = await app.database.asOwner<{ id: string }>("select id from tickets where order_id = $1", [placed]);
  return Number(ticket?.id);
};

type OrderCalls =
  | "moveBoardOrder"
  | "strikeOrderLine"
  | "takePayment"
  | "payWithGiftCard"
  | "refundOrderPayment"
  | "placeStaffOrder"
  | "setOrderType"
  | "changeTicket"
  | "sellOutDish";

export const orderScenarios: Scenarios<OrderCalls> = {
  moveBoardOrder: async ({ order }) => ({ params: { order: await order() }, body: { seen_status: "placed", status: "accepted" } }),
  strikeOrderLine: async (world) => {
    const line = { item_id: await world.dish("Plain Plate"), quantity: 1 };
    const order = await world.order({ lines: [line, line] });
    const { order: placed } = await detailsOf(world, order);
    return { params: { order, id: placed.order.items[0]?.id ?? 0 }, body: { seen_status: "placed", reason: "ordered twice" } };
  },
  takePayment: async ({ order }) => ({
    params: { order: await order() },
    body: { method: "cash", amount_minor: 100, seen_paid_minor: 0 },
  }),
  payWithGiftCard: async (world) => ({
    params: { order: await world.order() },
    body: { code: (await soldCard(world)).code, amount_minor: 100, seen_paid_minor: 0 },
  }),
  refundOrderPayment: async (world) => {
    const order = await world.order();
    await world.done("POST", `/orders/${order}/payments`, { method: "cash", amount_minor: 100, seen_paid_minor: 0 });
    const { payments } = await detailsOf(world, order);
    const body = { amount_minor: 40, reason: "too cold", seen_refunded_minor: 0 };
    return { params: { order, id: payments[0]?.id ?? 0 }, body };
  },
  placeStaffOrder: async ({ dish, phone }) => ({
    body: { type: "pickup", customer_name: "Ada", customer_phone: phone(), lines: [{ item_id: await dish("Plain Plate"), quantity: 1 }] },
  }),
  setOrderType: async () => ({
    body: { type: "delivery", seen: { paused_until: null, busy_until: null, extra_minutes: null }, to: "busy_10" },
  }),
  changeTicket: async (world) => ({
    params: { id: await ticketOf(world) },
    body: { change: "bump", seen_state: "fired" },
    by: screenOf(world),
  }),
  sellOutDish: async (world) => ({ params: { id: await world.dish("Taxed Tart") }, by: screenOf(world) }),
};
