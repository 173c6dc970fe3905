/**
 * Limits the connections of clients, so that none of them takes the files that the database needs, and ends those that read too slowly.
 * With too many, idle ones end first: those of the source that has the most. A trusted proxy holds connections for many clients, so it
 * has no limit of its own and none of its connections ends for another's sake.
 */
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Config } from "#config.ts";
import { neighbourhoodOf, type Source, sourceOf } from "#lib/network-source.ts";
import { unansweredOn } from "./pipelining-limit.ts";

type SocketLimits = { all: number; ofAddress: number };

/** Without a setting a process holds no more than this, because an idle connection takes some 20 kB of memory. */
const SOCKETS_USUAL_MAX = 10_000;
/** The database twice, because a lost connection is replaced before it is closed; then Redis, mail, webhooks, logs and files that are served. */
const OTHER_FILES = 200;
const RESERVED_SHARE = 0.25;
/** Four addresses fill a process that may open few files. */
const ADDRESSES_MIN = 4;

type LimitSettings = Pick<Config, "databaseConnectionsMax" | "socketsMax" | "socketsPerAddressMax">;

export const socketLimitsOf = (
  { databaseConnectionsMax, socketsMax, socketsPerAddressMax }: LimitSettings,
  filesMax: number,
): SocketLimits => {
  const reserved = Math.max(2 * databaseConnectionsMax + OTHER_FILES, filesMax * RESERVED_SHARE);
  const all = socketsMax ?? Math.max(ADDRESSES_MIN, Math.min(SOCKETS_USUAL_MAX, Math.floor(filesMax - reserved)));
  return { all, ofAddress: Math.min(socketsPerAddressMax, Math.max(1, Math.floor(all / ADDRESSES_MIN))) };
};

/** The limit where the system does not report one: what most systems allow at least. */
const FILES_USUAL = 1024;

/** How many files this process may have open. */
export const readFilesMax = (read = (): string => readFileSync("/proc/self/limits", "utf8")): number => {
  try {
    const [, soft = ""] = /^Max open files +(\S+)/m.exec(read()) ?? [];
    return soft === "unlimited" ? Number.MAX_SAFE_INTEGER : Number(soft) || FILES_USUAL;
  } catch {
    return FILES_USUAL;
  }
};

/** Above this share of all connections, answers end their connections. */
const PRESSURE_SHARE = 0.8;
/** Several at once, so that the largest source is not looked for at every connection. */
const EVICTED_SHARE = 0.01;

export type ReadingRules = { lookEveryMs: number; bytesPerSecondMin: number; unreadBytesMax: number };

/** A reader that is slower at two looks in a row is ended. The slowest mobile connections are twice as fast. */
export const READING_RULES: ReadingRules = { lookEveryMs: 20_000, bytesPerSecondMin: 2048, unreadBytesMax: 4 * 1024 * 1024 };

export type EndedSocket = "address" | "process" | "slow";

type SocketLimitOptions = {
  limits: SocketLimits;
  isProxy(address: string | undefined): boolean;
  reading: ReadingRules;
  onEnd(reason: EndedSocket): void;
};

export const addSocketLimits = (app: FastifyInstance, { limits, isProxy, reading, onEnd }: SocketLimitOptions): void => {
  const open = createOpenSockets();
  const end = (socket: Socket, reason: EndedSocket): void => {
    socket.destroy();
    onEnd(reason);
  };
  app.server.on("connection", (socket) => {
    const isOfProxy = isProxy(socket.remoteAddress);
    const { host } = sourceOf(socket.remoteAddress);
    if (!isOfProxy && open.countOf(host) >= limits.ofAddress) {
      const idle = open.leastRecentIdle(host);
      end(idle ?? socket, "address");
      if (idle === undefined) return;
    }
    if (open.count() >= limits.all) {
      const evicted = open.idleOfLargest(Math.ceil(limits.all * EVICTED_SHARE));
      for (const one of evicted) end(one, "process");
      if (evicted.length === 0) return end(socket, "process");
    }
    open.add(socket, isOfProxy ? null : sourceOf(socket.remoteAddress));
  });
  app.server.on("request", ({ socket }) => open.touch(socket));
  app.addHook("onRequest", (request, reply, done) => {
    if (open.count() > limits.all * PRESSURE_SHARE && !isProxy(request.raw.socket.remoteAddress)) reply.header("Connection", "close");
    done();
  });
  const isSlow = createReadingCheck(reading);
  const timer = setInterval(() => {
    for (const socket of open.all()) if (isSlow(socket)) end(withReset(socket), "slow");
  }, reading.lookEveryMs).unref();
  app.addHook("onClose", async () => clearInterval(timer));
};

