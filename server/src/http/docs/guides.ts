/** Serves the guides as Markdown, their pictures, and /llms.txt, the index for language models. `site.ts` serves them as pages. */
import { readFileSync } from "node:fs";
import { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import type { FastifyInstance } from "fastify";
import type { Deps } from "#deps.ts";
import { createDocument, createLinkedDocument, type SendDocument } from "./cached-document.ts";
import {
  type Guide,
  indexText,
  isIndex,
  leadFrom,
  PICTURES,
  PREFIX,
  picturesOf,
  ROOT,
  summariesOf,
  WRITTEN_ADDRESS,
  withLinks,
} from "./guide-files.ts";

/** `npm run generate` writes the same text into the project. */
const VENUE_FILE_SCHEMA = JSON.stringify({ $schema: "https://json-schema.org/draft/2020-12/schema", ...VenueFile }, null, 2);

const addressOf = ({ name }: Guide): string => `${PREFIX}/${name}.md`;

/** Inserts the service's real address, so that every example can be pasted. */
const markdownOf = (guide: Guide, guides: Guide[], rootUrl: string): string =>
  withLinks(
    guide.text.replaceAll(WRITTEN_ADDRESS, rootUrl),
    leadFrom(guide, guides, { ofGuide: addressOf, ofPicture: (name) => `${PREFIX}/${name}` }),
  );

/** The format of https://llmstxt.org. */
const llmsText = (guides: Guide[], rootUrl: string): string => {
  const summaries = summariesOf(indexText(guides));
  const listed = guides.filter((guide) => !isIndex(guide));
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

${listed.map((guide) => `- [${guide.title}](${rootUrl}${addressOf(guide)})${summaries.has(guide.name) ? `: ${summaries.get(guide.name)}` : ""}`).join("\n")}
`;
};

/** Guides as Markdown, pictures and the shape of venue files, by the last part of their URL. */
export const guideDocuments = (deps: Deps, guides: Guide[]): Map<string, SendDocument> => {
  const documents = new Map<string, SendDocument>();
  for (const guide of guides) {
    const build = (rootUrl: string): string => markdownOf(guide, guides, rootUrl);
    documents.set(`${guide.name}.md`, createLinkedDocument(deps, { type: "text/markdown; charset=utf-8", build }));
  }
  for (const name of picturesOf(guides))
    documents.set(name, createDocument({ type: "image/webp", build: () => readFileSync(new URL(`${PICTURES}/${name}`, ROOT)) }));
  documents.set(
    "venue-file.schema.json",
    createDocument({ type: "application/schema+json; charset=utf-8", build: () => VENUE_FILE_SCHEMA }),
  );
  return documents;
};

export const addLlmsText = (app: FastifyInstance, deps: Deps, guides: Guide[]): void => {
  app.get("/llms.txt", createLinkedDocument(deps, { type: "text/plain; charset=utf-8", build: (rootUrl) => llmsText(guides, rootUrl) }));
};
