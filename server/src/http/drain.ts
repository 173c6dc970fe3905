/**
 * Stopping without a failed request: the process first says that it is going (not ready, `Connection: close` on every
 * answer) while it still serves, and closes its door only when clients have had time to go elsewhere.
 */
import { once } from "node:events";
import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { FastifyInstance, FastifyRequest } from "fastify";

const HONEST_REQUEST_MS_MAX = 11_000;

declare module "fastify" {
  interface FastifyContextConfig {
    /** It sends requests into our own routes, which Fastify refuses once it has begun to close. */
    entersOwnRoutes?: boolean;
  }
}

const POLL_MS = 10;

export type Drain = { isDraining(): boolean; stop(): Promise<void> };

export const addDrain = (app: FastifyInstance, drainMs: number): Drain => {
  let isDraining = false;
  const needed = new Set<FastifyRequest>();
  app.addHook("onRequest", (request, reply, done) => {
    if (isDraining) reply.header("Connection", "close");
    if (request.routeOptions.config.entersOwnRoutes) needed.add(request);
    done();
  });
  app.addHook("onResponse", (request, _reply, done) => {
    needed.delete(request);
    done();
  });
  app.addHook("onRequestAbort", async (request) => void needed.delete(request));
  return {
    isDraining: () => isDraining,
    async stop() {
      isDraining = true;
      // Behind a door that is shut already there is nobody to wait for once the last client is gone.
      const hasClients = app.server.listening || (await countConnections(app.server)) > 0;
      if (hasClients) await Promise.race([sleep(drainMs), once(app.server, "close")]);
      const lastMoment = performance.now() + HONEST_REQUEST_MS_MAX;
      while (needed.size > 0 && performance.now() < lastMoment) await sleep(POLL_MS);
      // Node stops looking for slow clients once it is closing; nobody may hold the door open for longer than a request may take.
      const cut = setTimeout(() => app.server.closeAllConnections(), HONEST_REQUEST_MS_MAX);
      await app.close();
      clearTimeout(cut);
    },
  };
};

const countConnections = (server: NetServer): Promise<number> => promisify(server.getConnections.bind(server))();

const QUIET_TURN_MS = 0.05;
/** What counts as little else to do, for each millisecond that we have waited for less. */
const QUIET_TURN_GROWTH = 0.001;
const QUIET_WAIT_MS_MAX = 5000;

/**
 * For a port that others share: newcomers go to them at once, and whoever is connected here is served on. The kernel
 * resets connections that still wait to be accepted when their listening socket closes. libuv accepts one in each turn
 * of the event loop, so the socket is closed right after a turn that found nobody waiting and had little else to do.
 */
export const stopAccepting = (server: NetServer): Promise<void> =>
  new Promise((resolve) => {
    const begin = performance.now();
    // The first turn is already under way and may have looked long ago.
    let [before, hasAccepted] = [begin, true];
    const onConnection = (): void => {
      hasAccepted = true;
    };
    const turn = (): void => {
      const now = performance.now();
      const isQuiet = !hasAccepted && now - before < QUIET_TURN_MS + (now - begin) * QUIET_TURN_GROWTH;
      [before, hasAccepted] = [now, false];
      if (!isQuiet && now - begin < QUIET_WAIT_MS_MAX) return void setImmediate(turn);
      // The HTTP server's own close would also hang up on idle clients, who may be about to ask.
      NetServer.prototype.close.call(server);
      server.off("connection", onConnection);
      resolve();
    };
    server.on("connection", onConnection);
    setImmediate(turn);
  });
