/** The program on the integrator's machine: keeps what it gets, and answers as a test wants. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export type ReceivedMessage = { path: string; headers: IncomingHttpHeaders; body: string; status: number };

export type LocalReceiver = {
  url: string;
  port: number;
  received: ReceivedMessage[];
  /** The status of the next answers; a promise delays it. */
  behave(statusOf: (message: { body: string; count: number }) => number | Promise<number>): void;
  close(): Promise<void>;
};

export const startLocalReceiver = async (port = 0): Promise<LocalReceiver> => {
  const received: ReceivedMessage[] = [];
  let statusOf: (message: { body: string; count: number }) => number | Promise<number> = () => 204;
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      const status = await statusOf({ body, count: received.length + 1 });
      received.push({ path: request.url ?? "", headers: request.headers, body, status });
      response.writeHead(status).end();
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}/comanda`,
    port: taken,
    received,
    behave: (next) => {
      statusOf = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
