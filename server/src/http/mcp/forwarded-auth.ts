/**
 * The MCP endpoint authenticates and counts a tool call, then injects a request into the operation's route. The result of the
 * authentication travels in AsyncLocalStorage and never in the injected request, so a client cannot forge it.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Principal } from "#lib/principal.ts";
import type { Quota } from "../rate-limit.ts";

export type ForwardedAuth = {
  readonly principal: Principal;
  readonly quota: Quota;
  /** Authenticates the same token again: null when it is no longer valid. */
  identifyAgain(now: Date): Promise<Principal | null>;
  readonly requestId: string;
  readonly rootUrl: string;
};

const storage = new AsyncLocalStorage<{ auth: ForwardedAuth | null }>();

export const runWithForwardedAuth = <T>(auth: ForwardedAuth, work: () => Promise<T>): Promise<T> => storage.run({ auth }, work);

/** The injected request logs under the request id of the MCP message. */
export const forwardedRequestId = (): string | undefined => storage.getStore()?.auth?.requestId;

/** Returns it once, because resources that the call opens, such as a database connection, must not inherit it. */
export const takeForwardedAuth = (): ForwardedAuth | null => {
  const store = storage.getStore();
  const auth = store?.auth ?? null;
  if (store) store.auth = null;
  return auth;
};
