/** HTTP as bytes: calls over kept-alive connections, and whatever a well-behaved client would never send. */
import { type Agent, request as requestHttp } from "node:http";
import { connect, type Socket } from "node:net";
import type { CheckedAnswer, JsonValue } from "../../../conformance/answer-check.ts";

const API_PREFIX = "/api/v1";

export type WireCall = {
  port: number;
  agent?: Agent;
  token: string | null;
  method: string;
  /** Below the prefix, which is the API's unless another is given. */
  path: string;
  prefix?: string;
  headers?: Record<string, string>;
  body?: unknown;
};

/** One call as any client library would make it; rejects when the connection breaks before the answer is complete. */
export const sendCall = ({ port, agent, token, method, path, prefix = API_PREFIX, headers = {}, body }: WireCall): Promise<CheckedAnswer> =>
  new Promise((resolve, reject) => {
    const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const request = requestHttp({
      host: "127.0.0.1",
      port,
      agent,
      method,
      path: prefix + path,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(payload ? { "content-type": "application/json", "content-length": payload.length } : {}),
        ...headers,
      },
    });
    request.on("error", (error: NodeJS.ErrnoException) => reject(Object.assign(error, { isReused: request.reusedSocket })));
    request.on("response", (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(parts).toString();
        resolve({ status: response.statusCode ?? 0, headers: headersOf(response.rawHeaders), text, body: parsed(text) });
      });
    });
    request.end(payload);
  });

const headersOf = (rawHeaders: string[]): Headers => {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  return headers;
};

export type SocketExchange = {
  socket: Socket;
  /** What has come back so far. */
  received(): string;
  /** How long the server kept the connection open, in milliseconds; waits until it is closed. */
  closed: Promise<number>;
};

export const openSocket = (port: number): SocketExchange => {
  const socket = connect(port, "127.0.0.1");
  const parts: Buffer[] = [];
  let begin = performance.now();
  socket.once("connect", () => {
    begin = performance.now();
  });
  socket.on("data", (part) => parts.push(part));
  // A reset is one way to be refused; `closed` reports it like any other end.
  socket.on("error", () => undefined);
  const closed = new Promise<number>((resolve) => socket.once("close", () => resolve(performance.now() - begin)));
  return { socket, closed, received: () => Buffer.concat(parts).toString("latin1") };
};

/** Sends bytes as they are and reads until the server closes, or until nothing more can come. */
export const exchange = async (port: number, bytes: string | Buffer, { waitMs = 5000 } = {}): Promise<WireAnswer[]> => {
  const { socket, closed, received } = openSocket(port);
  const tooLate = setTimeout(() => socket.destroy(), waitMs);
  socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  await closed;
  clearTimeout(tooLate);
  return parseAnswers(received());
};

export type WireAnswer = CheckedAnswer & { version: string };

/** The answers in a stream of bytes, one after the other; each body is as long as its Content-Length says. */
export const parseAnswers = (bytes: string, { isHead = false } = {}): WireAnswer[] => {
  const answers: WireAnswer[] = [];
  for (let rest = bytes; rest !== ""; ) {
    const headEnd = rest.indexOf("\r\n\r\n");
    const [statusLine = "", ...lines] = rest.slice(0, headEnd).split("\r\n");
    const [, version = "", status = ""] = /^(HTTP\/1\.[01]) (\d{3})/.exec(statusLine) ?? [];
    if (headEnd === -1 || version === "") throw new Error(`Not an HTTP answer: ${rest.slice(0, 200)}`);
    const headers = new Headers(lines.map((line) => /^([^:]+): ?(.*)$/.exec(line)?.slice(1) as [string, string]));
    const length = isHead || status === "100" ? 0 : Number(headers.get("content-length") ?? rest.length);
    const text = Buffer.from(rest.slice(headEnd + 4, headEnd + 4 + length), "latin1").toString();
    if (status !== "100") answers.push({ version, status: Number(status), headers, text, body: parsed(text) });
    rest = rest.slice(headEnd + 4 + length);
  }
  return answers;
};

const parsed = (text: string): JsonValue => {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
};
