/**
 * Programs that tests start as processes, each made into one file: reading a thousand modules takes a second of a core at every start. What runs is
 * the same source. A module still finds the files beside it.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

/** In the folder of packages, so that those that stay outside are found. */
const FOLDER = join(import.meta.dirname, "../../../node_modules/.cache/comanda-programs");

/** They start threads from files of their own. */
const OUTSIDE = [/^pino/, /^thread-stream/, /^nodemailer/, /^vitest/];

const bundleOf = async (file: string, target: string): Promise<void> => {
  const bundle = await rolldown({
    input: file,
    platform: "node",
    external: OUTSIDE,
    logLevel: "silent",
    plugins: [
      {
        name: "places-of-modules",
        transform: {
          filter: { code: /import\.meta\.(url|dirname|main)/ },
          handler: (code, id) =>
            code
              .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href))
              .replaceAll("import.meta.dirname", JSON.stringify(join(id, "..")))
              .replaceAll("import.meta.main", String(id === file)),
        },
      },
    ],
  });
  await bundle.write({ file: target, format: "esm", codeSplitting: false });
  await bundle.close();
};

export type ProgramBundler = { bundle(file: string): Promise<string>; remove(): void };

/** One for each run of tests: the source may change between two. */
export const createProgramBundler = (): ProgramBundler => {
  const folder = join(FOLDER, String(process.pid));
  const bundles = new Map<string, Promise<string>>();
  let count = 0;
  return {
    bundle(file) {
      const known = bundles.get(file);
      if (known) return known;
      mkdirSync(folder, { recursive: true });
      const target = join(folder, `${count++}.mjs`);
      const made = bundleOf(file, target).then(() => target);
      bundles.set(file, made);
      // The next test that asks tries again.
      made.catch(() => bundles.delete(file));
      return made;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
