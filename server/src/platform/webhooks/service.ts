/** A message to somebody outside: signed at the moment it is sent, by whoever is handed the sender. */
import { type Failure, receiverFault, sentenceOf } from "./rules.ts";
import type { Outcome, Sender } from "./send.ts";
import { signatureOf } from "./sign.ts";

export type { Failure, Outcome, Sender };

export type Message = {
  url: string;
  secrets: readonly string[];
  /** The event's bytes as they were frozen; every attempt sends the same. */
  body: string;
  /** The moment of this attempt: receivers refuse a signature older than five minutes. */
  at: Date;
};

const USER_AGENT = "Service-Webhooks/1";

export const deliver = ({ send }: Sender, { url, secrets, body, at }: Message): Promise<Outcome> => {
  const { id, type } = JSON.parse(body) as { id: string; type: string };
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": USER_AGENT,
    "Service-Event": type,
    "Service-Delivery": id,
    "Service-Signature": signatureOf(body, secrets, at),
  };
  return send({ url, headers, body });
};

/** Why nothing can be sent to this address, as a sentence; null when something can. */
export const findReceiverFault = (url: string): string | null => receiverFault(url);

export const describeFailure = (failure: string | null): string => (failure === null ? "" : sentenceOf(failure as Failure));
