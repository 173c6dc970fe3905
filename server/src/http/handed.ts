/**
 * A tool call of an agent enters the operation's own route from inside the process. Who it is and what is left of the quota were
 * found at the agents' door; they are handed over beside the request and never in it, so that nothing a client sends can stand for them.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Admitted } from "./gate.ts";

export type Handed = Admitted & { readonly requestId: string; readonly rootUrl: string };

const hands = new AsyncLocalStorage<{ handed: Handed | null }>();

export const handOver = <T>(handed: Handed, work: () => Promise<T>): Promise<T> => hands.run({ handed }, work);

/** The log of the door and that of the operation carry one request id. */
export const handedRequestId = (): string | undefined => hands.getStore()?.handed?.requestId;

export const peekHanded = (): Handed | null => hands.getStore()?.handed ?? null;

/** Once: whatever else happens in the course of the call, such as a connection being opened, does not inherit it. */
export const takeHanded = (): Handed | null => {
  const hand = hands.getStore();
  const handed = hand?.handed ?? null;
  if (hand) hand.handed = null;
  return handed;
};
