/**
 * Stops without a failed request: the process first reports not ready and sends `Connection: close` with every answer, but still serves.
 * It closes the listener after clients have had time to connect elsewhere.
 */
import { once } from "node:events";
import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { FastifyInstance, FastifyRequest } from "fastify";

const REQUEST_MS_MAX = 11_000;

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route injects requests into other routes, which Fastify rejects once it is closing. */
    entersOwnRoutes?: boolean;
  }
}

const POLL_MS = 10;

export type GracefulShutdown = { isShuttingDown(): boolean; stop(): Promise<void> };

export const addGracefulShutdown = (app: FastifyInstance, shutdownGraceMs: number): GracefulShutdown => {
  let isShuttingDown = false;
  const needed = new Set<FastifyRequest>();
  app.addHook("onRequest", (request, reply, done) => {
    if (isShuttingDown) reply.header("Connection", "close");
    if (request.routeOptions.config.entersOwnRoutes) needed.add(request);
    done();
  });
  app.addHook("onResponse", (request, _reply, done) => {
    needed.delete(request);
    done();
  });
  app.addHook("onRequestAbort", async (request) => void needed.delete(request));
  return {
    isShuttingDown: () => isShuttingDown,
    async stop() {
      isShuttingDown = true;
      // If the listener is already closed and no connection is open, there is no client to wait for.
      const hasClients = app.server.listening || (await countConnections(app.server)) > 0;
      if (hasClients) await Promise.race([sleep(shutdownGraceMs), once(app.server, "close")]);
      const lastMoment = performance.now() + REQUEST_MS_MAX;
      while (needed.size > 0 && performance.now() < lastMoment) await sleep(POLL_MS);
      // Node stops checking for slow clients once it is closing, so connections are cut after the longest time of a request.
      const cut = setTimeout(() => app.server.closeAllConnections(), REQUEST_MS_MAX);
      await app.close();
      clearTimeout(cut);
    },
  };
};

const countConnections = (server: NetServer): Promise<number> => promisify(server.getConnections.bind(server))();

const QUIET_TURN_MS = 0.05;
/** The limit of a quiet turn grows with each millisecond of waiting. */
const QUIET_TURN_GROWTH = 0.001;
const QUIET_WAIT_MS_MAX = 5000;

/**
 * Stops accepting on a port that several processes share: new connections go to the others, and open ones are still served here. The kernel
 * resets connections that wait to be accepted when their listening socket closes. libuv accepts one in each turn of the event loop, so the
 * socket is closed right after a short turn without a new connection.
 */
export const stopAccepting = (server: NetServer): Promise<void> =>
  new Promise((resolve) => {
    const begin = performance.now();
    // The current turn may have accepted connections long ago, so it does not count as quiet.
    let [before, hasAccepted] = [begin, true];
    const onConnection = (): void => {
      hasAccepted = true;
    };
    const turn = (): void => {
      const now = performance.now();
      const isQuiet = !hasAccepted && now - before < QUIET_TURN_MS + (now - begin) * QUIET_TURN_GROWTH;
      [before, hasAccepted] = [now, false];
      if (!isQuiet && now - begin < QUIET_WAIT_MS_MAX) return void setImmediate(turn);
      // The HTTP server's own close would also disconnect idle clients, which may be about to send a request.
      NetServer.prototype.close.call(server);
      server.off("connection", onConnection);
      resolve();
    };
    server.on("connection", onConnection);
    setImmediate(turn);
  });
