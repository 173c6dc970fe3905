/** A receiver of our messages on this machine: real TLS, any manners a test asks for, and a memory of what came. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { createSender, type Sender, type SenderOptions } from "../../src/platform/events/webhooks/send/sender.ts";
import { type Authority, type Certificate, createAuthority, createCertificate } from "./certificates.ts";

export type ReceivedRequest = { headers: IncomingMessage["headers"]; body: string; at: number };
export type ReceiverReply = (request: IncomingMessage, response: ServerResponse) => void;

export type Receiver = {
  /** Its host is a name that only `createLocalSender` resolves. */
  url: string;
  port: number;
  received: ReceivedRequest[];
  authority: Authority;
  /** How it answers from now on; 200 at first. */
  behave(manners: ReceiverReply): void;
  close(): Promise<void>;
};

const RECEIVER_HOST = "pos.test";

export const answer =
  (status: number, headers: Record<string, string> = {}, body = ""): ReceiverReply =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body);

/** Takes the request and never answers. */
export const hang: ReceiverReply = () => undefined;

export const startReceiver = async (given: { authority?: Authority; certificate?: Certificate } = {}): Promise<Receiver> => {
  const authority = given.authority ?? createAuthority();
  const { cert, key } = given.certificate ?? createCertificate([RECEIVER_HOST], { issuer: authority });
  const received: ReceivedRequest[] = [];
  let manners = answer(200, {}, "ok");
  const server = createServer({ cert, key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString(), at: Date.now() });
      manners(request, response);
    });
  });
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://${RECEIVER_HOST}:${port}/orders`,
    port,
    received,
    authority,
    behave: (wanted) => {
      manners = wanted;
    },
    close: () => closeServer(server),
  };
};

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/** The service's sender, with settings for tests: this machine is public, every name is here, and the test authority is trusted. */
export const createLocalSender = (authorityCert: string, options: SenderOptions = {}): Sender =>
  createSender({
    ca: authorityCert,
    isPublic: () => true,
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    ...options,
  });
