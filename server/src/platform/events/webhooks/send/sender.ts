/**
 * The only code that sends to addresses given by customers. Each address is checked three times: as written, as resolved
 * and as connected. The connection is made to the address that was checked.
 */
import { createSecureContext } from "node:tls";
import { isPublicAddress, targetFault } from "../rules/receiver-address.ts";
import { type Cancellation, createCancellation } from "./cancellation.ts";
import { type ConnectionSettings, createAgent, resolveHost } from "./connection.ts";
import { type OutboundRequest, outcomeOf, type ParsedTarget, type PostOutcome, post } from "./post.ts";

const DEADLINE_MS = 10_000;
/**
 * Many venues share the host of one integrator. The limit is above the concurrency of a worker, so that endpoints of that
 * host that hang do not block those that answer.
 */
const CONNECTIONS_PER_HOST = 512;

export type Sender = { send(request: OutboundRequest): Promise<PostOutcome>; close(): Promise<void> };

/** Tests change these settings; the service uses the defaults. */
export type SenderOptions = Partial<Omit<ConnectionSettings, "secureContext">> & { ca?: string; connectionsPerHost?: number };

export const createSender = (options: SenderOptions = {}): Sender => {
  const {
    resolve = resolveHost,
    isPublic = isPublicAddress,
    ca,
    deadlineMs = DEADLINE_MS,
    connectionsPerHost = CONNECTIONS_PER_HOST,
  } = options;
  // Shared by all connections: parsing the certificates for each would cost more than the request.
  const secureContext = createSecureContext({ minVersion: "TLSv1.2", ...(ca === undefined ? {} : { ca }) });
  const settings = { resolve, isPublic, secureContext, deadlineMs };
  const agent = createAgent(settings, CONNECTIONS_PER_HOST);
  const withSlot = createHostSemaphore(connectionsPerHost);
  const parseTarget = createTargetCache();
  const running = new Set<Cancellation>();
  let isClosed = false;
  return {
    send: async (request) => {
      const target = parseTarget(request.url);
      if (target === null) return outcomeOf({ startedAt: performance.now(), failure: "address" });
      return withSlot(target.host, async () => {
        const cancellation = createCancellation();
        running.add(cancellation);
        if (isClosed) cancellation.cancel("connection");
        const ownAgent = request.onStep ? createAgent(settings, CONNECTIONS_PER_HOST) : null;
        const outcome = await post(ownAgent ?? agent, { ...request, target }, { cancellation, deadlineMs });
        ownAgent?.destroy();
        running.delete(cancellation);
        return outcome;
      });
    },
    close: async () => {
      isClosed = true;
      for (const cancellation of running) cancellation.cancel("connection");
      agent.destroy();
    },
  };
};

const CACHED_TARGETS_MAX = 1000;

/** Parses and checks each URL once and not for every request. Null: nothing may be sent to it. */
const createTargetCache = () => {
  const cache = new Map<string, ParsedTarget | null>();
  const parse = (url: string): ParsedTarget | null => {
    if (targetFault(url) !== null) return null;
    const { host, hostname, port, pathname, search } = new URL(url);
    const name = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
    return { host, options: { hostname: name, port: port || 443, path: pathname + search } };
  };
  return (url: string): ParsedTarget | null => {
    const cached = cache.get(url);
    if (cached !== undefined) return cached;
    if (cache.size >= CACHED_TARGETS_MAX) cache.clear();
    const target = parse(url);
    cache.set(url, target);
    return target;
  };
};

/**
 * Limits how many requests run against one host at once; the others wait in order. A request's deadline starts when it gets
 * its slot. The HTTP agent has no limit of its own: its queue would count against the deadline.
 */
const createHostSemaphore = (slots: number) => {
  const hosts = new Map<string, { taken: number; waiting: (() => void)[] }>();
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const host = hosts.get(name) ?? { taken: 0, waiting: [] };
    hosts.set(name, host);
    if (host.taken < slots) host.taken++;
    else await new Promise<void>((resolve) => host.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = host.waiting.shift();
      if (next) next();
      else if (--host.taken === 0) hosts.delete(name);
    }
  };
};
