/** The pages of the site, as VitePress reads them, by their paths: the guides, and what is made from the contract. */
import {
  type Guide,
  INDEX,
  indexText,
  isIndex,
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
import { examplesOf, type Fence, isTab, TAB_LANGUAGES } from "./tabs.ts";
import { hasTokenPlace } from "./token-places.ts";

const fileOf = ({ name }: Guide): string => (name === INDEX ? "index.md" : `${name}.md`);

export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll("{{", "&#123;&#123;");

/** Other parts of the service are no pages of the site, so the browser loads them. */
const outside = (label: string, address: string): string =>
  `<a href="${address}" target="_self">${label.replaceAll(/`([^`]+)`/g, "<code>$1</code>")}</a>`;

const link = (label: string, address: string): string => (address.startsWith("/") ? outside(label, address) : `[${label}](${address})`);

/** A block with its language and what the tests read after it. */
const BLOCK = /^```(\w+)(?:[ \t]+(.*))?\n([\s\S]*?)^```$/gm;

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

/** Blocks lose what is for tests, diagrams become pictures, and examples that there are in other languages become tabs. */
const withBlocks = (text: string): string => {
  const fences = [...text.matchAll(BLOCK)].map(([, language = "", note = "", source = ""]): Fence => ({ language, note, text: source }));
  const examples = examplesOf(fences);
  let place = -1;
  return text.replaceAll(BLOCK, (whole, language: string, note: string | undefined, source: string) => {
    place += 1;
    if (language === "mermaid") return diagramOf(source.trimEnd().split("\n"), escaped)?.replaceAll("\n", "") ?? whole;
    if (isTab({ note: note ?? "" })) return "";
    const others = TAB_LANGUAGES.flatMap(({ name, fence: mark }) => {
      const program = examples.get(place)?.tabs[name];
      return program === undefined ? [] : [fence(`${mark} [${name}]`, program)];
    });
    if (others.length === 0) return fence(language, source);
    return [":::: code-group", fence(`${language} [curl]`, source), ...others, "::::"].join("\n\n");
  });
};

const frontMatter = (words: Record<string, string | boolean>): string =>
  `---\n${Object.entries(words)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join("\n")}\n---\n\n`;

/** Link marks in a summary say nothing in a description. */
const plain = (text: string): string => text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1").replaceAll("`", "");

const guidePage = (guide: Guide, guides: Guide[], summary: string | undefined): string => {
  const lead = leadFrom(guide, guides, { ofGuide: (other) => `./${fileOf(other)}`, ofPicture: (name) => `./${name}` });
  const text = withBlocks(withLinks(guide.text, lead, link));
  const description: Record<string, string> = summary === undefined ? {} : { description: plain(summary) };
  // An index has a word of every guide, and is never what was looked for.
  const isFound: Record<string, boolean> = isIndex(guide) ? { search: false } : {};
  return `${frontMatter({ ...description, ...isFound, twin: `/docs/guide/${guide.name}.md`, asksToken: hasTokenPlace(text) })}${text}`;
};

export type SitePages = { texts: Map<string, string>; pictures: Map<string, URL> };

export const sitePages = (): SitePages => {
  const guides = readGuides();
  const summaries = summariesOf(indexText(guides));
  const texts = new Map(guides.map((guide) => [fileOf(guide), guidePage(guide, guides, summaries.get(guide.name))]));
  for (const { name, text } of REFERENCE_PAGES)
    texts.set(`reference/${name}.md`, `${frontMatter({ twin: `/docs/guide/reference/${name}.md` })}${text}`);
  return { texts, pictures: new Map(picturesOf(guides).map((name) => [name, new URL(`${PICTURES}/${name}`, ROOT)])) };
};
