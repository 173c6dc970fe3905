/** How a program controls its sandbox (decision 0065). Additions to version 1 that only the token of a sandbox reaches. */
import { type Static, Type } from "typebox";
import { EventType } from "../events/envelope.ts";
import type { Operation } from "../operation.ts";
import { CalendarDate, DateTime, Id, Literals, MinorWithin, Nullable, One, PRICE_MAX, Shape, UUID_PATTERN } from "../shared.ts";
import { StatusMove } from "../venue/orders.ts";
import { RequestTail, RequestTailQuery } from "./sandbox-requests.ts";

/** Each act with the fields that it needs. */
export const SANDBOX_ACTS = {
  trigger: ["event"],
  pay_order: ["order_id"],
  refund_payment: ["payment_id"],
  move_order: ["order_id", "status"],
  strike_line: ["order_id", "line_id"],
  rate_order: ["order_id", "rating"],
  move_reservation: ["reservation_id", "step"],
  sell_out_item: ["item_id"],
  change_guest: ["guest_id"],
  issue_gift_card: ["amount_minor"],
} as const;
const ACT_NAMES = Object.keys(SANDBOX_ACTS) as (keyof typeof SANDBOX_ACTS)[];

/** What staff do with a booking. */
const RESERVATION_STEPS = ["confirm", "decline", "arrive", "seat", "leave", "no_show", "cancel"] as const;

const Uuid = Type.String({ pattern: UUID_PATTERN, maxLength: 36 });
const TEXT_MAX = 200;

const SandboxAct = Type.Object({
  act: Literals(ACT_NAMES, { description: "What to do." }),
  event: Type.Optional({ ...EventType, description: "For `trigger`: the type of event that a real change shall cause." }),
  order_id: Type.Optional({ ...Uuid, description: "For acts on an order." }),
  line_id: Type.Optional({ ...Id, description: "For `strike_line`: the line of the order." }),
  payment_id: Type.Optional({ ...Id, description: "For `refund_payment`: the payment, as `pay_order` answered it." }),
  reservation_id: Type.Optional({ ...Uuid, description: "For `move_reservation`." }),
  item_id: Type.Optional({ ...Id, description: "For `sell_out_item`: the dish, which is back when the day ends." }),
  guest_id: Type.Optional({ ...Id, description: "For `change_guest`." }),
  status: Type.Optional({ ...StatusMove.properties.status, description: "For `move_order`: the status to move to." }),
  step: Type.Optional(Literals(RESERVATION_STEPS, { description: "For `move_reservation`: what staff do with the booking." })),
  amount_minor: Type.Optional(
    MinorWithin({
      minimum: 1,
      maximum: PRICE_MAX,
      description: "For `issue_gift_card`; for `pay_order` and `refund_payment` all that is left, unless said otherwise.",
    }),
  ),
  gift_card_code: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: "For `pay_order`: paid with this card instead of in cash." }),
  ),
  expires_on: Type.Optional({ ...CalendarDate, description: "For `issue_gift_card`: the last day; without it the card does not expire." }),
  rating: Type.Optional(Type.Integer({ minimum: 1, maximum: 5, description: "For `rate_order`." })),
  comment: Type.Optional(Type.String({ minLength: 1, maxLength: TEXT_MAX, description: "For `rate_order`: the guest's words." })),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: TEXT_MAX, description: "For `change_guest`: the new name." })),
  marketing_opted_in: Type.Optional(
    Type.Boolean({ description: "For `change_guest`: whether the guest agrees to hear from the restaurant." }),
  ),
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: TEXT_MAX, description: "Why, for the acts that staff give a reason for." })),
});
export type SandboxAct = Static<typeof SandboxAct>;

const DoneAct = Shape(
  "SandboxAct",
  {
    act: Literals(ACT_NAMES),
    subject: Nullable(
      Shape("SandboxSubject", {
        type: Type.String({ minLength: 1 }),
        id: Type.Unsafe<number | string>({ anyOf: [Id, { type: "string", minLength: 1 }] }),
      }),
    ),
    gift_card_code: Nullable(Type.String()),
    events: Type.Array(Shape("SandboxEvent", { id: Type.String({ pattern: UUID_PATTERN }), type: Type.String() })),
  },
  { description: "What was done in the sandbox." },
);
export type DoneAct = Static<typeof DoneAct>;

/** The limit of all moves together, until the next reset. */
export const CLOCK_DAYS_MAX = 400;
const CLOCK_SECONDS_MAX = CLOCK_DAYS_MAX * 86_400;

