/** The API description at /openapi.json and a page to read it at /docs; everything is served from here, offline, the guides too. */
import { createReadStream, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { brotliCompressSync, constants } from "node:zlib";
import { openapiDocument } from "@comanda/contract/openapi.ts";
import type { FastifyInstance } from "fastify";
import type { Deps } from "#deps.ts";
import { addGuides } from "./guides.ts";
import { rootUrlOf } from "./root-url.ts";

const BUNDLE = createRequire(import.meta.url)
  .resolve("@scalar/api-reference")
  .replace(/dist\/.*$/, "dist/browser/standalone.js");

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Comanda API reference</title><link rel="icon" href="data:,"></head>
<body><div id="reference"></div><script src="/docs/reference.js"></script><script src="/docs/start.js"></script></body></html>
`;

/** Nothing is fetched from elsewhere and nothing is reported: fonts, telemetry, agents and toolbars are off. */
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

export const addReference = async (app: FastifyInstance, deps: Deps): Promise<void> => {
  addGuides(app, deps);
  let compressed: Buffer | null = null;
  app.get("/openapi.json", async (request, reply) => {
    const document = openapiDocument(rootUrlOf(deps, request));
    return reply.header("Content-Type", "application/json; charset=utf-8").send(JSON.stringify(document));
  });
  // Whoever opens the bare address in a browser wants to know what this is.
  app.get("/", async (_request, reply) => reply.redirect("/docs"));
  app.get("/docs", async (_request, reply) =>
    reply.type("text/html; charset=utf-8").header("Content-Security-Policy", SECURITY).send(PAGE),
  );
  app.get("/docs/start.js", async (_request, reply) => reply.type("text/javascript; charset=utf-8").send(START));
  app.get("/docs/reference.js", async (request, reply) => {
    reply.type("text/javascript; charset=utf-8").header("Cache-Control", "public, max-age=86400");
    if (!request.headers["accept-encoding"]?.includes("br")) return reply.send(createReadStream(BUNDLE));
    // Four megabytes become one; done once, on first use. Quality 5 takes a tenth of a second.
    compressed ??= brotliCompressSync(readFileSync(BUNDLE), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
    return reply.header("Content-Encoding", "br").header("Vary", "Accept-Encoding").send(compressed);
  });
};
