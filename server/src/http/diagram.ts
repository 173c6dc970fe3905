/** The diagrams of our guides as lists: a page without scripts cannot draw them, and their source is nothing to read. */

/** Text as HTML shows it. */
type Escape = (text: string) => string;

/** `placed --> accepted` and its like: where each state can go. Behind `[*]` is where it begins, before it where it ends. */
const statesOf = (lines: string[], escaped: Escape): string => {
  const ways = new Map<string, string[]>();
  for (const line of lines) {
    const [, from = "", to = ""] = /^(\S+) --> (\S+)$/.exec(line) ?? [];
    ways.set(from, [...(ways.get(from) ?? []), to]);
  }
  const name = (state: string): string => (state === "[*]" ? "the end" : `<code>${escaped(state)}</code>`);
  const entries = [...ways].map(([from, to]) => `${from === "[*]" ? "the start" : name(from)} → ${to.map(name).join(" or ")}`);
  return `<ul class="diagram">${entries.map((entry) => `<li>${entry}</li>`).join("\n")}</ul>`;
};

/** `A->>B: words` and its like: who says what to whom, in order. */
const sequenceOf = (lines: string[], escaped: Escape): string => {
  const names = new Map(
    lines.flatMap((line) => [/^participant (\w+) as (.+)$/.exec(line)?.slice(1) ?? []]).map(([key = "", name = ""]) => [key, name]),
  );
  const entries = lines.flatMap((line) => {
    const [, from, to = "", words = ""] = /^(\w+)->>(\w+): (.+)$/.exec(line) ?? [];
    return from === undefined ? [] : [`${escaped(names.get(from) ?? from)} → ${escaped(names.get(to) ?? to)}: ${escaped(words)}`];
  });
  return `<ol class="diagram">${entries.map((entry) => `<li>${entry}</li>`).join("\n")}</ol>`;
};

/** Null: a kind that we have not used yet. */
export const diagramOf = (source: string[], escaped: Escape): string | null => {
  const [kind, ...lines] = source.map((line) => line.trim());
  if (kind === "stateDiagram-v2") return statesOf(lines, escaped);
  return kind === "sequenceDiagram" ? sequenceOf(lines, escaped) : null;
};
