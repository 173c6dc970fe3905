/** Faults that a program orders in its sandbox. Each is taken exactly once, by a request or a delivery, in whichever process it runs. */
import type { FaultOrder, OrderedFaults, WebhookFault } from "@comanda/contract/sandbox/sandbox-operations.ts";
import type { Ctx } from "#lib/context.ts";
import { validationError } from "#lib/errors.ts";
import { realNow } from "#lib/venue-clock.ts";
import { decideFaults, FAULT_LIFE_MS, isRefused } from "./rules.ts";
import {
  type DeliveryFault,
  deleteExpired,
  insertFaults,
  listFaults,
  listOfDeliveries,
  listSwapped,
  type TakenFault,
  takeForAnswer,
  takeForDeliveries,
} from "./store.ts";

export type { TakenFault };

/** Needs the exclusive lock on the sandbox, so that the limit holds. `operations` are those that faults of answers may name. */
export const orderFaults = async (ctx: Ctx, order: FaultOrder, operations: readonly string[]): Promise<OrderedFaults> => {
  const { fault } = order;
  if (fault !== undefined) {
    const waiting = (await listFaults(ctx)).reduce((sum, { left }) => sum + left, 0);
    const decided = decideFaults({ ...order, fault }, waiting, operations);
    if (isRefused(decided)) throw validationError(decided);
    deleteExpired(ctx);
    insertFaults(ctx, decided, new Date(realNow(ctx).getTime() + FAULT_LIFE_MS));
  }
  return { faults: await listFaults(ctx) };
};

/** The fault that this answer takes, or null. */
export const takeAnswerFault = async (ctx: Ctx, operation: string): Promise<TakenFault | null> => {
  const taken = await takeForAnswer(ctx, operation);
  // Otherwise every request of the sandbox would go on looking for one that has expired.
  if (!taken) deleteExpired(ctx);
  return taken ?? null;
};

/** `isNew`: taken just now. A fault of an earlier reading still marks the delivery. */
export type FaultOfDelivery = { fault: WebhookFault; durationMs: number; isNew: boolean };

const EMPTY: ReadonlyMap<number, FaultOfDelivery> = new Map();

/** The map's key is the id of the delivery. `unsent` were never sent, in their order: a fault is over with the first attempt. */
export const takeDeliveryFaults = async (ctx: Ctx, unsent: readonly number[]): Promise<ReadonlyMap<number, FaultOfDelivery>> => {
  if (ctx.tenant.kind !== "sandbox" || unsent.length === 0) return EMPTY;
  const earlier = listOfDeliveries(ctx, unsent);
  const taken = takeForDeliveries(ctx, unsent);
  const entry =
    (isNew: boolean) =>
    ({ delivery_id, fault, duration_ms }: DeliveryFault): [number, FaultOfDelivery] => [
      delivery_id,
      { fault, durationMs: duration_ms, isNew },
    ];
  return new Map([...(await earlier).map(entry(false)), ...(await taken).map(entry(true))]);
};

/** Deliveries that wait until the next one to their address was sent. */
export const readSwapped = async (ctx: Ctx): Promise<number[]> =>
  ctx.tenant.kind === "sandbox" ? (await listSwapped(ctx)).map(({ delivery_id }) => delivery_id) : [];
