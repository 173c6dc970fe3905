/**
 * Adds the service worker to the build, and lists in it the files that belong together: the entry and all that the service pages load. The
 * list and the name of the build are written into it, so a build with other files has another worker.
 */
import { createHash } from "node:crypto";
import type { Plugin, Rolldown } from "vite";

const FILE = "service-worker.js";
const SOURCE = "src/offline/service-worker.ts";
/** What must open without a connection. Their own imports follow. */
const PAGES = [
  "index.html",
  "src/compose/venue-shell.tsx",
  "src/orders/orders.tsx",
  "src/menu-today/menu-today.tsx",
  "src/screen/screen-page.tsx",
  "src/kitchen/kitchen-display.tsx",
  "src/offline/local-database.ts",
  "src/compose/texts.ar.ts",
];
/** The letters of the two languages. Others are kept when a page has used them. */
const FONTS = /(?:inter-latin-wght|fraunces-latin-wght|vazirmatn-arabic-wght).*\.woff2$/;

type Bundle = Rolldown.OutputBundle;

const chunksOf = (bundle: Bundle): Rolldown.OutputChunk[] => Object.values(bundle).filter((file) => file.type === "chunk");

const withImports = (bundle: Bundle, file: string, seen: Set<string>): Set<string> => {
  const chunk = bundle[file];
  if (seen.has(file) || chunk?.type !== "chunk") return seen;
  seen.add(file);
  for (const style of chunk.viteMetadata?.importedCss ?? []) seen.add(style);
  for (const imported of chunk.imports) withImports(bundle, imported, seen);
  return seen;
};

/** The code of a page, and the chunk by which others import it, can be two files. */
const chunksWith = (bundle: Bundle, page: string): Rolldown.OutputChunk[] =>
  chunksOf(bundle).filter(({ facadeModuleId, moduleIds }) => [facadeModuleId, ...moduleIds].some((id) => id?.endsWith(`/${page}`)));

const filesOf = (bundle: Bundle): string[] => {
  const files = new Set<string>();
  for (const page of PAGES) {
    const chunks = chunksWith(bundle, page);
    if (chunks.length === 0) throw new Error(`The build has no chunk for ${page}.`);
    for (const { fileName } of chunks) withImports(bundle, fileName, files);
  }
  return [...files, ...Object.keys(bundle).filter((file) => FONTS.test(file))].sort();
};

export const serviceWorker = (): Plugin => ({
  name: "comanda-service-worker",
  apply: "build",
  enforce: "post",
  buildStart() {
    this.emitFile({ type: "chunk", id: SOURCE, fileName: FILE });
  },
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      const worker = bundle[FILE];
      if (worker?.type !== "chunk") throw new Error("The build has no service worker.");
      if (worker.imports.length > 0) throw new Error("The service worker must be one file.");
      const entry = chunksOf(bundle).find(({ facadeModuleId }) => facadeModuleId?.endsWith("index.html"))?.fileName;
      const files = filesOf(bundle);
      const page = bundle["index.html"];
      const build = createHash("sha256").update(JSON.stringify([files, page?.type === "asset" ? String(page.source) : "", worker.code]));
      const values = { __BUILD__: build.digest("hex").slice(0, 16), __ENTRY__: entry, __FILES__: files };
      for (const [name, value] of Object.entries(values)) {
        if (!worker.code.includes(name)) throw new Error(`The service worker does not read ${name}.`);
        worker.code = worker.code.replace(name, () => JSON.stringify(value));
      }
    },
  },
});
