/** The kitchen display: the calls of a screen in the kitchen. The venue, the branch and the stations are those of the screen. */
import { type Static, Type } from "typebox";
import { Id, Literals, Nullable, Translations } from "../shared.ts";
import { Allergen } from "../venue/menu.ts";
import { ORDER_TYPES } from "../venue/orders.ts";
import { type ConsoleOperation, Data, Instant } from "./operation.ts";
import { BoardBranch } from "./orders.ts";
import { Screen } from "./screens.ts";

/** `done`: bumped by the kitchen, or closed with its order. `voided` and struck lines stay until the kitchen acknowledges them. */
const KITCHEN_STATES = ["fired", "done", "voided"] as const;

export const KitchenLine = Type.Object({
  /** The place on the ticket. A line keeps it. */
  index: Type.Integer({ minimum: 0 }),
  /** Null for tickets from before lines named their dish. */
  item_id: Nullable(Id),
  name: Translations,
  variant_name: Nullable(Translations),
  quantity: Type.Integer({ minimum: 1 }),
  modifiers: Type.Array(Type.Object({ name: Translations })),
  /** The allergens of the dish, as the menu says when the ticket is read. Null: the menu does not say, which differs from an empty list. */
  allergens: Nullable(Type.Array(Allergen)),
  is_done: Type.Boolean(),
  is_struck: Type.Boolean(),
  is_acknowledged: Type.Boolean(),
});
export type KitchenLine = Static<typeof KitchenLine>;

export const KitchenTicket = Type.Object({
  id: Id,
  order_id: Type.String(),
  /** Counts the orders of a branch on one day of service. */
  number: Nullable(Type.Integer({ minimum: 1 })),
  type: Literals(ORDER_TYPES),
  table: Nullable(Type.String()),
  customer_name: Nullable(Type.String()),
  note: Nullable(Type.String()),
  branch_id: Nullable(Id),
  station: Type.String(),
  state: Literals(KITCHEN_STATES),
  is_priority: Type.Boolean(),
  /** Set for a voided ticket that the kitchen has acknowledged. */
  is_acknowledged: Type.Boolean(),
  lines: Type.Array(KitchenLine),
  /** What the same order has at other stations. */
  elsewhere: Type.Array(Type.Object({ station: Type.String(), state: Literals(KITCHEN_STATES) })),
  fired_at: Instant,
  promised_at: Instant,
  done_at: Nullable(Instant),
  /** The database's clock at the last write. */
  changed_at: Instant,
});
export type KitchenTicket = Static<typeof KitchenTicket>;

export const MissingParts = Type.Object({ stations: Type.Array(Type.String()), is_branch_missing: Type.Boolean() });
export type MissingParts = Static<typeof MissingParts>;

/**
 * The tickets that are open, or those of the orders that changed after a position that the screen knows: of these orders the screen drops
 * what it has and takes what is given.
 */
export const Kitchen = Type.Object({
  position: Type.String(),
  is_whole: Type.Boolean(),
  changed_orders: Type.Array(Type.String()),
  /** The oldest first. Those from before the previous day of service are left out. */
  tickets: Type.Array(KitchenTicket),
  /** The oldest of the open tickets above the limit are left out. */
  is_cut: Type.Boolean(),
  screen: Screen,
  /** What the screen is set to and the venue no longer has: no new ticket arrives there. */
  missing: MissingParts,
  /** The branches that tickets must name, because orders of two branches can have the same number. Empty on a screen of one branch. */
  branches: Type.Array(BoardBranch),
  venue_name: Translations,
  /** A text that is missing in the screen's language is shown in this one. */
  default_language: Type.String(),
  zone: Type.String(),
  now: Instant,
});
export type Kitchen = Static<typeof Kitchen>;

/** `bump` closes an open ticket, `recall` opens a closed one. `acknowledge` takes note of struck lines, or of a voided ticket. */
export const TICKET_CHANGES = ["bump", "recall", "line_done", "line_open", "acknowledge", "priority", "no_priority"] as const;
export type TicketChangeKind = (typeof TICKET_CHANGES)[number];

export const TicketChange = Type.Object({
  change: Literals(TICKET_CHANGES),
  seen_state: Literals(KITCHEN_STATES),
  /** Required by `line_done` and `line_open`. */
  line: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
  /**
   * `acknowledge` names the struck lines that the screen showed. Without them, as in taps that waited since an earlier version, it means
   * all.
   */
  struck_lines: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: 1000 }), { maxItems: 1000 })),
});
export type TicketChange = Static<typeof TicketChange>;

const KITCHEN_PATH = "/screen/kitchen" as const;

export const kitchenOperations = {
  readKitchen: {
    method: "GET",
    path: KITCHEN_PATH,
    who: "screen",
    purposes: ["kitchen"],
    isService: true,
    query: Type.Object({ after: Type.Optional(Type.String({ maxLength: 80 })) }),
    success: { status: 200, body: Data(Kitchen) },
  },
  /** The last 50 tickets that were closed; the newest first. */
  listDoneTickets: {
    method: "GET",
    path: `${KITCHEN_PATH}/done`,
    who: "screen",
    purposes: ["kitchen"],
    isService: true,
    success: { status: 200, body: Data(Type.Array(KitchenTicket)) },
  },
  /** 409 `state_changed` when the ticket no longer has the state that the screen saw: `details` has the ticket and who changed it. */
  changeTicket: {
    method: "POST",
    path: `${KITCHEN_PATH}/tickets/{id}`,
    who: "screen",
    purposes: ["kitchen"],
    isService: true,
    isIdempotent: true,
    finishesOrders: true,
    body: TicketChange,
    success: { status: 200, body: Data(KitchenTicket) },
  },
  /** The dish is sold out until the day of service ends. A dish that is sold out already stays as it is. */
  sellOutDish: {
    method: "POST",
    path: `${KITCHEN_PATH}/dishes/{id}/sold-out`,
    who: "screen",
    purposes: ["kitchen"],
    isService: true,
    isIdempotent: true,
    perMinute: 20,
    success: { status: 200, body: Data(Type.Object({ id: Id, until: Nullable(Instant) })) },
  },
} as const satisfies Record<string, ConsoleOperation>;
