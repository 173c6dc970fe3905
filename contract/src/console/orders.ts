/** The orders board of a venue: open orders, their next steps, payments at the counter. */
import { type Static, Type } from "typebox";
import { Id, Literals, MinorWithin, Nullable, Translations } from "../shared.ts";
import { ORDER_STATUSES, Order, StatusMove } from "../venue/orders.ts";
import { type ConsoleOperation, Count, Data, Instant } from "./operation.ts";
import { OrderTypeState } from "./order-types.ts";
import { STOCK_CHOICES } from "./stock-kinds.ts";

const Amount = MinorWithin({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
export const PaymentMethod = Literals(["cash", "card_terminal", "gift_card", "online", "other"]);
/** What a person at the counter can take without a code. */
export const COUNTER_METHODS = ["cash", "card_terminal", "other"] as const;

/**
 * What happens to the ingredients of an order that the kitchen has begun, when it is cancelled or loses a line: they go back into stock, or
 * are wasted. Without a choice they are wasted. What the kitchen has not begun always goes back.
 */
const AfterFiring = Type.Optional(Literals(STOCK_CHOICES));

const Portions = Type.Integer({ minimum: 1, maximum: 99 });

/** An order as staff work with it. */
export const BoardOrder = Type.Object({
  order: Order,
  /** Counts the orders of a branch on one day of service. Null for orders from before numbers were given. */
  number: Nullable(Type.Integer({ minimum: 1 })),
  /** When the guest gets it: the chosen time, or the time of placing plus preparation. */
  promised_at: Instant,
  /** The kitchen does not see the order until then. */
  held_until: Nullable(Instant),
  /** When the kitchen was done. Null while it is not, and for orders from before this was kept. */
  ready_at: Nullable(Instant),
  /** What was paid and not refunded. */
  paid_minor: Amount,
  /** Its dishes have recipes: with its acceptance it takes ingredients. */
  takes_stock: Type.Boolean(),
  /** The bill of its table. Null for pickup and delivery, and until the kitchen begins with an order for later. */
  bill_id: Nullable(Type.String()),
  /** The database's clock at the last write. It never goes back, unlike the time at which a change began. */
  changed_at: Instant,
});
export type BoardOrder = Static<typeof BoardOrder>;

export const BoardBranch = Type.Object({ id: Id, name: Translations });
export type BoardBranch = Static<typeof BoardBranch>;

/**
 * The open orders, or those that changed after a position that the page knows. An order of the second kind may be closed by now.
 */
export const Board = Type.Object({
  position: Type.String(),
  is_whole: Type.Boolean(),
  orders: Type.Array(BoardOrder),
  /** Open orders above the limit are left out; the oldest are shown. */
  is_cut: Type.Boolean(),
  branches: Type.Array(BoardBranch),
  /** What the venue offers, in the owner's order. */
  order_types: Type.Array(OrderTypeState),
  zone: Type.String(),
  now: Instant,
});
export type Board = Static<typeof Board>;

const ACTOR_KINDS = ["token", "app", "staff", "screen", "operator", "system"] as const;

export const OrderStep = Type.Object({
  id: Id,
  at: Instant,
  actor_kind: Literals(ACTOR_KINDS),
  actor_name: Type.String(),
  action: Type.String(),
  before: Nullable(Type.Record(Type.String(), Type.Unknown())),
  after: Nullable(Type.Record(Type.String(), Type.Unknown())),
  reason: Nullable(Type.String()),
});
export type OrderStep = Static<typeof OrderStep>;

export const OrderTicket = Type.Object({
  id: Id,
  station: Type.String(),
  state: Literals(["held", "queued", "fired", "done", "voided", "withdrawn"]),
  release_at: Nullable(Instant),
  updated_at: Instant,
});

export const OrderPayment = Type.Object({
  id: Id,
  method: PaymentMethod,
  amount_minor: Amount,
  refunded_total_minor: Amount,
  recorded_by: Type.String(),
  recorded_at: Instant,
});
export type OrderPayment = Static<typeof OrderPayment>;

/** The newest step and the oldest payment come first. */
export const OrderDetails = Type.Object({
  order: BoardOrder,
  steps: Type.Array(OrderStep),
  tickets: Type.Array(OrderTicket),
  payments: Type.Array(OrderPayment),
});
export type OrderDetails = Static<typeof OrderDetails>;

export const Takings = Type.Object({
  date: Type.String(),
  currency: Type.String(),
  /**
   * One row for each method and person. Refunds are subtracted on the day on which they were made. What gift cards paid is no money that came
   * in: it came in when they were sold. Tips are beside what was taken for orders.
   */
  rows: Type.Array(
    Type.Object({
      method: PaymentMethod,
      person: Type.String(),
      taken_minor: Amount,
      refunded_minor: Amount,
      tips_minor: Amount,
      payments: Count,
    }),
  ),
});
export type Takings = Static<typeof Takings>;

const ORDER_PATH = "/venues/{venue}/orders/{order}" as const;

export const orderBoardOperations = {
  readBoard: {
    method: "GET",
    path: "/venues/{venue}/board",
    who: "staff",
    isService: true,
    query: Type.Object({ after: Type.Optional(Type.String({ maxLength: 80 })) }),
    success: { status: 200, body: Data(Board) },
  },
  /**
   * Searches by number, by name, or by the last digits of the phone number; the newest first. Open orders may have any age, others are of a
   * week.
   */
  findBoardOrders: {
    method: "GET",
    path: "/venues/{venue}/orders",
    who: "staff",
    isService: true,
    query: Type.Object({
      search: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
      /** Without a search: completed, rejected and cancelled orders that were placed on the day of service. */
      is_closed: Type.Optional(Literals(["true", "false"])),
      /** Orders of this branch, and those of none. */
      branch: Type.Optional(Id),
    }),
    success: { status: 200, body: Data(Type.Array(BoardOrder)) },
  },
  readOrderDetails: {
    method: "GET",
    path: ORDER_PATH,
    who: "staff",
    isService: true,
    success: { status: 200, body: Data(OrderDetails) },
  },
  /** 409 `state_changed` when the order no longer has the status that the page saw. */
  moveBoardOrder: {
    method: "POST",
    path: `${ORDER_PATH}/status`,
    who: "staff",
    isService: true,
    isIdempotent: true,
    finishesOrders: true,
    body: Type.Object({ seen_status: Literals(ORDER_STATUSES), ...StatusMove.properties, stock: AfterFiring }),
    success: { status: 200, body: Data(BoardOrder) },
  },
  /**
   * Takes one line, or `part` of its portions, off an open order. 409 `state_changed` when the order no longer has the status that the page
   * saw, the line was struck already, or it no longer has as many portions as the page saw. All of the last line is 422: an order without
   * lines is a cancelled one.
   */
  strikeOrderLine: {
    method: "POST",
    path: `${ORDER_PATH}/lines/{id}/strike`,
    who: "staff",
    isService: true,
    isIdempotent: true,
    finishesOrders: true,
    body: Type.Object({
      seen_status: Literals(["placed", "accepted", "ready"]),
      reason: Type.String({ minLength: 3, maxLength: 200 }),
      part: Type.Optional(Type.Object({ quantity: Portions, of: Portions })),
      stock: AfterFiring,
    }),
    success: { status: 200, body: Data(BoardOrder) },
  },
  /** 409 `state_changed` when another payment was made since the page saw what is due. */
  takePayment: {
    method: "POST",
    path: `${ORDER_PATH}/payments`,
    who: "staff",
    isService: true,
    isIdempotent: true,
    finishesOrders: true,
    body: Type.Object({
      method: Literals(COUNTER_METHODS),
      amount_minor: MinorWithin({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      seen_paid_minor: Amount,
    }),
    success: { status: 201, body: Data(BoardOrder) },
  },
  /**
   * Pays in part or in full. 409 as above. 422 `code` for an unknown code, `gift_card` for a card that is frozen or expired, `amount_minor`
   * when less is due or on the card.
   */
  payWithGiftCard: {
    method: "POST",
    path: `${ORDER_PATH}/gift-card-payments`,
    who: "staff",
    isService: true,
    isIdempotent: true,
    finishesOrders: true,
    triesCodes: true,
    body: Type.Object({
      code: Type.String({ minLength: 1, maxLength: 60 }),
      amount_minor: MinorWithin({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      seen_paid_minor: Amount,
    }),
    success: { status: 201, body: Data(BoardOrder) },
  },
  /** What was paid with a gift card goes back to the card. */
  refundOrderPayment: {
    method: "POST",
    path: `${ORDER_PATH}/payments/{id}/refunds`,
    who: "manager",
    isService: true,
    isIdempotent: true,
    finishesOrders: true,
    body: Type.Object({
      amount_minor: MinorWithin({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      reason: Type.String({ minLength: 3, maxLength: 200 }),
      /** What was refunded of this payment when the page was read. */
      seen_refunded_minor: Amount,
    }),
    success: { status: 201, body: Data(BoardOrder) },
  },
  readTakings: {
    method: "GET",
    path: "/venues/{venue}/takings",
    who: "manager",
    isService: true,
    query: Type.Object({ date: Type.Optional(Type.String({ format: "date" })) }),
    success: { status: 200, body: Data(Takings) },
  },
} as const satisfies Record<string, ConsoleOperation>;