const ClockMove = Type.Object({
  forward_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: CLOCK_SECONDS_MAX, description: "How far to move the clock." })),
  to: Type.Optional(Type.String({ maxLength: 40, format: "date-time", description: "Instead: the moment to move it to." })),
});
export type ClockMove = Static<typeof ClockMove>;

const SandboxClock = Shape(
  "SandboxClock",
  { now: DateTime, ahead_seconds: Type.Integer({ minimum: 0, maximum: CLOCK_SECONDS_MAX }) },
  { description: "The clock of the sandbox." },
);
export type SandboxClock = Static<typeof SandboxClock>;

export const ANSWER_FAULTS = ["lose_answer", "503", "429", "slow", "timeout"] as const;
export const WEBHOOK_FAULTS = ["twice", "swapped", "late", "bad_signature"] as const;
const FAULTS = [...ANSWER_FAULTS, ...WEBHOOK_FAULTS] as const;
export type AnswerFault = (typeof ANSWER_FAULTS)[number];
export type WebhookFault = (typeof WEBHOOK_FAULTS)[number];

/** The header of the answer or the webhook that a fault was taken for. */
export const FAULT_HEADER = "Service-Fault";

/** Waiting to be taken, at any time. */
export const FAULTS_MAX = 1000;
/** The limit is below the time after which a silent connection is closed. */
const FAULT_MS_MAX = 20_000;
const OPERATION_LENGTH_MAX = 60;

const FaultOrder = Type.Object({
  fault: Type.Optional(Literals(FAULTS, { description: "What shall go wrong." })),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: FAULTS_MAX, description: "How often; once by default." })),
  operation: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: OPERATION_LENGTH_MAX,
      description: "Only this `operationId`.",
    }),
  ),
  duration_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: FAULT_MS_MAX, description: "How long." })),
});
export type FaultOrder = Static<typeof FaultOrder>;

const OrderedFaults = Shape(
  "SandboxFaults",
  {
    faults: Type.Array(
      Type.Object({
        fault: Type.String(),
        operation: Nullable(Type.String()),
        left: Type.Integer(),
      }),
    ),
  },
  { description: "What waits." },
);
export type OrderedFaults = Static<typeof OrderedFaults>;

const SANDBOX_ONLY = { scope: null, isAddition: true, onlyInSandbox: true, tag: "Sandbox" } as const;

export const sandboxOperations = {
  runSandboxAct: {
    ...SANDBOX_ONLY,
    method: "POST",
    path: "/sandbox/act",
    summary: "Act in the sandbox",
    description:
      "Does in the sandbox what otherwise staff, guests or devices do, as a real change: it is checked, logged and told by events as theirs is. `events` are those that it caused. Only the token of a sandbox reaches it; to any other it is an unknown path.",
    body: SandboxAct,
    success: { status: 200, body: One(DoneAct) },
    extraStatuses: [404, 409, 422],
  },
  listSandboxRequests: {
    ...SANDBOX_ONLY,
    method: "GET",
    path: "/sandbox/requests",
    waits: "requests",
    summary: "List the sandbox's requests",
    description:
      "What was asked of this sandbox, the oldest first: refusals with the check that refused, fields and reasons, never values. A request is there a second after its answer, for two days. Calls of this operation are left out. Only the token of a sandbox reaches it.",
    query: RequestTailQuery,
    success: { status: 200, body: RequestTail },
    extraStatuses: [404, 422],
  },
  moveSandboxClock: {
    ...SANDBOX_ONLY,
    isAlone: true,
    method: "POST",
    path: "/sandbox/clock",
    summary: "Move the sandbox's clock",
    description: `Moves the clock of the sandbox forward, by at most ${CLOCK_DAYS_MAX} days in all, and answers with it; without a field it only answers. Hours, prices, bookings, orders and reports go by it. What becomes due happens within seconds. Tokens, keys, limits and deliveries stay on the real clock. The nightly reset takes it back.`,
    body: ClockMove,
    success: { status: 200, body: One(SandboxClock) },
    extraStatuses: [404, 422],
  },
  orderSandboxFaults: {
    ...SANDBOX_ONLY,
    isAlone: true,
    method: "POST",
    path: "/sandbox/faults",
    summary: "Order faults in the sandbox",
    description:
      "Lets the next answers or webhooks fail, and lists what waits. Each is taken once, marked by `Service-Fault`, and gone after ten minutes.",
    body: FaultOrder,
    success: { status: 200, body: One(OrderedFaults) },
    extraStatuses: [404, 422],
  },
} as const satisfies Record<string, Operation>;
