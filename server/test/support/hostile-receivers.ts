/** Receivers that do not want our messages to end well: real sockets, real TLS, one bad habit each. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from "node:tls";
import { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import type { Failure } from "../../src/platform/events/webhooks/rules/failures.ts";
import { type Authority, type Certificate, createAuthority, createCertificate } from "./certificates.ts";

export type HostileReceiver = {
  port: number;
  /** What it has read after the handshake or, if there is none, from the wire. */
  read(): string;
  /** How much of it came after the handshake, and is therefore ours. */
  messageBytes(): number;
  close(): void;
};

/** What we make of it; `isTrusted` says whether it may see the message at all. */
export type HostileCase = {
  start: (authority: Authority) => Promise<HostileReceiver>;
  status: number | null;
  failure: Failure | null;
  isTrusted: boolean;
};

const HOST = "pos.test";
const DAY_MS = 24 * 60 * 60 * 1000;
const DRIP_MS = 1000;
const MIB = 1024 * 1024;

/** How it answers, once the whole message is there. */
type ReceiverBehaviour = (socket: TLSSocket) => void | Promise<void>;

const listen = async (server: Server, sockets: Set<Socket>): Promise<{ port: number; close(): void }> => {
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};

/** Over TCP alone: whatever it does, there is no handshake. */
const onWire = async (habit: (socket: Socket) => void): Promise<HostileReceiver> => {
  let bytes = "";
  const server = createServer((socket) => {
    socket.on("data", (chunk: Buffer) => (bytes += chunk.toString("latin1")));
    habit(socket);
  });
  return { ...(await listen(server, new Set())), read: () => bytes, messageBytes: () => 0 };
};

type Presented = { certificate?: Certificate; options?: TlsOptions };

const overTls = async (authority: Authority, habit: ReceiverBehaviour, given: Presented = {}): Promise<HostileReceiver> => {
  const { cert, key } = given.certificate ?? createCertificate([HOST], { issuer: authority });
  let bytes = "";
  const server = createTlsServer({ cert, key, ...given.options }, (socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => {
      bytes += chunk.toString("latin1");
      if (/\r\n\r\n.*\}$/s.test(bytes)) void habit(socket);
    });
  });
  server.on("tlsClientError", () => undefined);
  return { ...(await listen(server, new Set())), read: () => bytes, messageBytes: () => bytes.length };
};

/** Its accept queue is full and never emptied: Linux then leaves the first packet unanswered. */
const withFullQueue = async (): Promise<HostileReceiver> => {
  const worker = new Worker(
    `const { createServer } = require("node:net"), { parentPort } = require("node:worker_threads");
     const server = createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
       parentPort.postMessage(server.address().port);
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
     });`,
    { eval: true },
  );
  const [port] = (await once(worker, "message")) as [number];
  const fillers = Array.from({ length: 4 }, () => connect(port, "127.0.0.1").on("error", () => undefined));
  await sleep(200);
  return {
    port,
    read: () => "",
    messageBytes: () => 0,
    close: () => {
      for (const filler of fillers) filler.destroy();
      void worker.terminate();
    },
  };
};

/** Between us and a receiver, a byte a second in its direction to us. */
const behindADrip = async (authority: Authority): Promise<HostileReceiver> => {
  const inner = await overTls(authority, () => undefined);
  const outer = await onWire((socket) => {
    const onward = connect(inner.port, "127.0.0.1").on("error", () => undefined);
    socket.pipe(onward);
    onward.once("data", (chunk: Buffer) => drip(socket, chunk));
    socket.on("close", () => onward.destroy());
  });
  const close = () => {
    outer.close();
    inner.close();
  };
  return { ...inner, port: outer.port, close };
};

/** Each byte a second after the one before, then it waits. */
const drip = (socket: Socket, bytes: Buffer): void => {
  let sent = 0;
  const timer = setInterval(() => socket.write(bytes.subarray(sent, ++sent)), DRIP_MS);
  socket.on("close", () => clearInterval(timer));
};

/** Sends as fast as the client reads, until there are enough bytes or it stops reading. */
const flood = async (socket: Socket, piece: string | Buffer, bytesMax = 1024 * MIB): Promise<void> => {
  const closed = new Promise((resolve) => socket.once("close", resolve));
  for (let sent = 0; sent < bytesMax && !socket.destroyed; sent += piece.length)
    if (!socket.write(piece)) await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), closed]);
  socket.end();
};

const PIECE = Buffer.alloc(65_536, "x");
/** Zeros, a thousand times smaller than they are; said again and again they are a stream of ten gigabytes. */
const ZEROS = gzipSync(Buffer.alloc(16 * MIB));

const answerWith =
  (text: string | Buffer): ReceiverBehaviour =>
  (socket) =>
    void socket.end(text);

