/** The street before the shop: passes calls on, loses or refuses some, and serves a folder from the same origin. */
import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Seen } from "../runtimes/walk.ts";

export type Street = { rootUrl: string; seen: Seen; close(): Promise<void> };

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const passOn = async (shopUrl: string, request: IncomingMessage, path: string): Promise<Response> => {
  const names = ["authorization", "content-type", "idempotency-key"];
  const headers = names.flatMap((name): [string, string][] => (request.headers[name] ? [[name, String(request.headers[name])]] : []));
  const { method = "GET" } = request;
  const body = method === "GET" ? undefined : await bodyOf(request);
  return fetch(`${shopUrl}${path}`, { method, headers, ...(body ? { body } : {}) });
};

const refusal = (status: number, headers: Record<string, string> = {}): Response =>
  Response.json({ error: { code: "busy", message: "Busy.", details: {} } }, { status, headers });

/** The first answer is lost after the shop gave it, the second call does not get to the shop. */
const stumble = async (seen: Seen, request: IncomingMessage, pass: () => Promise<Response>): Promise<Response> => {
  const index = seen.attempts.length;
  const key = String(request.headers["idempotency-key"] ?? "") || null;
  const attempt = { key, status: 0, atMs: performance.now() };
  seen.attempts.push(attempt);
  const given = index === 1 ? null : await pass();
  const answer = index === 0 ? refusal(503) : (given ?? refusal(429, { "retry-after": "1" }));
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

export const openStreet = async (shopUrl: string, folder: string): Promise<Street> => {
  const seen: Seen = { attempts: [], refreshes: 0 };
  const answer = async (request: IncomingMessage, url: string): Promise<Response> => {
    if (url === "/seen") return Response.json(seen);
    if (url === "/oauth/token") seen.refreshes++;
    const [, way, rest = url] = /^\/(stumbling)(\/.*)$/.exec(url) ?? [];
    if (way) return stumble(seen, request, () => passOn(shopUrl, request, rest));
    return fileOf(folder, url) ?? passOn(shopUrl, request, url);
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = "/" } = request;
    if (url.startsWith("/silent/")) return;
    if (url.startsWith("/broken/")) return void request.socket.destroy();
    const given = await answer(request, url).catch(() => refusal(502));
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
  return { rootUrl: `http://127.0.0.1:${port}`, seen, close };
};
