/** Fixtures: an evening on the orders board. */
import type { Bill, OpenBill } from "@comanda/contract/console/bills.ts";
import type { Board, BoardOrder, OrderDetails, Takings } from "@comanda/contract/console/orders.ts";
import type { OrderLine } from "@comanda/contract/venue/orders.ts";
import { ago, DAY, eveningZone, MINUTE } from "./fixture-times.ts";

type DishFixture = { en: string; ar: string; price: number };

const line = (id: number, quantity: number, { en, ar, price }: DishFixture, more: Partial<OrderLine> = {}): OrderLine => ({
  id,
  item_id: id,
  name: { en, ar },
  variant_name: null,
  quantity,
  unit_price_minor: price,
  line_total_minor: price * quantity,
  voided: false,
  modifiers: [],
  ...more,
});

const margherita = line(
  1,
  2,
  { en: "Pizza Margherita", ar: "بيتزا مارغريتا", price: 950 },
  {
    variant_name: { en: "Large", ar: "كبيرة" },
    modifiers: [
      { name: { en: "Buffalo mozzarella", ar: "موزاريلا جاموس" }, price_minor: 250 },
      { name: { en: "No basil", ar: "بلا ريحان" }, price_minor: 0 },
    ],
  },
);
const tagliatelle = line(2, 1, { en: "Tagliatelle al ragù", ar: "تالياتيلي بالراغو", price: 1350 });
const tiramisu = line(3, 3, { en: "Tiramisù", ar: "تيراميسو", price: 650 });
const salad = line(4, 1, { en: "Insalata mista", ar: "سلطة مشكلة", price: 700 }, { voided: true });
const water = line(5, 2, { en: "Acqua frizzante", ar: "ماء فوّار", price: 300 });

const id = (place: number): string => `0199f3c2-7d10-7a4b-9c11-00000000${String(1000 + place)}`;

type OrderChanges = Partial<BoardOrder["order"]> & {
  number?: number | null;
  inMinutes: number;
  held_until?: string | null;
  paid?: boolean;
};

/** The bill of the orders at tables. */
const BILL_ID = "01930000-0000-7000-8000-00000000b111";

let made = 0;
const boardOrder = ({ number, inMinutes, held_until = null, paid = false, ...order }: OrderChanges): BoardOrder => {
  made += 1;
  const items = order.items ?? [margherita, water];
  const total = items.filter(({ voided }) => !voided).reduce((sum, { line_total_minor }) => sum + line_total_minor, 0);
  return {
    number: number === undefined ? 40 + made : number,
    promised_at: ago(-inMinutes * MINUTE),
    held_until,
    ready_at: order.status === "ready" ? ago(4 * MINUTE) : null,
    paid_minor: paid ? total : 0,
    takes_stock: false,
    bill_id: order.type === undefined ? BILL_ID : null,
    changed_at: ago(0),
    order: {
      id: id(made),
      status: "placed",
      type: "dine_in",
      channel: "qr",
      branch_id: 1,
      table: { id: 7, name: "7", code: "T7" },
      customer: { name: null, phone: null, email: null },
      note: null,
      delivery_address: null,
      currency: "EUR",
      subtotal_minor: total,
      discount_minor: 0,
      service_charge_minor: 0,
      tax_added_minor: 0,
      delivery_fee_minor: 0,
      total_minor: total,
      tax_breakdown: [{ name: "IVA", rate: 10, inclusive: true, taxable_minor: total, tax_minor: Math.round(total / 11) }],
      cancel_reason: null,
      items,
      placed_at: ago((25 - inMinutes) * MINUTE),
      scheduled_for: null,
      paid_at: paid ? ago(MINUTE) : null,
      updated_at: ago(MINUTE),
      ...order,
    },
  };
};

const guest = (name: string, phone: string) => ({ table: null, customer: { name, phone, email: null } });

export const boardOrders: BoardOrder[] = [
  boardOrder({ inMinutes: 12.5, items: [margherita, tagliatelle], note: "Nut allergy at the table – please keep the pesto apart." }),
  boardOrder({
    inMinutes: 24.5,
    type: "pickup",
    channel: "web",
    paid: true,
    items: [tiramisu],
    ...guest("Francesca Lombardi", "+39 347 1180"),
  }),
  boardOrder({ inMinutes: -7.5, status: "accepted", items: [margherita, salad, water] }),
  boardOrder({
    inMinutes: 3.5,
    status: "accepted",
    type: "delivery",
    channel: "phone",
    items: [tagliatelle, tiramisu, water],
    delivery_address: { line1: "Via dei Mille 14", city: "Bologna", phone: "+39 051 4482" },
    ...guest("سارة الأحمد", "+39 051 4482"),
  }),
  boardOrder({ inMinutes: 18.5, status: "accepted", table: { id: 12, name: "Terrace 12", code: null }, items: [tagliatelle] }),
  boardOrder({
    inMinutes: 0.5,
    status: "ready",
    type: "pickup",
    number: null,
    paid: true,
    items: [margherita],
    ...guest("Tom", "+44 7700"),
  }),
  boardOrder({ inMinutes: 150, held_until: ago(-130 * MINUTE), type: "pickup", ...guest("Nadia Benali", "+39 333 9021") }),
  boardOrder({ inMinutes: 1500, held_until: ago(-DAY), type: "pickup", ...guest("Paolo", "+39 333 9022") }),
];

const OPEN_TYPE = { paused_until: null, busy_until: null, extra_minutes: null };

