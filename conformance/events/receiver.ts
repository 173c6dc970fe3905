/** The kit's receiver of events: it listens where the address of the target leads to, and stores what arrives. */
import { createServer as createPlain, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createSecure } from "node:https";
import type { EventsTarget } from "../target.ts";
import type { ReceivedDelivery } from "./delivery-check.ts";

export type KitReceiver = { readonly received: readonly ReceivedDelivery[]; close(): Promise<void> };

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]));

export const startEventReceiver = async ({ port, tls }: EventsTarget["receiver"]): Promise<KitReceiver> => {
  const received: ReceivedDelivery[] = [];
  const take: RequestListener = (request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts).toString();
      received.push({ method: request.method ?? "", headers: headersOf(request), body, receivedAtMs: Date.now() });
      response.writeHead(200).end();
    });
  };
  const server = tls ? createSecure(tls, take) : createPlain(take);
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, resolve));
  return {
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
