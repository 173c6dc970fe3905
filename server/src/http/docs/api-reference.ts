/** Serves the API description at /openapi.json, its reader at /docs, and the guides, without any other host. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { openapiDocument } from "@comanda/contract/openapi/document.ts";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Deps } from "#deps.ts";
import { apiError } from "#lib/errors.ts";
import { writeHeaders } from "../reply.ts";
import { createDocument, createLinkedDocument } from "./cached-document.ts";
import { addGuides } from "./site.ts";

/** `npm run build` copies it out of its package (`dev/reference-build.ts`), which is not needed afterwards. */
export const REFERENCE_BUNDLE = fileURLToPath(new URL("../../../dist/api-reference.js", import.meta.url));

const HTML = "text/html; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";

/** The header of the guides (docs/site) has the same links. */
const HEADER = `<header class="parts"><a href="/" class="service">Comanda</a><nav aria-label="Parts of the service"><a href="/docs/guide/">Guides</a><a href="/docs" aria-current="page">Reference</a><a href="/console">Console</a></nav></header>`;

/** Its height is that of the guides' header; the reader keeps its own bars below it. */
const HEADER_STYLE = `body{margin:0}.parts{position:sticky;top:0;z-index:100;box-sizing:border-box;height:64px;display:flex;gap:2rem;align-items:center;padding:0 1.5rem;border-bottom:1px solid light-dark(#d9d4cc,#3a3632);background:light-dark(#fffdf9,#171513);font:500 14px system-ui,sans-serif}
.parts nav{display:flex;gap:1rem}.parts a{color:light-dark(#26211c,#e9e4dc);text-decoration:none}.parts .service{font-size:16px;font-weight:600}.parts a[aria-current]{color:light-dark(#9a3412,#fdba74)}:root{--scalar-custom-header-height:64px}
.light-mode .parts{color-scheme:light}.dark-mode .parts{color-scheme:dark}`;

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Comanda API reference</title><link rel="icon" href="data:,"><style>${HEADER_STYLE}</style></head>
<body>${HEADER}<div id="reference"></div><script src="/docs/reference.js"></script><script src="/docs/start.js"></script></body></html>
`;

const UNBUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Comanda API reference</title><link rel="icon" href="data:,"></head>
<body><h1>The API reference is not built yet</h1><p>Run <code>npm ci</code> and <code>npm run build</code> in the folder of Comanda, then load this page again.
The API, its <a href="/docs/guide">guides</a> and its description at <a href="/openapi.json">/openapi.json</a> work without it.</p></body></html>
`;

/** No other host is contacted: fonts, telemetry, agents and toolbars are off. */
const START = `Scalar.createApiReference("#reference", ${JSON.stringify({
  url: "/openapi.json",
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
  hideClientButton: true,
  persistAuth: false,
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
})});
`;

const SECURITY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'";

export const addReference = async (app: FastifyInstance, deps: Deps, bundle = REFERENCE_BUNDLE): Promise<void> => {
  addGuides(app, deps);
  // The examples use future dates, so the document changes daily.
  const today = (): string => deps.clock.now().toISOString().slice(0, 10);
  const build = (rootUrl: string, day: string): string => JSON.stringify(openapiDocument(rootUrl, day));
  app.get("/openapi.json", createLinkedDocument(deps, { type: "application/json; charset=utf-8", edition: today, build }));
  // The root address shows what this service is.
  app.get("/", async (_request, reply) => reply.redirect("/docs"));
  const headers = { "Content-Security-Policy": SECURITY };
  const sendPage = createDocument({ type: HTML, headers, build: () => PAGE });
  app.get("/docs", async (request, reply) => (existsSync(bundle) ? sendPage(request, reply) : sendUnbuilt(reply)));
  app.get("/docs/start.js", createDocument({ type: SCRIPT, build: () => START }));
  const readBundle = () =>
    readFile(bundle).catch(() => {
      throw apiError("not_found");
    });
  app.get("/docs/reference.js", createDocument({ type: SCRIPT, cache: "public, max-age=86400", build: readBundle }));
};

const sendUnbuilt = (reply: FastifyReply): FastifyReply => {
  writeHeaders(reply, { "Cache-Control": "no-store", "Content-Security-Policy": SECURITY });
  return reply.code(503).type(HTML).send(UNBUILT);
};
