/** Renders the Markdown that the guides use as HTML. Anything else stays text. */
import { diagramOf } from "./mermaid.ts";

/** The URL of a link; null when the service does not serve the target, so that only the text is shown. */
export type Lead = (target: string) => string | null;

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** The anchor of a heading, as on GitHub. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

const INLINE = /`([^`]+)`|!?\[((?:[^\]`]|`[^`]*`)*)\]\(([^)\s]+)\)|<(https?:\/\/[^>\s]+)>|\*\*((?:[^*`]|`[^`]*`)+)\*\*/g;

const inline = (text: string, lead: Lead): string => {
  let html = "";
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, label, target, address, strong] = match;
    html += escaped(text.slice(from, match.index));
    from = match.index + whole.length;
    if (code !== undefined) html += `<code>${escaped(code)}</code>`;
    else if (strong !== undefined) html += `<strong>${inline(strong, lead)}</strong>`;
    else if (whole.startsWith("!")) html += picture(target ?? "", label ?? "", lead);
    else html += link(address ?? target ?? "", address === undefined ? inline(label ?? "", lead) : escaped(address), lead);
  }
  return html + escaped(text.slice(from));
};

/** Its text alone when the service does not serve it. */
const picture = (target: string, label: string, lead: Lead): string => {
  const address = lead(target);
  return address === null ? escaped(label) : `<img src="${escaped(address)}" alt="${escaped(label)}" loading="lazy">`;
};

const link = (target: string, label: string, lead: Lead): string => {
  const address = lead(target);
  return address === null ? label : `<a href="${escaped(address)}">${label}</a>`;
};

/** One block: the number of lines that it takes, and their HTML. */
type Taken = { count: number; html: string };
type Taker = (lines: string[], lead: Lead) => Taken | null;

const countWhile = (lines: string[], belongs: (line: string) => boolean): number => {
  const end = lines.findIndex((line) => !belongs(line));
  return end === -1 ? lines.length : end;
};

const takeFence: Taker = ([first = "", ...rest]) => {
  const language = /^```(\w*)/.exec(first)?.[1];
  if (language === undefined) return null;
  const length = countWhile(rest, (line) => line !== "```");
  const lines = rest.slice(0, length);
  const diagram = language === "mermaid" ? diagramOf(lines, escaped) : null;
  if (diagram !== null) return { count: length + 2, html: diagram };
  const code = escaped(lines.join("\n"));
  return { count: length + 2, html: `<pre><code class="language-${language}">${code}</code></pre>` };
};

const takeHeading: Taker = ([first = ""], lead) => {
  const [, marks, text = ""] = /^(#{1,4}) (.+)$/.exec(first) ?? [];
  if (marks === undefined) return null;
  return { count: 1, html: `<h${marks.length} id="${slugOf(text)}">${inline(text, lead)}</h${marks.length}>` };
};

const cellsOf = (line: string): string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));

const takeTable: Taker = (lines, lead) => {
  const count = countWhile(lines, (line) => line.startsWith("|"));
  if (count < 2) return null;
  const [head = "", , ...body] = lines.slice(0, count);
  const row = (line: string, cell: string): string =>
    `<tr>${cellsOf(line)
      .map((text) => `<${cell}>${inline(text, lead)}</${cell}>`)
      .join("")}</tr>`;
  const rows = body.map((line) => row(line, "td")).join("\n");
  return { count, html: `<div class="wide"><table><thead>${row(head, "th")}</thead><tbody>${rows}</tbody></table></div>` };
};

const takeList: Taker = (lines, lead) => {
  const mark = /^(?:- |\d+\. )/;
  const [first = ""] = lines;
  if (!mark.test(first)) return null;
  const count = countWhile(lines, (line) => mark.test(line) || /^ {2,}\S/.test(line));
  const entries: string[] = [];
  for (const line of lines.slice(0, count))
    if (mark.test(line)) entries.push(line.replace(mark, ""));
    else entries.push(`${entries.pop() ?? ""} ${line.trim()}`);
  const tag = first.startsWith("- ") ? "ul" : "ol";
  return { count, html: `<${tag}>${entries.map((entry) => `<li>${inline(entry, lead)}</li>`).join("\n")}</${tag}>` };
};

const takeNothing: Taker = ([first = ""]) => (first === "" || first.startsWith("<!--") ? { count: 1, html: "" } : null);

const takeParagraph = (lines: string[], lead: Lead): Taken => {
  const ends = [takeNothing, takeFence, takeHeading, takeTable, takeList];
  const more = lines.slice(1).findIndex((_, index) => ends.some((take) => take(lines.slice(index + 1), lead) !== null));
  const count = more === -1 ? lines.length : more + 1;
  return { count, html: `<p>${inline(lines.slice(0, count).join("\n"), lead)}</p>` };
};

export const htmlOf = (markdown: string, lead: Lead): string => {
  const blocks: string[] = [];
  for (let lines = markdown.split("\n"); lines.length > 0; ) {
    const takers = [takeNothing, takeFence, takeHeading, takeTable, takeList];
    const taken = takers.reduce<Taken | null>((found, take) => found ?? take(lines, lead), null) ?? takeParagraph(lines, lead);
    if (taken.html) blocks.push(taken.html);
    lines = lines.slice(taken.count);
  }
  return blocks.join("\n");
};