/** Without it the kernel would go on sending what it holds, for as long as the reader likes. `resetAndDestroy` waits until all is written. */
const withReset = (socket: Socket): Socket => Object.assign(socket, { resetAndClosing: true });

type HostSockets = { neighbourhood: string; sockets: Set<Socket> };

/** Sockets by host, the one that was used last at the end. Those of proxies are counted only. */
const createOpenSockets = () => {
  const hosts = new Map<string, HostSockets>();
  const hostOf = new Map<Socket, string | null>();
  const remove = (socket: Socket): void => {
    const host = hostOf.get(socket);
    hostOf.delete(socket);
    if (host === undefined || host === null) return;
    const own = hosts.get(host);
    own?.sockets.delete(socket);
    if (own?.sockets.size === 0) hosts.delete(host);
  };
  const idleOf = (host: string): Socket[] => [...(hosts.get(host)?.sockets ?? [])].filter((socket) => unansweredOn(socket).length === 0);
  return {
    count: (): number => hostOf.size,
    countOf: (host: string): number => hosts.get(host)?.sockets.size ?? 0,
    all: (): Socket[] => [...hostOf.keys()],
    add(socket: Socket, source: Source | null): void {
      hostOf.set(socket, source?.host ?? null);
      if (source !== null) {
        const own = hosts.get(source.host) ?? { neighbourhood: neighbourhoodOf(source), sockets: new Set() };
        own.sockets.add(socket);
        hosts.set(source.host, own);
      }
      socket.once("close", () => remove(socket));
    },
    touch(socket: Socket): void {
      const { sockets } = hosts.get(hostOf.get(socket) ?? "") ?? {};
      if (sockets?.delete(socket)) sockets.add(socket);
    },
    leastRecentIdle(host: string): Socket | undefined {
      const [idle] = idleOf(host);
      if (idle) remove(idle);
      return idle;
    },
    /** Takes idle sockets of the /24 or /48 with the most connections; of the next one where none is idle. */
    idleOfLargest(count: number): Socket[] {
      const neighbourhoods = Map.groupBy(hosts, ([, { neighbourhood }]) => neighbourhood);
      const sizeOf = (own: readonly [string, HostSockets][]): number => own.reduce((sum, [, { sockets }]) => sum + sockets.size, 0);
      for (const own of [...neighbourhoods.values()].toSorted((a, b) => sizeOf(b) - sizeOf(a))) {
        const idle = own.flatMap(([host]) => idleOf(host)).slice(0, count);
        for (const socket of idle) remove(socket);
        if (idle.length > 0) return idle;
      }
      return [];
    },
  };
};

/** Node has no public name for what the kernel has taken of an answer. */
type SocketHandle = { bytesWritten: number; writeQueueSize: number };

const sentBy = (socket: Socket): number => {
  const { _handle: handle } = socket as unknown as { _handle: SocketHandle | null };
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten;
};

/** What the kernel holds of an answer is not counted: only what this process keeps for a reader. */
const createReadingCheck = ({ lookEveryMs, bytesPerSecondMin, unreadBytesMax }: ReadingRules) => {
  const looks = new WeakMap<Socket, { sent: number; unread: number }>();
  const leastBytes = (bytesPerSecondMin * lookEveryMs) / 1000;
  return (socket: Socket): boolean => {
    const before = looks.get(socket);
    const [sent, unread] = [sentBy(socket), socket.writableLength];
    if (unread === 0) {
      looks.delete(socket);
      return false;
    }
    looks.set(socket, { sent, unread });
    if (before === undefined) return false;
    const hasReadWhatWas = sent - before.sent >= before.unread;
    return !hasReadWhatWas && (sent - before.sent < leastBytes || Math.min(before.unread, unread) > unreadBytesMax);
  };
};
