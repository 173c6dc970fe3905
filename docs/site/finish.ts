/** What the build leaves is changed so that the server can send it under its policy, without compressing anything. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSSRApp, h } from "vue";
import { renderToString } from "vue/server-renderer";
import { compressFolder } from "../../console/build/compress.ts";
import { NotFound } from "./.vitepress/theme/not-found.ts";
import { REFERENCE_PAGES } from "./reference-pages.ts";

/** VitePress leaves this page to scripts alone. */
const writeNotFound = async (folder: string): Promise<void> => {
  const path = join(folder, "404.html");
  const words = await renderToString(createSSRApp({ render: () => h(NotFound) }));
  const page = readFileSync(path, "utf8").replace("<title>404 |", "<title>Page not found |");
  writeFileSync(path, page.replace('<div id="app"></div>', `<noscript>${words}</noscript>$&`));
};

/** `colours` are the classes of highlighted code. They are known when every page is rendered, so they are a file of their own. */
export const finish = async (folder: string, colours: string): Promise<void> => {
  const name = `code.${createHash("sha256").update(colours).digest("hex").slice(0, 8)}.css`;
  writeFileSync(join(folder, "assets", name), colours);
  const link = `<link rel="stylesheet" href="/docs/guide/assets/${name}">`;
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((one) => one.endsWith(".html"))) {
    const page = readFileSync(join(folder, path), "utf8");
    // VitePress always links its file of icons, and it is empty. The policy refuses `style` attributes; style.css has what this one says.
    const cleaned = page
      .replace(/<link rel="preload stylesheet" href="[^"]*vp-icons.css"[^>]*>\s*/, "")
      .replaceAll(/ style="(?:position:relative|--vp-vh:0px);"/g, "");
    writeFileSync(join(folder, path), cleaned.replace("</head>", `${link}</head>`));
  }
  await writeNotFound(folder);
  for (const { name: page, text } of REFERENCE_PAGES)
    writeFileSync(join(folder, "reference", `${page}.md`), text.replaceAll("](../", "](/docs/guide/"));
  compressFolder(join(folder, "assets"));
};
