/** Order types during service: paused for a time, or with longer preparation while the kitchen is busy. */
import { type Static, Type } from "typebox";
import { Literals, Nullable } from "../shared.ts";
import { OrderType } from "../venue/orders.ts";
import { type ConsoleOperation, Data, Instant } from "./operation.ts";

/** Ends that have passed are null. `extra_minutes` is null unless the type is busy. */
const TypeLoad = Type.Object({
  paused_until: Nullable(Instant),
  busy_until: Nullable(Instant),
  extra_minutes: Nullable(Type.Integer({ minimum: 1, maximum: 120 })),
});
export type TypeLoad = Static<typeof TypeLoad>;

/** A type that the venue offers. */
export const OrderTypeState = Type.Object({ type: OrderType, ...TypeLoad.properties });
export type OrderTypeState = Static<typeof OrderTypeState>;

/** `pause_today`: until the day of service ends. `busy_10`: ten minutes more preparation, for an hour. */
export const LOAD_CHOICES = ["pause_15", "pause_30", "pause_60", "pause_today", "busy_10", "busy_20", "end_pause", "end_busy"] as const;
export type LoadChoice = (typeof LOAD_CHOICES)[number];

const OrderTypeChange = Type.Object({ type: OrderType, seen: TypeLoad, to: Literals(LOAD_CHOICES) });
export type OrderTypeChange = Static<typeof OrderTypeChange>;

export const orderTypeOperations = {
  /** 409 `state_changed` when the type no longer has the state that the page saw. */
  setOrderType: {
    method: "POST",
    path: "/venues/{venue}/order-types",
    who: "manager",
    isService: true,
    isIdempotent: true,
    body: OrderTypeChange,
    success: { status: 200, body: Data(OrderTypeState) },
  },
} as const satisfies Record<string, ConsoleOperation>;
