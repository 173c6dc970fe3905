/** Serves the built console, with a content security policy that allows only its own code. */
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { CONSOLE_PREFIX } from "@comanda/contract/console/operation.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { apiError } from "#lib/errors.ts";
import { writeHeaders } from "../reply.ts";
import { createFileCache, KEPT_FOR_EVER, readNow, sendFile } from "../static-file.ts";

const BUILT = fileURLToPath(new URL("../../../../console/dist/", import.meta.url));

/** The build's placeholder for the nonce of scripts and styles. */
const NONCE = "__NONCE__";

const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");

/** The worker loads the files of the build and no code. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

const UNBUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Comanda</title><style nonce="${NONCE}">body{font:1rem/1.6 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1.5rem}</style></head>
<body><h1>The console is not built yet</h1><p>Run <code>npm run build</code> in the folder of Comanda, then load this page again.
The API and its <a href="/docs/guide">guides</a> work without it.</p></body></html>
`;

export const addConsoleFiles = (app: FastifyInstance, built = BUILT): void => {
  const readCached = createFileCache();
  const sendPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // An unknown call must not get a page as its answer.
    if (`${request.url.split("?")[0]}/`.startsWith(`${CONSOLE_PREFIX}/`)) throw apiError("not_found");
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
    // The names contain a hash of the content, so the files never change.
    writeHeaders(reply, KEPT_FOR_EVER);
    return sendFile(request, reply, readCached, { folder: `${built}assets/`, name: request.params.name });
  });
  // Its folder is its scope. Browsers ask for it again after a day at the latest, and here at every use, so that a new build is seen.
  app.get("/console/service-worker.js", async (request, reply) => {
    writeHeaders(reply, { "Cache-Control": "no-cache", "Content-Security-Policy": WORKER_POLICY });
    return sendFile(request, reply, readNow, { folder: built, name: "service-worker.js" });
  });
  app.get("/console/mark.svg", async (request, reply) => {
    writeHeaders(reply, { "Cache-Control": "public, max-age=86400" });
    return sendFile(request, reply, readNow, { folder: built, name: "mark.svg" });
  });
};
