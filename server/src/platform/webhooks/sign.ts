/** How a receiver knows that it was us: `t=<unix time>,v1=<hex>` (contract §6.1.3). */
import { createHmac } from "node:crypto";

/** The key is the whole text of the secret. While a secret is being replaced, both sign: one `v1` each. */
export const signatureOf = (body: string, secrets: readonly string[], at: Date): string => {
  const seconds = Math.floor(at.getTime() / 1000);
  const signatures = secrets.map((secret) => `v1=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`);
  return [`t=${seconds}`, ...signatures].join(",");
};
