/** Serves the guides as pages and as Markdown, and /llms.txt, the index for language models. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "#deps.ts";
import { apiError } from "#lib/errors.ts";
import { createDocument, createLinkedDocument, type SendDocument } from "./cached-document.ts";
import { htmlOf, type Lead } from "./markdown.ts";

const HTML = "text/html; charset=utf-8";
const ROOT = new URL("../../../../", import.meta.url);
const FOLDER = "docs/guide";
const PREFIX = "/docs/guide";
const INDEX = "README";
/** `npm run generate` writes the same text into the project. */
const VENUE_FILE_SCHEMA = JSON.stringify({ $schema: "https://json-schema.org/draft/2020-12/schema", ...VenueFile }, null, 2);

/** `name` is the last part of its URL, `path` its file in the project. */
type Guide = { name: string; path: string; title: string; text: string };

const readGuides = (): Guide[] => {
  // An image may leave out the documents.
  const names = (existsSync(new URL(FOLDER, ROOT)) ? readdirSync(new URL(FOLDER, ROOT)) : [])
    .filter((file) => file.endsWith(".md"))
    .map((file) => file.slice(0, -3));
  const places = [...names.map((name) => ({ name, path: `${FOLDER}/${name}.md` })), { name: "sdk", path: "sdk/README.md" }];
  const guides = places.flatMap(({ name, path }) => {
    if (!existsSync(new URL(path, ROOT))) return [];
    const text = readFileSync(new URL(path, ROOT), "utf8");
    return [{ name, path, text, title: /^# (.+)$/m.exec(text)?.[1] ?? name }];
  });
  // In the order of the index, the index first.
  const index = guides.find(({ name }) => name === INDEX)?.text ?? "";
  const placeOf = ({ name }: Guide): number => (name === INDEX ? -1 : index.indexOf(`](${name}.md)`) >>> 0);
  return guides.sort((a, b) => placeOf(a) - placeOf(b));
};

const PICTURES = "docs/images";

/** The pictures that guides show, by the last part of their URL. An image of the service may leave them out. */
const picturesOf = (guides: Guide[]): string[] => {
  const named = guides.flatMap(({ text }) => [...text.matchAll(/\]\(\.\.\/images\/([\w-]+\.png)\)/g)].map(([, name = ""]) => name));
  return [...new Set(named)].filter((name) => existsSync(new URL(`${PICTURES}/${name}`, ROOT)));
};

/** Link targets that are no guides but are served under these paths. */
const OTHER_TARGETS: Record<string, string> = {
  "server/openapi.json": "/openapi.json",
  [`${FOLDER}/venue-file.schema.json`]: `${PREFIX}/venue-file.schema.json`,
};

/** Turns links between project files into URLs of the service. Null for a file that the service does not serve. */
const leadFrom =
  (guide: Guide, guides: Guide[], ending: string): Lead =>
  (target) => {
    if (/^(https?:|#|\/)/.test(target)) return target;
    const [file = "", anchor] = target.split("#");
    const path = posix.join(posix.dirname(guide.path), file);
    const other = guides.find((one) => one.path === path);
    const picture = picturesOf([guide]).find((name) => `${PICTURES}/${name}` === path);
    const address = other ? addressOf(other, ending) : picture ? `${PREFIX}/${picture}` : OTHER_TARGETS[path];
    return address === undefined ? null : `${address}${anchor === undefined ? "" : `#${anchor}`}`;
  };

const addressOf = ({ name }: Guide, ending: string): string => (name === INDEX && ending === "" ? PREFIX : `${PREFIX}/${name}${ending}`);

/** The service's address as the guides' files write it. */
const WRITTEN_ADDRESS = "http://127.0.0.1:4000";

/** Inserts the service's real address, so that every example can be pasted. */
const textAt = ({ text }: Guide, rootUrl: string): string => text.replaceAll(WRITTEN_ADDRESS, rootUrl);

const markdownOf = (guide: Guide, guides: Guide[], rootUrl: string): string => {
  const lead = leadFrom(guide, guides, ".md");
  let isCode = false;
  return textAt(guide, rootUrl)
    .split("\n")
    .map((line) => {
      if (line.startsWith("```")) isCode = !isCode;
      if (isCode) return line;
      return line.replaceAll(/\[((?:[^\]`]|`[^`]*`)*)\]\(([^)\s]+)\)/g, (_, label: string, target: string) => {
        const address = lead(target);
        return address === null ? label : `[${label}](${address})`;
      });
    })
    .join("\n");
};

const STYLE = `:root{color-scheme:light dark;--line:light-dark(#d9d4cc,#3a3632);--soft:light-dark(#f5f2ec,#221f1c);--ink:light-dark(#26211c,#e9e4dc);--accent:light-dark(#9a3412,#fdba74)}
body{margin:0;font:1rem/1.6 system-ui,sans-serif;color:var(--ink);background:light-dark(#fffdf9,#171513);display:grid;min-height:100vh;grid-template-columns:15rem minmax(0,1fr)}
nav{padding:2rem 1rem 2rem 1.5rem;border-inline-end:1px solid var(--line);font-size:.9rem}nav a{display:block;padding:.2rem 0;text-decoration:none}nav a[aria-current]{font-weight:600}
main{padding:2rem clamp(1rem,4vw,3.5rem);max-width:50rem}img{max-width:100%;height:auto;border:1px solid var(--line);border-radius:.5rem}a{color:var(--accent)}h1,h2,h3{line-height:1.25}h2{margin-top:2.2rem}
code{font:.875em ui-monospace,monospace;background:var(--soft);padding:.1em .3em;border-radius:.25rem;overflow-wrap:anywhere}pre{background:var(--soft);border:1px solid var(--line);border-radius:.5rem;padding:1rem;overflow:auto;line-height:1.45}pre code{background:none;padding:0;overflow-wrap:normal}
.wide{overflow-x:auto;margin:1rem 0}table{border-collapse:collapse;font-size:.92rem;min-width:min(100%,36rem)}.diagram{background:var(--soft);border:1px solid var(--line);border-radius:.5rem;padding:1rem;margin:1rem 0;text-align:center}
.diagram svg{max-width:100%;height:auto;font:13px system-ui,sans-serif;text-anchor:middle;fill:var(--ink)}.diagram .code{font-family:ui-monospace,monospace}.diagram .words{font-size:12px}.diagram .state{fill:light-dark(#fffdf9,#171513);stroke:var(--accent)}.diagram .way{fill:none;stroke:var(--ink);stroke-width:1.2}.diagram .line{stroke:var(--line)}.diagram .tip,.diagram .dot{fill:var(--ink)}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}th,td{border-bottom:1px solid var(--line);padding:.45rem .9rem .45rem 0;text-align:start;vertical-align:top}
.diagram code{background:none;padding:0}@media(min-width:48rem){td code{white-space:nowrap}}
@media(max-width:48rem){body{align-content:start;grid-template-columns:minmax(0,1fr)}nav{border:0;border-bottom:1px solid var(--line);padding:1rem;columns:2}}`;

const SECURITY = `default-src 'none'; img-src 'self' data:; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; frame-ancestors 'none'; base-uri 'none'`;

const pageOf = (guide: Guide, guides: Guide[], rootUrl: string): string => {
  const entries = guides.map((one) => {
    const current = one === guide ? ' aria-current="page"' : "";
    return `<a href="${addressOf(one, "")}"${current}>${one.name === INDEX ? "All guides" : one.title}</a>`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${guide.title} · Comanda</title><link rel="icon" href="data:,"><link rel="alternate" type="text/markdown" href="${addressOf(guide, ".md")}"><style>${STYLE}</style></head>
<body><nav aria-label="Guides">${entries.join("\n")}<a href="/docs">API reference</a></nav>
<main>${htmlOf(textAt(guide, rootUrl), leadFrom(guide, guides, ""))}</main></body></html>
`;
};

/** The summary of each guide in the index. */
const summariesOf = (index: string): Map<string, string> =>
  new Map(
    [...index.matchAll(/^\| \[[^\]]+\]\((?:\.\.\/\.\.\/)?([\w/-]+)\.md\) +\| +(.+?) +\|$/gm)].map(([, name = "", words = ""]) => [
      name,
      words,
    ]),
  );

/** The format of https://llmstxt.org. */
const llmsText = (guides: Guide[], rootUrl: string): string => {
  const summaries = summariesOf(guides.find(({ name }) => name === INDEX)?.text ?? "");
  const listed = guides.filter(({ name }) => name !== INDEX);
  return `# Comanda

> An open service for running restaurants: menus, orders, bookings, guests and sales figures over one HTTP API, with signed webhooks.

- Every call goes to ${rootUrl}/api/v1 with \`Authorization: Bearer <token>\`. The token chooses the restaurant; no address names it.
- Try things with a sandbox token (\`<id>|svc_sbx_…\`): same addresses, sample data, reset every night, no order reaches a kitchen.
- Money is an integer in the currency's minor unit. Every success is \`{data, meta, links}\`, every refusal \`{error: {code, message, details}}\`.
- Send an \`Idempotency-Key\` with every POST, made of your own name for the request and a hash of its body: then it may be repeated safely for 24 hours, and a corrected request is a new one.

## API

- [OpenAPI 3.1 document](${rootUrl}/openapi.json): every operation, shape, error and webhook, with examples
- [Reference](${rootUrl}/docs): the same, to read in a browser

## Guides

${listed.map((guide) => `- [${guide.title}](${rootUrl}${addressOf(guide, ".md")})${summaries.has(guide.name) ? `: ${summaries.get(guide.name)}` : ""}`).join("\n")}
`;
};

export const addGuides = (app: FastifyInstance, deps: Deps): void => {
  const guides = readGuides();
  const page = (guide: Guide) =>
    createLinkedDocument(deps, {
      type: HTML,
      headers: { "Content-Security-Policy": SECURITY },
      build: (rootUrl) => pageOf(guide, guides, rootUrl),
    });
  const markdown = (guide: Guide) =>
    createLinkedDocument(deps, { type: "text/markdown; charset=utf-8", build: (rootUrl) => markdownOf(guide, guides, rootUrl) });
  const documents = new Map<string, SendDocument>(
    guides.flatMap((guide) => [
      [guide.name, page(guide)],
      [`${guide.name}.md`, markdown(guide)],
    ]),
  );
  for (const name of picturesOf(guides))
    documents.set(name, createDocument({ type: "image/png", build: () => readFileSync(new URL(`${PICTURES}/${name}`, ROOT)) }));
  documents.set(
    "venue-file.schema.json",
    createDocument({ type: "application/schema+json; charset=utf-8", build: () => VENUE_FILE_SCHEMA }),
  );
  const sendNamed = (request: FastifyRequest, reply: FastifyReply, name: string): Promise<FastifyReply> => {
    const send = documents.get(name);
    if (!send) throw apiError("not_found");
    return send(request, reply);
  };
  app.get("/llms.txt", createLinkedDocument(deps, { type: "text/plain; charset=utf-8", build: (rootUrl) => llmsText(guides, rootUrl) }));
  app.get(PREFIX, async (request, reply) => sendNamed(request, reply, INDEX));
  app.get<{ Params: { file: string } }>(`${PREFIX}/:file`, async (request, reply) => sendNamed(request, reply, request.params.file));
};
