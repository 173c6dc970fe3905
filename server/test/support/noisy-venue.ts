/** A venue that asks for all it can get, in a process of its own: hundreds of connections over many tokens, and a console in every tab. */
import { connect, type Socket } from "node:net";
import { getPriority, setPriority } from "node:os";

export type NoiseSettings = {
  port: number;
  tokens: string[];
  connections: number;
  itemId: number;
  /** The console's session and venue, and how many calls are made at once. */
  cookie: string;
  slug: string;
  consoleCalls: number;
  /** In place of the usual calls: what each of these sessions reads, in turn. */
  reads?: { cookies: string[]; consolePaths: string[]; apiPaths: string[] };
  /** Whether a refused client waits as long as Retry-After says. */
  isPolite: boolean;
};

/** Answers by kind and status. */
export type NoiseReport = Record<string, number>;

const HEAD_END = "\r\n\r\n";
const RECONNECT_MS = 100;

const apiText = (token: string, method: string, path: string, body?: object): string => {
  const payload = body ? JSON.stringify(body) : "";
  const type = body ? `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(payload)}\r\n` : "";
  return `${method} /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${type}\r\n${payload}`;
};

const consoleText = (cookie: string, method: string, path: string): string => {
  const type = method === "GET" ? "" : "Content-Type: application/json\r\nContent-Length: 2\r\n";
  const headers = `Host: x\r\nCookie: __Host-comanda=${cookie}\r\nSec-Fetch-Site: same-origin\r\n${type}`;
  return `${method} /console/api${path} HTTP/1.1\r\n${headers}\r\n${method === "GET" ? "" : "{}"}`;
};

/** One order, one page of orders and two dishes in turn, each with the next token. */
const nextApi = ({ tokens, itemId }: NoiseSettings): (() => string) => {
  let turn = 0;
  return () => {
    turn++;
    const token = tokens[turn % tokens.length] as string;
    const lines = [{ item_id: itemId, quantity: 1 }];
    const phone = `+1 202 555 ${1000 + (turn % 9000)}`;
    if (turn % 4 === 0) return apiText(token, "POST", "/orders", { type: "pickup", customer_name: "Ada", customer_phone: phone, lines });
    return apiText(token, "GET", turn % 4 === 1 ? "/orders?per_page=25" : `/items/${itemId}`);
  };
};

/** Resets of the sandbox, and searches that find nothing. */
const nextConsole = ({ cookie, slug }: NoiseSettings): (() => string) => {
  let turn = 0;
  return () =>
    turn++ % 2 === 0
      ? consoleText(cookie, "POST", `/venues/${slug}/sandbox/reset`)
      : consoleText(cookie, "GET", `/venues/${slug}/activity?subject=no-such-thing-${turn}`);
};

/** Whole menus, by every session and every token. */
const nextRead = (sent: (turn: number) => string): (() => string) => {
  let turn = 0;
  return () => sent(turn++);
};

const inTurn = (values: readonly string[], turn: number): string => values[turn % values.length] as string;

const readsOf = ({ tokens, reads }: NoiseSettings): { api: () => string; calls: () => string } | null =>
  reads
    ? {
        api: nextRead((turn) => apiText(inTurn(tokens, turn), "GET", inTurn(reads.apiPaths, turn))),
        calls: nextRead((turn) =>
          consoleText(inTurn(reads.cookies, turn), "GET", inTurn(reads.consolePaths, Math.floor(turn / reads.cookies.length))),
        ),
      }
    : null;

/** Asks again as soon as it is answered. Gives back how it is stopped, in the middle of whatever it does. */
const keepAsking = ({ port, isPolite }: NoiseSettings, next: () => string, onAnswer: (status: number) => void): (() => void) => {
  let socket: Socket;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const open = (): void => {
    let received = "";
    let missing = 0;
    const ask = (): void => void socket.write(next());
    socket = connect({ port, host: "127.0.0.1", noDelay: true }, ask);
    socket.setEncoding("latin1");
    socket.on("error", () => undefined);
    socket.on("close", () => {
      if (!isOver) timer = setTimeout(open, RECONNECT_MS);
    });
    socket.on("data", (chunk: string) => {
      if (missing > chunk.length) {
        missing -= chunk.length;
        return;
      }
      if (missing === 0) received += chunk;
      const headEnd = received.indexOf(HEAD_END);
      if (headEnd === -1) return;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? 0);
      if (missing === 0) missing = Math.max(0, headEnd + HEAD_END.length + length - received.length);
      else missing = 0;
      if (missing > 0) return;
      const seconds = Number(/\r\nretry-after: (\d+)/i.exec(received.slice(0, headEnd))?.[1] ?? 0);
      onAnswer(Number(received.slice(9, 12)));
      received = "";
      if (isPolite && seconds > 0) timer = setTimeout(ask, seconds * 1000);
      else ask();
    });
  };
  open();
  return () => {
    isOver = true;
    clearTimeout(timer);
    socket.destroy();
  };
};

const makeNoise = (noise: NoiseSettings): (() => NoiseReport) => {
  const heard: NoiseReport = {};
  const note = (kind: string) => (status: number) => {
    heard[`${kind} ${status}`] = (heard[`${kind} ${status}`] ?? 0) + 1;
  };
  const { api, calls } = readsOf(noise) ?? { api: nextApi(noise), calls: nextConsole(noise) };
  const stops = [
    ...Array.from({ length: noise.connections }, () => keepAsking(noise, api, note("api"))),
    ...Array.from({ length: noise.consoleCalls }, () => keepAsking(noise, calls, note("console"))),
  ];
  return () => {
    for (const stop of stops) stop();
    return heard;
  };
};

// A client's machine does not share its cores with the service. This one does, so it comes last.
setPriority(Math.min(19, getPriority() + 5));
let stop: (() => NoiseReport) | null = null;
process.on("message", (message: NoiseSettings | "stop") => {
  if (message !== "stop") stop = makeNoise(message);
  else process.send?.(stop?.() ?? {});
});
