/** What the build leaves is changed so that the server can send it under its policy, without compressing anything. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compressFolder } from "../../console/build/compress.ts";
import { REFERENCE_PAGES } from "./reference-pages.ts";

/** `colours` are the classes of highlighted code. They are known when every page is rendered, so they are a file of their own. */
export const finish = (folder: string, colours: string): void => {
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
  for (const { name: page, text } of REFERENCE_PAGES)
    writeFileSync(join(folder, "reference", `${page}.md`), text.replaceAll("](../", "](/docs/guide/"));
  compressFolder(join(folder, "assets"));
};
