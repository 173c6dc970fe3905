/** The guides as files of the project, and where their links lead. The documentation site is built from the same files. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";

export const ROOT = new URL("../../../../", import.meta.url);
const FOLDER = "docs/guide";
export const PREFIX = "/docs/guide";
export const INDEX = "README";
/** Each kind of reader has a folder with an index of its own. Addresses have no folder, so that a guide may change its reader. */
export const READERS = ["developer", "restaurant", "operator"];

/** `name` is the last part of its URL, `path` its file in the project. */
export type Guide = { name: string; path: string; title: string; text: string };

/** The URL of a link; null when the service does not serve the target, so that only the text is shown. */
export type Lead = (target: string) => string | null;

/** The last part of its address: `developer/orders.md` is `orders`, and `developer/README.md` is `developer`. */
const nameOf = (file: string): string =>
  file
    .replace(/\.md$/, "")
    .replace(/(?<=\w)\/README$/, "")
    .replace(/^\w+\//, "");

export const isIndex = ({ name }: Pick<Guide, "name">): boolean => name === INDEX || READERS.includes(name);

/** The tables of all indexes, in the order of the readers. */
export const indexText = (guides: readonly Guide[]): string =>
  [INDEX, ...READERS].map((name) => guides.find((guide) => guide.name === name)?.text ?? "").join("\n");

export const readGuides = (): Guide[] => {
  // An image may leave out the documents.
  const files = existsSync(new URL(FOLDER, ROOT)) ? readdirSync(new URL(FOLDER, ROOT), { recursive: true, encoding: "utf8" }) : [];
  const places = [
    ...files.filter((file) => file.endsWith(".md")).map((file) => ({ name: nameOf(file), path: `${FOLDER}/${file}` })),
    { name: "sdk", path: "sdk/README.md" },
  ];
  const guides = places.flatMap(({ name, path }) => {
    if (!existsSync(new URL(path, ROOT))) return [];
    const text = readFileSync(new URL(path, ROOT), "utf8");
    return [{ name, path, text, title: /^# (.+)$/m.exec(text)?.[1] ?? name }];
  });
  // Guides are in the order of the indexes, which come first.
  const index = indexText(guides);
  const placeOf = (guide: Guide): number =>
    isIndex(guide) ? READERS.indexOf(guide.name) - READERS.length - 1 : index.indexOf(`](${guide.name}.md)`) >>> 0;
  return guides.sort((a, b) => placeOf(a) - placeOf(b));
};

export const PICTURES = "docs/images";

/** The pictures that guides show, by the last part of their URL. An image of the service may leave them out. */
export const picturesOf = (guides: Guide[]): string[] => {
  const named = guides.flatMap(({ text }) => [...text.matchAll(/\]\((?:\.\.\/)+images\/([\w-]+\.webp)\)/g)].map(([, name = ""]) => name));
  return [...new Set(named)].filter((name) => existsSync(new URL(`${PICTURES}/${name}`, ROOT)));
};

/** Link targets that are no guides but are served under these paths. */
const OTHER_TARGETS: Record<string, string> = {
  "server/openapi.json": "/openapi.json",
  [`${FOLDER}/operator/venue-file.schema.json`]: `${PREFIX}/venue-file.schema.json`,
};

type Addresses = { ofGuide(guide: Guide): string; ofPicture(name: string): string };

/** Turns links between project files into URLs of the service. Null for a file that the service does not serve. */
export const leadFrom =
  (guide: Guide, guides: Guide[], addresses: Addresses): Lead =>
  (target) => {
    if (/^(https?:|#|\/)/.test(target)) return target;
    const [file = "", anchor] = target.split("#");
    const path = posix.join(posix.dirname(guide.path), file);
    const other = guides.find((one) => one.path === path);
    const picture = picturesOf([guide]).find((name) => `${PICTURES}/${name}` === path);
    const address = other ? addresses.ofGuide(other) : picture ? addresses.ofPicture(picture) : OTHER_TARGETS[path];
    return address === undefined ? null : `${address}${anchor === undefined ? "" : `#${anchor}`}`;
  };

/** The service's address as the guides' files write it. */
export const WRITTEN_ADDRESS = "http://127.0.0.1:4000";

/** The anchor of a heading, as on GitHub. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

/** The Markdown with other link targets. `link` may replace the whole link. */
export const withLinks = (
  text: string,
  lead: Lead,
  link = (label: string, address: string): string => `[${label}](${address})`,
): string => {
  let isCode = false;
  return text
    .split("\n")
    .map((line) => {
      if (line.startsWith("```")) isCode = !isCode;
      if (isCode) return line;
      return line.replaceAll(/\[((?:[^\]`]|`[^`]*`)*)\]\(([^)\s]+)\)/g, (_, label: string, target: string) => {
        const address = lead(target);
        return address === null ? label : link(label, address);
      });
    })
    .join("\n");
};

/** The summary of each guide in the index. */
export const summariesOf = (index: string): Map<string, string> =>
  new Map(
    [...index.matchAll(/^\| \[[^\]]+\]\((?:\.\.\/\.\.\/)?([\w/-]+)\.md\) +\| +(.+?) +\|$/gm)].map(([, name = "", words = ""]) => [
      name,
      words,
    ]),
  );
