/** The console's pages as the service sends them, without the service: whoever opens them answers the calls. */
import type { AddressInfo } from "node:net";
import { CONSOLE_PREFIX } from "@comanda/contract/console-operation.ts";
import Fastify, { type FastifyRequest } from "fastify";
import { addConsolePages } from "#http/console-pages.ts";

type Asked = { method: string; path: string; headers: FastifyRequest["headers"]; body: unknown };
type Answer = { status: number; json: object | null };

export const openPlayedConsole = async (answer: (asked: Asked) => Answer): Promise<{ url: string; close(): Promise<void> }> => {
  const app = Fastify({ forceCloseConnections: true });
  app.all(`${CONSOLE_PREFIX}/*`, async ({ method, url, headers, body }, reply) => {
    const path = new URL(url, "http://stage").pathname.slice(CONSOLE_PREFIX.length);
    const { status, json } = answer({ method, path, headers, body });
    return reply.code(status).send(json ?? undefined);
  });
  addConsolePages(app);
  await app.listen({ host: "127.0.0.1", port: 0 });
  return { url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, close: () => app.close() };
};
