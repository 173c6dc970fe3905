/** Draws a sequence diagram: one column for each participant, messages as arrows between columns, the first at the top. */
import type { DiagramMessage, Escape } from "./diagram.ts";
import { round, svgOf, tipAt } from "./svg.ts";

const HEAD_HEIGHT = 32;
const LINE_HEIGHT = 15;
const CHARACTER_WIDTH = 6.6;
const COLUMN_GAP_MIN = 90;
const LINE_LENGTH_MAX = 30;

const widthOf = (text: string): number => text.length * CHARACTER_WIDTH;

export const sequencePicture = (parties: string[], messages: DiagramMessage[], escaped: Escape): string => {
  const texts = messages.map(({ words }) => linesOf(words));
  const columns = columnsOf(parties, messages, texts);
  const xOf = (party: string): number => columns[parties.indexOf(party)] ?? 0;
  let y = HEAD_HEIGHT + 8;
  const drawn = messages.map(({ from, to }, index) => {
    const lines = texts[index] ?? [];
    y += lines.length * LINE_HEIGHT + 14;
    return drawMessage({ from: xOf(from), to: xOf(to), y, lines }, escaped);
  });
  const height = y + 16;
  const heads = parties.map((party) => drawParty({ party, x: xOf(party), height }, escaped));
  return svgOf((columns.at(-1) ?? 0) + widthOf(parties.at(-1) ?? "") / 2 + 20, height, [...heads, ...drawn]);
};

/** Splits a long text into two lines at the space nearest to its middle. */
const linesOf = (words: string): string[] => {
  if (words.length <= LINE_LENGTH_MAX) return [words];
  const spaces = [...words.matchAll(/ /g)].map(({ index }) => index);
  const cut = spaces.sort((a, b) => Math.abs(a - words.length / 2) - Math.abs(b - words.length / 2))[0];
  return cut === undefined ? [words] : [words.slice(0, cut), words.slice(cut + 1)];
};

/** The middle of each column. The distance fits the names at the top and the texts between the columns. */
const columnsOf = (parties: string[], messages: DiagramMessage[], texts: string[][]): number[] => {
  const columns = parties.map(() => 0);
  columns[0] = widthOf(parties[0] ?? "") / 2 + 20;
  for (let index = 1; index < parties.length; index++) {
    const names = (widthOf(parties[index - 1] ?? "") + widthOf(parties[index] ?? "")) / 2 + 36;
    columns[index] = (columns[index - 1] ?? 0) + Math.max(COLUMN_GAP_MIN, names);
    for (const [at, { from, to }] of messages.entries()) {
      const [first, last] = [parties.indexOf(from), parties.indexOf(to)].sort((a, b) => a - b) as [number, number];
      const needed = Math.max(...(texts[at] ?? [""]).map(widthOf)) + 24;
      if (last === index) columns[index] = Math.max(columns[index] ?? 0, (columns[first] ?? 0) + needed);
    }
  }
  return columns;
};

const drawParty = ({ party, x, height }: { party: string; x: number; height: number }, escaped: Escape): string => {
  const width = round(widthOf(party) + 24);
  return `<path class="line" d="M${round(x)} ${HEAD_HEIGHT}V${round(height)}"/><rect class="state" x="${round(x - width / 2)}" y="1" width="${width}" height="${HEAD_HEIGHT - 2}" rx="8"/><text x="${round(x)}" y="21">${escaped(party)}</text>`;
};

type DrawnMessage = { from: number; to: number; y: number; lines: string[] };

const drawMessage = ({ from, to, y, lines }: DrawnMessage, escaped: Escape): string => {
  const words = lines.map(
    (line, index) =>
      `<text class="words" x="${round((from + to) / 2)}" y="${round(y - 6 - (lines.length - 1 - index) * LINE_HEIGHT)}">${escaped(line)}</text>`,
  );
  return `<path class="way" d="M${round(from)} ${round(y)}H${round(to)}"/>${tipAt(to, y, [Math.sign(to - from), 0])}${words.join("")}`;
};
