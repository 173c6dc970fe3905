/** A proxy in front of the service that forwards calls, drops or refuses some, and serves a folder from the same origin. */
import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { ProxyRecord } from "../runtimes/sdk-checks.ts";

export type FaultyProxy = { rootUrl: string; record: ProxyRecord; close(): Promise<void> };

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const forward = async (serviceUrl: string, request: IncomingMessage, path: string): Promise<Response> => {
  const names = ["authorization", "content-type", "idempotency-key"];
  const headers = names.flatMap((name): [string, string][] => (request.headers[name] ? [[name, String(request.headers[name])]] : []));
  const { method = "GET" } = request;
  const body = method === "GET" ? undefined : await bodyOf(request);
  return fetch(`${serviceUrl}${path}`, { method, headers, ...(body ? { body } : {}) });
};

const busyResponse = (status: number, headers: Record<string, string> = {}): Response =>
  Response.json({ error: { code: "busy", message: "Busy.", details: {} } }, { status, headers });

/** Replaces the first response by 503 after the service has acted, and answers the second call with 429 itself. */
const answerOnThirdAttempt = async (record: ProxyRecord, request: IncomingMessage, pass: () => Promise<Response>): Promise<Response> => {
  const index = record.attempts.length;
  const key = String(request.headers["idempotency-key"] ?? "") || null;
  const attempt = { key, status: 0, atMs: performance.now() };
  record.attempts.push(attempt);
  const given = index === 1 ? null : await pass();
  const answer = index === 0 ? busyResponse(503) : (given ?? busyResponse(429, { "retry-after": "1" }));
  attempt.status = answer.status;
  return answer;
};

const fileOf = (folder: string, path: string): Response | null => {
  const name = path === "/" ? "index.html" : path.slice(1);
  if (!/^[\w./-]+\.(js|html)$/.test(name) || name.includes("..") || !existsSync(join(folder, name))) return null;
  return new Response(readFileSync(join(folder, name)), {
    headers: { "content-type": name.endsWith(".js") ? "text/javascript" : "text/html" },
  });
};

export const startFaultyProxy = async (serviceUrl: string, folder: string): Promise<FaultyProxy> => {
  const record: ProxyRecord = { attempts: [], refreshes: 0 };
  const answer = async (request: IncomingMessage, url: string): Promise<Response> => {
    if (url === "/seen") return Response.json(record);
    if (url === "/oauth/token") record.refreshes++;
    const [, isFaulty, rest = url] = /^\/(stumbling)(\/.*)$/.exec(url) ?? [];
    if (isFaulty) return answerOnThirdAttempt(record, request, () => forward(serviceUrl, request, rest));
    return fileOf(folder, url) ?? forward(serviceUrl, request, url);
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = "/" } = request;
    if (url.startsWith("/silent/")) return;
    if (url.startsWith("/broken/")) return void request.socket.destroy();
    const given = await answer(request, url).catch(() => busyResponse(502));
    const kept = [...given.headers].filter(
      ([name]) => !["content-encoding", "content-length", "transfer-encoding", "connection"].includes(name),
    );
    response.writeHead(given.status, Object.fromEntries(kept)).end(Buffer.from(await given.arrayBuffer()));
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { rootUrl: `http://127.0.0.1:${port}`, record, close };
};
