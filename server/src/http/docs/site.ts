/** Serves the documentation site that `npm run build` makes of the guides (docs/site), and their Markdown beside it. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "#deps.ts";
import { apiError } from "#lib/errors.ts";
import { writeHeaders } from "../reply.ts";
import { createFileCache, KEPT_FOR_EVER, sendFile } from "../static-file.ts";
import { createLinkedDocument, type SendDocument } from "./cached-document.ts";
import { type Guide, INDEX, PREFIX, ROOT, readGuides, WRITTEN_ADDRESS } from "./guide-files.ts";
import { addLlmsText, guideDocuments } from "./guides.ts";

/** `npm run build` and `npm run dev` write it. */
export const SITE = fileURLToPath(new URL("docs/site/dist/", ROOT));

const HTML = "text/html; charset=utf-8";
const UNBUILT_POLICY = "default-src 'none'; img-src data:; frame-ancestors 'none'; base-uri 'none'";

/** Without movement while light and dark are switched: a style that the site's script writes, always the same (`useColorMode` of VueUse). */
const SWITCH_STYLE = "'sha256-skqujXORqzxt1aE0NNXxujEanPTX6raoqSscTV/Ww/Y='";

/** The page's own scripts choose its colours before it is shown; the policy names them by their content. */
const policyOf = (page: string): string => {
  const scripts = [...page.matchAll(/<script(?![^>]* src=)[^>]*>([\s\S]*?)<\/script>/g)].map(([, script = ""]) => script);
  const hashes = scripts.map((script) => ` 'sha256-${createHash("sha256").update(script).digest("base64")}'`);
  return `default-src 'none'; script-src 'self'${hashes.join("")}; style-src 'self' ${SWITCH_STYLE}; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`;
};

const unbuilt = (guides: Guide[]): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Comanda guides</title><link rel="icon" href="data:,"></head>
<body><h1>The pages of the guides are not built yet</h1><p>Run <code>npm ci</code> and <code>npm run build</code> in the folder of Comanda, then load this page again.
The guides can be read as Markdown:</p>
<ul>${guides.map(({ name, title }) => `<li><a href="${PREFIX}/${name}.md">${name === INDEX ? "All guides" : title}</a></li>`).join("\n")}</ul></body></html>
`;

const sendUnbuilt = (reply: FastifyReply, guides: Guide[]): FastifyReply => {
  writeHeaders(reply, { "Cache-Control": "no-store", "Content-Security-Policy": UNBUILT_POLICY });
  return reply.code(503).type(HTML).send(unbuilt(guides));
};

/** One page or Markdown file of the build; read again when another build has replaced it. Null when the build does not have it. */
const createBuiltFiles = (deps: Deps, site: string) => {
  const opened = new Map<string, { changedAt: number; send: SendDocument }>();
  return (name: string): SendDocument | null => {
    if (name === "404" || !/^(?:[\w-]+\/)?[\w-]+(?:\.md)?$/.test(name)) return null;
    const path = `${site}${name.endsWith(".md") ? name : `${name}.html`}`;
    const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (changedAt === undefined) return null;
    const known = opened.get(name);
    if (known?.changedAt === changedAt) return known.send;
    const text = readFileSync(path, "utf8");
    const build = (rootUrl: string): string => text.replaceAll(WRITTEN_ADDRESS, rootUrl);
    const send = name.endsWith(".md")
      ? createLinkedDocument(deps, { type: "text/markdown; charset=utf-8", build })
      : createLinkedDocument(deps, { type: HTML, headers: { "Content-Security-Policy": policyOf(text) }, build });
    opened.set(name, { changedAt, send });
    return send;
  };
};

/** A browser, recognized by its Accept header, gets a page; a program gets the error as JSON. */
const sendNotFound = (request: FastifyRequest, reply: FastifyReply, site: string): FastifyReply => {
  const page = request.headers.accept?.includes("text/html") ? textOf(`${site}404.html`) : null;
  writeHeaders(reply, { "Cache-Control": "no-store", Vary: "Accept" });
  if (page === null) throw apiError("not_found");
  writeHeaders(reply, { "Content-Security-Policy": policyOf(page) });
  return reply.code(404).type(HTML).send(page);
};

const textOf = (path: string): string | null => (existsSync(path) ? readFileSync(path, "utf8") : null);

export const addGuides = (app: FastifyInstance, deps: Deps, site = SITE): void => {
  const guides = readGuides();
  const documents = guideDocuments(deps, guides);
  const builtFile = createBuiltFiles(deps, site);
  const readCached = createFileCache();
  const isGuide = (name: string): boolean => guides.some((guide) => guide.name === name);
  const send = async (request: FastifyRequest, reply: FastifyReply, name: string): Promise<FastifyReply> => {
    const document = documents.get(name) ?? builtFile(name === INDEX ? "index" : name);
    if (document !== null) return document(request, reply);
    if (builtFile("index") === null && (isGuide(name) || name.startsWith("reference/"))) return sendUnbuilt(reply, guides);
    return sendNotFound(request, reply, site);
  };
  // The site's script asks for it when it does not know a page, because another build may have been made since.
  app.get(`${PREFIX}/hashmap.json`, async (request, reply) => {
    const map = textOf(`${site}hashmap.json`);
    if (map === null) return sendNotFound(request, reply, site);
    writeHeaders(reply, { "Cache-Control": "no-store" });
    return reply.type("application/json; charset=utf-8").send(map);
  });
  addLlmsText(app, deps, guides);
  // The site's own paths begin with this folder and its slash.
  app.get(PREFIX, async (request, reply) =>
    request.url.split("?")[0] === PREFIX ? reply.redirect(`${PREFIX}/`) : send(request, reply, INDEX),
  );
  app.get<{ Params: { "*": string } }>(`${PREFIX}/*`, async (request, reply) => send(request, reply, request.params["*"]));
  const assets = async (request: FastifyRequest, reply: FastifyReply, folder: string, name: string): Promise<FastifyReply> => {
    writeHeaders(reply, KEPT_FOR_EVER);
    return sendFile(request, reply, readCached, { folder: `${site}assets/${folder}`, name });
  };
  app.get<{ Params: { name: string } }>(`${PREFIX}/assets/:name`, async (request, reply) =>
    assets(request, reply, "", request.params.name),
  );
  app.get<{ Params: { name: string } }>(`${PREFIX}/assets/chunks/:name`, async (request, reply) =>
    assets(request, reply, "chunks/", request.params.name),
  );
};
