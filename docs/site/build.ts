/** `npm run build`: writes the pages for VitePress, lets it build the site into `dist`, and prepares the files for the server. */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sitePages } from "./pages.ts";

const HERE = import.meta.dirname;
const SOURCE = join(HERE, ".source");

const writePages = (): void => {
  rmSync(SOURCE, { recursive: true, force: true });
  const { texts, pictures } = sitePages();
  for (const [path, text] of texts) {
    mkdirSync(dirname(join(SOURCE, path)), { recursive: true });
    writeFileSync(join(SOURCE, path), text);
  }
  for (const [name, url] of pictures) copyFileSync(url, join(SOURCE, name));
};

writePages();
try {
  const { build } = await import("vitepress");
  await build(HERE);
} finally {
  rmSync(SOURCE, { recursive: true, force: true });
  rmSync(join(HERE, ".vitepress/.temp"), { recursive: true, force: true });
}
