/** The pages of the site, as VitePress reads them, by their paths: the guides, and what is made from the contract. */
import {
  type Guide,
  INDEX,
  leadFrom,
  PICTURES,
  picturesOf,
  ROOT,
  readGuides,
  summariesOf,
  withLinks,
} from "../../server/src/http/docs/guide-files.ts";
import { diagramOf } from "./diagrams/mermaid.ts";
import { REFERENCE_PAGES } from "./reference-pages.ts";
import { PYTHON, TYPESCRIPT } from "./tabs/languages.ts";
import { translated } from "./tabs/translate.ts";

const fileOf = ({ name }: Guide): string => (name === INDEX ? "index.md" : `${name}.md`);

export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll("{{", "&#123;&#123;");

/** Other parts of the service are no pages of the site, so the browser loads them. */
const outside = (label: string, address: string): string =>
  `<a href="${address}" target="_self">${label.replaceAll(/`([^`]+)`/g, "<code>$1</code>")}</a>`;

const link = (label: string, address: string): string => (address.startsWith("/") ? outside(label, address) : `[${label}](${address})`);

/** A block with its language and what the tests read after it. */
const BLOCK = /^```(\w+)(?:[ \t]+(.*))?\n([\s\S]*?)^```$/gm;
const LANGUAGES = [TYPESCRIPT, PYTHON];

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

/** The blocks in shell, which are one program, in each other language. */
const inOtherLanguages = (text: string): Map<string, string[]> => {
  const shell = [...text.matchAll(BLOCK)].filter(([, language, note = ""]) => language === "sh" && !note.startsWith("no-run"));
  const sources = shell.map(([, , , source = ""]) => source.trimEnd());
  const programs = LANGUAGES.map((language) => translated(sources, language));
  return new Map(
    shell.map(([whole], index) => [
      whole,
      LANGUAGES.flatMap(({ name, fence: mark }, place) => {
        const program = programs[place]?.[index];
        return program ? [fence(`${mark} [${name}]`, program)] : [];
      }),
    ]),
  );
};

/** Blocks lose what is for tests, diagrams become pictures, and examples that can be written in other languages become tabs. */
const withBlocks = (text: string): string => {
  const others = inOtherLanguages(text);
  return text.replaceAll(BLOCK, (whole, language: string, _note: string | undefined, source: string) => {
    if (language === "mermaid") return diagramOf(source.trimEnd().split("\n"), escaped)?.replaceAll("\n", "") ?? whole;
    const tabs = others.get(whole) ?? [];
    if (tabs.length === 0) return fence(language, source);
    return [":::: code-group", fence(`${language} [curl]`, source), ...tabs, "::::"].join("\n\n");
  });
};

const frontMatter = (words: Record<string, string>): string =>
  `---\n${Object.entries(words)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join("\n")}\n---\n\n`;

/** Link marks in a summary say nothing in a description. */
const plain = (text: string): string => text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1").replaceAll("`", "");

const guidePage = (guide: Guide, guides: Guide[], summary: string | undefined): string => {
  const lead = leadFrom(guide, guides, { ofGuide: (other) => `./${fileOf(other)}`, ofPicture: (name) => `./${name}` });
  const head = frontMatter({ ...(summary === undefined ? {} : { description: plain(summary) }), twin: `/docs/guide/${guide.name}.md` });
  return `${head}${withBlocks(withLinks(guide.text, lead, link))}`;
};

export type SitePages = { texts: Map<string, string>; pictures: Map<string, URL> };

export const sitePages = (): SitePages => {
  const guides = readGuides();
  const summaries = summariesOf(guides.find(({ name }) => name === INDEX)?.text ?? "");
  const texts = new Map(guides.map((guide) => [fileOf(guide), guidePage(guide, guides, summaries.get(guide.name))]));
  for (const { name, text } of REFERENCE_PAGES)
    texts.set(`reference/${name}.md`, `${frontMatter({ twin: `/docs/guide/reference/${name}.md` })}${text}`);
  return { texts, pictures: new Map(picturesOf(guides).map((name) => [name, new URL(`${PICTURES}/${name}`, ROOT)])) };
};
