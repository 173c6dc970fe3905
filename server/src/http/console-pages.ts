/** The console's pages: what `npm run build` made of `console/`, sent with a policy under which only our own code runs. */
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { CONSOLE_PREFIX } from "@comanda/contract/console-operation.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fail } from "#lib/errors.ts";
import { writeHeaders } from "./reply.ts";

const BUILT = fileURLToPath(new URL("../../../console/dist/", import.meta.url));

const TYPES: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** The build leaves this word wherever the page's own scripts and styles have to prove themselves. */
const NONCE = "__NONCE__";

const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");

const UNBUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Comanda</title><style nonce="${NONCE}">body{font:1rem/1.6 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1.5rem}</style></head>
<body><h1>The console is not built yet</h1><p>Run <code>npm run build</code> in the folder of Comanda, then load this page again.
The API and its <a href="/docs/guide">guides</a> work without it.</p></body></html>
`;

export const addConsolePages = (app: FastifyInstance, built = BUILT): void => {
  const readKept = keepRead();
  const sendPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // A call that does not exist must not be answered with a page.
    if (`${request.url.split("?")[0]}/`.startsWith(`${CONSOLE_PREFIX}/`)) throw fail("not_found");
    const page = await readFile(`${built}index.html`, "utf8").catch(() => null);
    const nonce = randomBytes(18).toString("base64url");
    writeHeaders(reply, {
      "Cache-Control": "no-store",
      "Content-Security-Policy": policy(nonce),
      "Cross-Origin-Opener-Policy": "same-origin",
      "Referrer-Policy": "same-origin",
      "X-Content-Type-Options": "nosniff",
    });
    reply.code(page === null ? 503 : 200).type("text/html; charset=utf-8");
    return reply.send((page ?? UNBUILT).replaceAll(NONCE, nonce));
  };
  app.get("/console", sendPage);
  app.get("/console/*", sendPage);
  app.get<{ Params: { name: string } }>("/console/assets/:name", async (request, reply) => {
    // Their names carry a hash of their content: what was fetched once is good for ever.
    writeHeaders(reply, { "Cache-Control": "public, max-age=31536000, immutable" });
    return sendFile(request, reply, readKept, { folder: `${built}assets/`, name: request.params.name });
  });
  app.get("/console/mark.svg", async (request, reply) => {
    writeHeaders(reply, { "Cache-Control": "public, max-age=86400" });
    return sendFile(request, reply, readNow, { folder: built, name: "mark.svg" });
  });
};

type Read = (path: string) => Promise<Buffer | null>;

const readNow: Read = (path) => readFile(path).catch(() => null);

/** Reads each file once: answers that nobody fetches share its bytes instead of holding copies. */
const keepRead = (): Read => {
  const kept = new Map<string, Buffer>();
  return async (path) => {
    const bytes = kept.get(path) ?? (await readNow(path));
    if (bytes !== null) kept.set(path, bytes);
    return bytes;
  };
};

type File = { folder: string; name: string };

const sendFile = async (request: FastifyRequest, reply: FastifyReply, read: Read, { folder, name }: File): Promise<FastifyReply> => {
  const type = TYPES[extname(name)];
  if (type === undefined || !/^[\w-][\w.-]*$/.test(name)) return refuse(reply);
  const accepted = (request.headers["accept-encoding"] ?? "").split(",").map((part) => part.trim().split(";")[0]);
  for (const [encoding, ending] of ENCODINGS) {
    const bytes = accepted.includes(encoding) ? await read(`${folder}${name}${ending}`) : null;
    if (bytes === null) continue;
    writeHeaders(reply, { "Content-Encoding": encoding, Vary: "Accept-Encoding", "X-Content-Type-Options": "nosniff" });
    return reply.type(type).send(bytes);
  }
  const bytes = await read(`${folder}${name}`);
  if (bytes === null) return refuse(reply);
  writeHeaders(reply, { Vary: "Accept-Encoding", "X-Content-Type-Options": "nosniff" });
  return reply.type(type).send(bytes);
};

/** What is not there today may be there after the next build. */
const refuse = (reply: FastifyReply): never => {
  writeHeaders(reply, { "Cache-Control": "no-store" });
  throw fail("not_found");
};
