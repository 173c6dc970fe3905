/** The documentation site: the guides and the pages that are made from the contract, as files that the service serves under /docs/guide. */
import { transformerStyleToClass } from "@shikijs/transformers";
import { defineConfig } from "vitepress";

/** Loaded by Node, not bundled with this file. */
const load = (path: string): Promise<unknown> => import(new URL(path, import.meta.url).href);
const { finish } = (await load("../finish.ts")) as typeof import("../finish.ts");
const { readSidebar } = (await load("../sidebar.ts")) as typeof import("../sidebar.ts");
const { tokenPlaces } = (await load("../token-places.ts")) as typeof import("../token-places.ts");
const { slugOf } = (await load(
  "../../../server/src/http/docs/guide-files.ts",
)) as typeof import("../../../server/src/http/docs/guide-files.ts");

/** The policy of the pages allows no `style` attributes, so the colours of code are classes of one file. */
const colours = transformerStyleToClass({ classPrefix: "c-" });

export default defineConfig({
  title: "Comanda",
  description: "Guides and reference of the Restaurant Operations API.",
  lang: "en",
  base: "/docs/guide/",
  srcDir: ".source",
  outDir: "dist",
  cleanUrls: true,
  // The list of pages is a file of its own. Inside the pages it would be an inline script that changes with every build.
  metaChunk: true,
  head: [
    ["link", { rel: "icon", href: "data:," }],
    // Styles for readers without scripts look for this class.
    ["script", {}, 'document.documentElement.classList.add("scripted")'],
  ],
  markdown: {
    anchor: { slugify: slugOf },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    codeTransformers: [tokenPlaces, colours],
  },
  vite: {
    // A file without a text never changes, and the policy allows no data: URLs for code.
    build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 2000 },
    logLevel: "warn",
  },
  buildEnd: ({ outDir }) => finish(outDir, colours.getCSS()),
  themeConfig: {
    siteTitle: "Comanda",
    logoLink: "/",
    outline: { level: [2, 3], label: "On this page" },
    sidebar: readSidebar(),
    search: {
      provider: "local",
      options: {
        disableDetailedView: true,
        miniSearch: { searchOptions: { fuzzy: 0.15, prefix: true, boost: { title: 4, titles: 2, text: 1 } } },
      },
    },
    docFooter: { prev: "Previous", next: "Next" },
  },
});