/** Kinds that send more than anybody should keep; `bytesMax` lets a test ask for less than a gigabyte. */
export const floods = (bytesMax = 1024 * MIB): Record<string, HostileCase> => ({
  "answer 200 without end": tls(200, null, async (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    await flood(socket, PIECE, bytesMax);
  }),
  "answer 500 without end": tls(500, "status", async (socket) => {
    socket.write("HTTP/1.1 500 No\r\n\r\n");
    await flood(socket, PIECE, bytesMax);
  }),
  "send a bomb of zeros, compressed": tls(200, null, async (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n");
    await flood(socket, ZEROS, 10 * MIB);
  }),
  "send headers without end": tls(null, "answer", async (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    await flood(socket, "X-Header: xxxxxxxxxxxxxxxxxxxxxxxx\r\n".repeat(1000), bytesMax);
  }),
  "send 10,000 headers": tls(null, "answer", (socket) => {
    const headers = Array.from({ length: 10_000 }, (_, index) => `X-${index}: x\r\n`).join("");
    socket.end(`HTTP/1.1 200 OK\r\n${headers}\r\n`);
  }),
  "send a header of 1 MiB": tls(null, "answer", answerWith(`HTTP/1.1 200 OK\r\nX-Long: ${"x".repeat(MIB)}\r\n\r\n`)),
  "send 1xx without end": tls(null, "answer", (socket) =>
    flood(socket, "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n".repeat(500), bytesMax),
  ),
  "send an endless chunk extension": tls(200, null, async (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;");
    await flood(socket, PIECE, bytesMax);
  }),
});

const tls = (status: number | null, failure: Failure | null, habit: ReceiverBehaviour): HostileCase => ({
  start: (authority) => overTls(authority, habit),
  status,
  failure,
  isTrusted: true,
});
const untrusted = (failure: Failure, start: HostileCase["start"]): HostileCase => ({ start, status: null, failure, isTrusted: false });
const presenting = (present: (authority: Authority) => Presented): HostileCase["start"] => {
  return (authority) => overTls(authority, answerWith("HTTP/1.1 200 OK\r\n\r\n"), present(authority));
};

/** Nothing of the message may reach these. */
const CONNECTIONS: Record<string, HostileCase> = {
  ...(process.platform === "linux" ? { "not answer the first packet": untrusted("unreachable", withFullQueue) } : {}),
  "accept and never shake hands": untrusted("unreachable", () => onWire(() => undefined)),
  "drip the handshake, a byte a second": untrusted("unreachable", behindADrip),
  "hang up as soon as it has accepted": untrusted("connection", () => onWire((socket) => void socket.destroy())),
  "reset within the handshake": untrusted("connection", () => onWire((socket) => void socket.once("data", () => socket.resetAndDestroy()))),
  "speak something that is not TLS": untrusted("handshake", () => onWire((socket) => void socket.write("SSH-2.0-OpenSSH_9.0\r\n"))),
  "speak HTTP/2 only": untrusted(
    "handshake",
    presenting(() => ({ options: { ALPNProtocols: ["h2"] } })),
  ),
  "show a certificate of its own making": untrusted(
    "tls",
    presenting(() => ({ certificate: createCertificate([HOST]) })),
  ),
  "show a certificate of an unknown authority": untrusted(
    "tls",
    presenting(() => ({ certificate: createCertificate([HOST], { issuer: createAuthority() }) })),
  ),
  "show a certificate for another host": untrusted(
    "tls",
    presenting((issuer) => ({ certificate: createCertificate(["other.test"], { issuer }) })),
  ),
  "show a certificate that has expired": untrusted(
    "tls",
    presenting((issuer) => ({ certificate: createCertificate([HOST], { issuer, validUntil: new Date(Date.now() - DAY_MS) }) })),
  ),
};

const dripping = (status: number, failure: Failure | null): HostileCase =>
  tls(status, failure, (socket) => {
    socket.write(`HTTP/1.1 ${status} X\r\nContent-Length: 1000\r\n\r\n`);
    drip(socket, Buffer.alloc(1000, "."));
  });

const ANSWERS: Record<string, HostileCase> = {
  "hang before the status": tls(null, "timeout", () => undefined),
  "hang up without an answer": tls(null, "connection", (socket) => void socket.end()),
  "reset before the status": tls(null, "connection", (socket) => void socket.destroy()),
  "drip the headers, a byte a second": tls(null, "timeout", (socket) => drip(socket, Buffer.from("HTTP/1.1 200 OK\r\nX: y\r\n\r\n"))),
  "drip a body of 200, a byte a second": dripping(200, null),
  "drip a body of 500, a byte a second": dripping(500, "status"),
  "reset within the body of 200": tls(200, null, (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf");
    setTimeout(() => socket.destroy(), 50);
  }),
  "send nonsense for chunks after 200": tls(200, null, answerWith("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzzzz\r\n")),
  "answer in something that is not HTTP": tls(null, "answer", answerWith("SSH-2.0-OpenSSH_9.0\r\n\r\n")),
  "garble the status line": tls(null, "answer", answerWith("HTTP/1.0 2OO FINE\r\n\r\n")),
  "send frames of HTTP/2 unasked": tls(null, "answer", answerWith(Buffer.from("000012040000000000000300000064000400ffff0000", "hex"))),
  "send twenty 100 and 103 before 200": tls(
    200,
    null,
    answerWith(`${"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n".repeat(10)}HTTP/1.1 200 OK\r\n\r\n`),
  ),
  "change the protocol": tls(101, "status", answerWith("HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")),
  "give 204 a body": tls(204, null, answerWith("HTTP/1.1 204 None\r\nContent-Length: 5\r\n\r\nhello")),
  "answer 599": tls(599, "status", answerWith("HTTP/1.1 599 X\r\nContent-Length: 0\r\n\r\n")),
};

/** All kinds. */
export const HOSTILE: Record<string, HostileCase> = { ...CONNECTIONS, ...ANSWERS, ...floods() };
