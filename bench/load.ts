/**
 * A client that costs little itself: sockets kept open, each with one request under way, answers measured by their
 * Content-Length and not parsed any further. On a machine where client and server share the cores, an elaborate client
 * would be part of the figure.
 */
import { connect, type Socket } from "node:net";

export type LoadSettings = {
  port: number;
  connections: number;
  ms: number;
  /** At least so many requests, however long they take: a slow machine measures as much as a fast one. */
  requests?: number;
  /** The bytes of the next request. */
  next(): string;
  status: number;
};

export type LoadOutcome = { count: number; perSecond: number; latenciesMs: number[] };

const HEAD_END = "\r\n\r\n";

const statusAndLength = (head: string): { status: number; length: number } => ({
  status: Number(head.slice(9, 12)),
  length: Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN),
});

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    socket.once("error", reject);
    socket.once("connect", () => resolve(socket.off("error", reject)));
  });

/** Requests one after the other on one connection until there were enough. */
const keepAsking = (socket: Socket, { next, status: wanted }: LoadSettings, isEnough: () => boolean, latencies: number[]): Promise<void> =>
  new Promise((resolve, reject) => {
    let waiting: Buffer = Buffer.alloc(0);
    let askedAt = 0;
    const ask = (): void => {
      askedAt = performance.now();
      if (isEnough()) {
        socket.destroy();
        resolve();
      } else socket.write(next());
    };
    socket.once("error", reject);
    socket.once("end", () => reject(new Error("The server closed the connection")));
    socket.on("data", (chunk: Buffer) => {
      waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
      const headEnd = waiting.indexOf(HEAD_END);
      if (headEnd === -1) return;
      const { status, length } = statusAndLength(waiting.toString("latin1", 0, headEnd));
      if (status !== wanted || Number.isNaN(length)) {
        socket.destroy();
        reject(new Error(`An answer was not ${wanted}: ${waiting.toString("utf8", 0, 600)}`));
        return;
      }
      if (waiting.length < headEnd + HEAD_END.length + length) return;
      waiting = Buffer.alloc(0);
      latencies.push(performance.now() - askedAt);
      ask();
    });
    ask();
  });

export const run = async (load: LoadSettings): Promise<LoadOutcome> => {
  const latenciesMs: number[] = [];
  const sockets = await Promise.all(Array.from({ length: load.connections }, () => open(load.port)));
  const startedAt = performance.now();
  const isEnough = (): boolean => latenciesMs.length >= (load.requests ?? 1) && performance.now() >= startedAt + load.ms;
  try {
    await Promise.all(sockets.map((socket) => keepAsking(socket, load, isEnough, latenciesMs)));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  const seconds = (performance.now() - startedAt) / 1000;
  return { count: latenciesMs.length, perSecond: latenciesMs.length / seconds, latenciesMs };
};

type LoadCall = { method?: string; path: string; token?: string; headers?: Record<string, string>; body?: string };

export const requestText = ({ method = "GET", path, token, headers = {}, body }: LoadCall): string => {
  const lines = [`${method} ${path} HTTP/1.1`, "Host: 127.0.0.1"];
  if (token) lines.push(`Authorization: Bearer ${token}`);
  if (body !== undefined) lines.push("Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`);
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  return `${lines.join("\r\n")}${HEAD_END}${body ?? ""}`;
};
