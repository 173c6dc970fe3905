/** What the contract says of every delivered event (§6.1, §6.2): method, headers, signature, envelope, and the shape of its type. */
import { createHmac } from "node:crypto";
import { EVENT_TYPES, eventSchema } from "@comanda/contract/events/envelope.ts";
import { strictCheck } from "../strict-schema.ts";

export type ReceivedDelivery = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly receivedAtMs: number;
};

const SIGNATURE = /^t=(\d+)((?:,v1=[0-9a-f]{64})+)$/;
/** The time of the signature is that of the sending. The clocks of two machines may differ by some seconds. */
const SIGNED_WITHIN_SECONDS = 30;

export const typeOf = ({ headers }: ReceivedDelivery): string => headers["service-event"] ?? "";

/** Empty when the delivery is exactly as the contract says. */
export const deliveryProblems = (delivery: ReceivedDelivery, secret: string): string[] => [
  ...(delivery.method === "POST" ? [] : [`the method is ${delivery.method}`]),
  ...(/^application\/json\b/.test(delivery.headers["content-type"] ?? "") ? [] : ["Content-Type is not JSON"]),
  ...signatureProblems(delivery, secret),
  ...bodyProblems(delivery),
];

const signatureProblems = ({ headers, body, receivedAtMs }: ReceivedDelivery, secret: string): string[] => {
  const signature = headers["service-signature"];
  const [, time = "", values = ""] = SIGNATURE.exec(signature ?? "") ?? [];
  if (time === "") return [`Service-Signature is ${signature}`];
  const expected = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
  const seconds = Math.abs(receivedAtMs / 1000 - Number(time));
  return [
    ...(values.includes(`,v1=${expected}`) ? [] : ["no v1 of Service-Signature is that of the body under the secret"]),
    ...(seconds <= SIGNED_WITHIN_SECONDS ? [] : [`t of Service-Signature is ${seconds} seconds from the time of the delivery`]),
  ];
};

const bodyProblems = (delivery: ReceivedDelivery): string[] => {
  const type = EVENT_TYPES.find((known) => known === typeOf(delivery));
  if (!type) return [`Service-Event is ${typeOf(delivery)}`];
  const event = parsed(delivery.body);
  if (event === null) return ["the body is not JSON"];
  const id = delivery.headers["service-delivery"];
  return [
    ...(event.id === id ? [] : [`Service-Delivery is ${id}, and the id of the event ${event.id}`]),
    ...strictCheck(eventSchema(type))(event),
  ];
};

const parsed = (text: string): { id?: unknown } | null => {
  try {
    return JSON.parse(text) as { id?: unknown } | null;
  } catch {
    return null;
  }
};
