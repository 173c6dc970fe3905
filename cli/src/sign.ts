/** The headers of a webhook delivery, made on this machine: the service never sends to a private address. */
import { createHmac } from "node:crypto";

export type SignedEvent = { id: string; type: string; body: string };

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text);

/** The service's own signature takes the whole secret as its key, that of Standard Webhooks the bytes after `whsec_`. */
export const deliveryHeaders = ({ id, type, body }: SignedEvent, secret: string, at: Date): Record<string, string> => {
  const seconds = Math.floor(at.getTime() / 1000);
  const standardKey = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return {
    "Content-Type": "application/json",
    "User-Agent": "Service-Webhooks/1",
    "Service-Event": type,
    "Service-Delivery": id,
    "Service-Signature": `t=${seconds},v1=${hmac(secret, `${seconds}.${body}`).digest("hex")}`,
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": `v1,${hmac(standardKey, `${id}.${seconds}.${body}`).digest("base64")}`,
  };
};
