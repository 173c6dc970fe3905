/** How a receiver knows that it was us: `t=<unix time>,v1=<hex>` (contract §6.1.3), and the same by the rules of Standard Webhooks. */
import { createHmac } from "node:crypto";

/** The key is the whole text of the secret. While a secret is being replaced, both sign: one `v1` each. */
export const signatureOf = (body: string, secrets: readonly string[], at: Date): string => {
  const seconds = secondsOf(at);
  const signatures = secrets.map((secret) => `v1=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`);
  return [`t=${seconds}`, ...signatures].join(",");
};

/** Standard Webhooks 1.0.0: the key is the base64 after `whsec_`, and the signed text begins with the id. */
export const standardHeadersOf = (id: string, body: string, secrets: readonly string[], at: Date): Record<string, string> => {
  const seconds = secondsOf(at);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": signatures.join(" ") };
};

const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1000);
