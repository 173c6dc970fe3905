/** The console's pages as the service sends them, without the service: the test answers the calls. */
import type { AddressInfo } from "node:net";
import { CONSOLE_PREFIX } from "@comanda/contract/console/operation.ts";
import Fastify, { type FastifyRequest } from "fastify";
import { addConsoleFiles } from "#http/console/static-files.ts";

type MockRequest = { method: string; path: string; query: URLSearchParams; headers: FastifyRequest["headers"]; body: unknown };
/** `events`: the text of a stream of server-sent events, which ends after it. */
type PreparedAnswer = { status: number; json: object | null; events?: string };

export const openConsoleMockServer = async (
  answer: (asked: MockRequest) => PreparedAnswer,
): Promise<{ url: string; close(): Promise<void> }> => {
  const app = Fastify({ forceCloseConnections: true });
  app.all(`${CONSOLE_PREFIX}/*`, async ({ method, url, headers, body }, reply) => {
    const { pathname, searchParams: query } = new URL(url, "http://stage");
    const path = pathname.slice(CONSOLE_PREFIX.length);
    const { status, json, events } = answer({ method, path, query, headers, body });
    if (events !== undefined) return reply.code(status).type("text/event-stream").send(events);
    return reply.code(status).send(json ?? undefined);
  });
  addConsoleFiles(app);
  await app.listen({ host: "127.0.0.1", port: 0 });
  return { url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, close: () => app.close() };
};
