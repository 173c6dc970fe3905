/** Signed messages to endpoints, the check of an address, and the sentences for failures. */
import { randomUUID } from "node:crypto";
import type { CheckStep, FailureReason } from "@comanda/contract/console/webhooks.ts";
import { FAULT_HEADER, type WebhookFault } from "@comanda/contract/sandbox/sandbox-operations.ts";
import { type Failure, sentenceOf, stepsOf } from "../rules/failures.ts";
import { literalOf, receiverFault } from "../rules/receiver-address.ts";
import type { ConnectionStep } from "../send/connection.ts";
import type { PostOutcome } from "../send/post.ts";
import type { Sender } from "../send/sender.ts";
import { signatureOf, standardHeadersOf } from "../sign.ts";
import { newSigningSecret } from "./secrets.ts";

export type { Failure, PostOutcome, Sender };
export { signatureOf };

export type WebhookMessage = {
  url: string;
  secrets: readonly string[];
  event: { id: string; type: string };
  /** The event's stored bytes; every attempt sends the same. */
  body: string;
  /** The time of this attempt: receivers refuse a signature older than five minutes. */
  at: Date;
  /** The fault that this delivery of a sandbox took. */
  fault?: WebhookFault;
  onStep?: (step: ConnectionStep) => void;
};

const USER_AGENT = "Service-Webhooks/1";

export const deliver = ({ send }: Sender, { url, secrets, event, body, at, fault, onStep }: WebhookMessage): Promise<PostOutcome> =>
  send({
    url,
    body,
    ...(onStep ? { onStep } : {}),
    headers: {
      "Content-Type": "application/json",
      "User-Agent": USER_AGENT,
      "Service-Event": event.type,
      "Service-Delivery": event.id,
      ...(fault ? { [FAULT_HEADER]: fault } : {}),
      "Service-Signature": signatureOf(body, secrets, at),
      ...standardHeadersOf(event.id, body, secrets, at),
    },
  });

/** Sends a ping signed with a random secret: the address may not be registered yet. */
export const checkAddress = async (sender: Sender, url: string): Promise<CheckStep[]> => {
  const passed: { step: CheckStep["step"]; ms: number }[] = [];
  let stepStartedAt = performance.now();
  const endStep = (): number => {
    const [startedAt, now] = [stepStartedAt, performance.now()];
    stepStartedAt = now;
    return Math.round(now - startedAt);
  };
  const pass = (step: CheckStep["step"]) => void passed.push({ step, ms: endStep() });
  const fault = receiverFault(url);
  if (fault !== null && fault !== "blocked_address") return stepsOf([], { failure: fault, status: null, ms: endStep() }, false);
  const isLiteral = literalOf(url) !== null;
  pass("https");
  if (fault !== null) {
    pass("dns");
    return stepsOf(passed, { failure: fault, status: null, ms: endStep() }, isLiteral);
  }
  const event = { id: randomUUID(), type: "ping" };
  const body = JSON.stringify({ ...event, data: { message: "Is anybody there? This address is being looked at." } });
  const message = { url, secrets: [newSigningSecret()], event, body, at: new Date(), onStep: pass };
  const { failure, status } = await deliver(sender, message);
  return stepsOf(passed, { failure, status, ms: endStep() }, isLiteral);
};

/** Why nothing can be sent to this address, as a sentence; null when something can. */
export const findReceiverFault = (url: string): string | null => {
  const fault = receiverFault(url);
  return fault === null ? null : sentenceOf(fault);
};

export const describeFailure = (failure: string | null): string => (failure === null ? "" : sentenceOf(failure as Failure));

/** Returns a code with values, because clients have their own texts. */
export const failureReason = (failure: string | null, status: number | null): FailureReason | null =>
  failure === null ? null : { code: failure as Failure, values: status === null ? {} : { status } };