export const board: Board = {
  position: "1.4096",
  is_whole: true,
  orders: boardOrders,
  is_cut: false,
  branches: [
    { id: 1, name: { en: "Piazza", ar: "الساحة" } },
    { id: 2, name: { en: "Station", ar: "المحطة" } },
  ],
  order_types: [
    { type: "dine_in", ...OPEN_TYPE },
    { type: "pickup", ...OPEN_TYPE },
    { type: "delivery", ...OPEN_TYPE },
  ],
  zone: eveningZone(),
  now: ago(0),
};

export const pausedBoard: Board = {
  ...board,
  order_types: [
    { type: "dine_in", ...OPEN_TYPE },
    { type: "pickup", ...OPEN_TYPE, busy_until: ago(-50 * MINUTE), extra_minutes: 10 },
    { type: "delivery", ...OPEN_TYPE, paused_until: ago(-20 * MINUTE) },
  ],
};

const first = boardOrders[0] as BoardOrder;

export const orderDetails: OrderDetails = {
  order: { ...first, paid_minor: 1000 },
  steps: [
    {
      id: 3,
      at: ago(11 * MINUTE),
      actor_kind: "staff",
      actor_name: "Luca Moretti",
      action: "payment.recorded",
      before: null,
      after: { amount_minor: 1500 },
      reason: null,
    },
    {
      id: 2,
      at: ago(30 * MINUTE),
      actor_kind: "staff",
      actor_name: "Nina Ferrari",
      action: "order.moved",
      before: { status: "placed" },
      after: { status: "accepted" },
      reason: null,
    },
    {
      id: 1,
      at: ago(32 * MINUTE),
      actor_kind: "token",
      actor_name: "Website",
      action: "order.placed",
      before: null,
      after: null,
      reason: null,
    },
  ],
  tickets: [
    { id: 1, station: "Pizza", state: "fired", release_at: null, updated_at: ago(30 * MINUTE) },
    { id: 2, station: "Bar", state: "held", release_at: ago(-5 * MINUTE), updated_at: ago(30 * MINUTE) },
  ],
  payments: [
    { id: 9, method: "cash", amount_minor: 1500, refunded_total_minor: 500, recorded_by: "Luca Moretti", recorded_at: ago(11 * MINUTE) },
  ],
};

/** A line was struck after the payment: more was paid than the order comes to. */
const struckOrder = boardOrders[2] as BoardOrder;
export const struckBoard: Board = {
  ...board,
  orders: boardOrders.map((order) => (order === struckOrder ? { ...order, paid_minor: order.order.total_minor + 700 } : order)),
};
export const struckDetails: OrderDetails = {
  ...orderDetails,
  order: { ...struckOrder, paid_minor: struckOrder.order.total_minor + 700 },
  steps: [
    {
      id: 4,
      at: ago(2 * MINUTE),
      actor_kind: "staff",
      actor_name: "Luca Moretti",
      action: "order.line_struck",
      before: { total_minor: struckOrder.order.total_minor + 700 },
      after: { total_minor: struckOrder.order.total_minor, line_id: salad.id, item_id: salad.item_id, quantity: salad.quantity },
      reason: "The guest asked for it",
    },
    ...orderDetails.steps,
  ],
};

export const takings: Takings = {
  date: "2026-11-14",
  currency: "EUR",
  rows: [
    { method: "cash", person: "Luca Moretti", taken_minor: 42_350, refunded_minor: 500, tips_minor: 2150, payments: 18 },
    { method: "cash", person: "سارة الأحمد", taken_minor: 18_900, refunded_minor: 0, tips_minor: 0, payments: 7 },
    { method: "card_terminal", person: "Luca Moretti", taken_minor: 96_120, refunded_minor: 2400, tips_minor: 0, payments: 31 },
    { method: "gift_card", person: "Luca Moretti", taken_minor: 5000, refunded_minor: 0, tips_minor: 0, payments: 2 },
    { method: "online", person: "Website", taken_minor: 31_700, refunded_minor: 0, tips_minor: 0, payments: 12 },
  ],
};

const [firstAtTable, , secondAtTable] = boardOrders;
const billed = [firstAtTable, secondAtTable]
  .filter((order) => order !== undefined)
  .map((order, index) => (index === 0 ? { ...order, paid_minor: 1500 } : order));
const billTotal = billed.reduce((sum, { order }) => sum + order.total_minor, 0);

export const bill: Bill = {
  id: BILL_ID,
  branch_id: 1,
  tables: [
    { id: 7, name: "7", code: "T7" },
    { id: 8, name: "8", code: "T8" },
  ],
  opened_at: ago(50 * MINUTE),
  asked_at: ago(2 * MINUTE),
  closed_at: null,
  closing: null,
  currency: "EUR",
  total_minor: billTotal,
  due_minor: billTotal - 1500,
  orders: billed,
  lines: billed.flatMap(({ order }) =>
    order.items.map(({ id: line_id, line_total_minor }, index) => ({
      order_id: order.id,
      line_id,
      share_minor: line_total_minor,
      is_paid: index === 1,
    })),
  ),
  payments: [
    {
      id: 1,
      method: "cash",
      amount_minor: 1500,
      refunded_minor: 0,
      tip_minor: 200,
      tendered_minor: 2000,
      recorded_by: "Luca Moretti",
      recorded_at: ago(3 * MINUTE),
    },
  ],
};

export const openBills: OpenBill[] = [
  {
    id: "01930000-0000-7000-8000-00000000b112",
    branch_id: 1,
    tables: [{ id: 12, name: "Terrace 12", code: "T12" }],
    opened_at: ago(20 * MINUTE),
    asked_at: null,
    orders: 1,
    total_minor: 1850,
    due_minor: 1850,
  },
];
