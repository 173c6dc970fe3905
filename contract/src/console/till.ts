/** The venue's till: an address that receives every new order. */
import { type Static, Type } from "typebox";
import { Nullable } from "../shared.ts";
import { type ConsoleOperation, Data, Done, Instant } from "./operation.ts";
import { DeliverySummary } from "./webhooks.ts";

const Url = Type.String({ minLength: 1, maxLength: 2000 });

const { id, state, attempts, due_at, last_status, last_failure, last_duration_ms, created_at } = DeliverySummary.properties;

/** An order on its way to the till. */
export const TillPush = Type.Object({
  id,
  order_id: Type.String(),
  state,
  attempts,
  due_at,
  last_status,
  last_failure,
  last_duration_ms,
  created_at,
});
export type TillPush = Static<typeof TillPush>;

/** `pushes`: of this till and of former ones, the newest first. */
export const VenueTill = Type.Object({
  till: Nullable(Type.Object({ url: Type.String(), connected_by: Type.String(), connected_at: Instant })),
  pushes: Type.Array(TillPush),
});
export type VenueTill = Static<typeof VenueTill>;

const PATH = "/venues/{venue}/till" as const;

/** Every write names the address that the page saw; 409 `state_changed` with the present one when it is another. */
export const tillOperations = {
  readTill: { method: "GET", path: PATH, who: "manager", success: { status: 200, body: Data(VenueTill) } },
  /** Connects a till, or replaces the address and the secret of the one that is connected. 422 `url` when nothing can be sent there. */
  connectTill: {
    method: "PUT",
    path: PATH,
    who: "manager",
    isIdempotent: true,
    showsSecret: true,
    needsRecentPassword: true,
    perMinute: 10,
    body: Type.Object({ seen_url: Nullable(Url), url: Url }),
    success: { status: 201, body: Data(Type.Object({ secret: Type.String() })) },
  },
  /** Orders that are still due to the till are not sent any more. */
  disconnectTill: {
    method: "DELETE",
    path: PATH,
    who: "manager",
    isIdempotent: true,
    body: Type.Object({ seen_url: Url }),
    success: { status: 200, body: Done },
  },
} as const satisfies Record<string, ConsoleOperation>;
