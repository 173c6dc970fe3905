/**
 * Reads what one part of `npm run build` reads, and writes nothing: `build-inputs.ts console` or `build-inputs.ts docs/site`, in the folder of a stage.
 * Modules are found by the bundler itself, so a file that the stage does not have ends this process with an error.
 */
import { accessSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type BuildOptions, build, type Plugin } from "vite";
import type { sitePages } from "../docs/site/pages.ts";

/** Ends the bundler when it has found every module, before it makes anything of them. */
const findModules = async (root: string, configFile: string | false, options: BuildOptions): Promise<void> => {
  let isFound = false;
  const stop: Plugin = {
    name: "stop-before-output",
    buildEnd(error) {
      if (error) return;
      isFound = true;
      this.error("every module is found");
    },
  };
  try {
    await build({ root, configFile, logLevel: "silent", plugins: [stop], build: options });
  } catch (error) {
    if (!isFound) throw error;
  }
};

const readSite = async (folder: string): Promise<void> => {
  const input = join(folder, ".vitepress/theme/index.ts");
  await findModules(folder, false, { rolldownOptions: { input, external: /^(?:vue|vitepress)(?:\/|$)/ } });
  const pages = (await import(pathToFileURL(join(folder, "pages.ts")).href)) as { sitePages: typeof sitePages };
  for (const picture of pages.sitePages().pictures.values()) accessSync(picture);
  await (await import("vitepress")).resolveConfig(folder, "build");
  accessSync(join(folder, "build.ts"));
};

const [part = ""] = process.argv.slice(2);
if (part === "console") await findModules(resolve(part), resolve(part, "vite.config.ts"), {});
else await readSite(resolve(part));
