/**
 * Draws the guides' Mermaid diagrams as SVG, because the pages run no scripts. Each picture has the same content as a list, for screen
 * readers and for programs.
 */
import type { Arrow, DiagramMessage, Escape } from "./diagram.ts";
import { sequencePicture } from "./sequence-diagram.ts";
import { statePicture } from "./state-diagram.ts";

/** `placed --> accepted`; `[*]` on the left is the start, on the right the end. */
const arrowsOf = (lines: string[]): Arrow[] =>
  lines.flatMap((line) => {
    const [, from, to = ""] = /^(\S+) --> (\S+)$/.exec(line) ?? [];
    return from === undefined ? [] : [{ from: from === "[*]" ? "the start" : from, to: to === "[*]" ? "the end" : to }];
  });

const stateList = (arrows: Arrow[], escaped: Escape): string => {
  const name = (state: string): string => (state.startsWith("the ") ? state : `<code>${escaped(state)}</code>`);
  const entries = [...Map.groupBy(arrows, ({ from }) => from)].map(
    ([from, ways]) => `${name(from)} → ${ways.map(({ to }) => name(to)).join(" or ")}`,
  );
  return `<ul>${entries.map((entry) => `<li>${entry}</li>`).join("\n")}</ul>`;
};

/** `participant A as Your app`, and `A->>B: words`. */
const messagesOf = (lines: string[]): { parties: string[]; messages: DiagramMessage[] } => {
  const names = new Map(
    lines.flatMap((line) => [...line.matchAll(/^participant (\w+) as (.+)$/g)].map(([, key = "", name = ""]) => [key, name] as const)),
  );
  const messages = lines.flatMap((line) => {
    const [, from, to = "", words = ""] = /^(\w+)->>(\w+): (.+)$/.exec(line) ?? [];
    return from === undefined ? [] : [{ from: names.get(from) ?? from, to: names.get(to) ?? to, words }];
  });
  return { parties: [...new Set([...names.values(), ...messages.flatMap(({ from, to }) => [from, to])])], messages };
};

const messageList = (messages: DiagramMessage[], escaped: Escape): string =>
  `<ol>${messages.map(({ from, to, words }) => `<li>${escaped(from)} → ${escaped(to)}: ${escaped(words)}</li>`).join("\n")}</ol>`;

const figure = (picture: string | null, list: string): string =>
  picture === null
    ? `<div class="diagram">${list}</div>`
    : `<figure class="diagram">${picture}<figcaption class="unseen">${list}</figcaption></figure>`;

/** Null for a kind of diagram that no guide uses. */
export const diagramOf = (source: string[], escaped: Escape): string | null => {
  const [kind, ...lines] = source.map((line) => line.trim());
  if (kind === "stateDiagram-v2") {
    const arrows = arrowsOf(lines);
    return figure(statePicture(arrows, escaped), stateList(arrows, escaped));
  }
  if (kind !== "sequenceDiagram") return null;
  const { parties, messages } = messagesOf(lines);
  return figure(sequencePicture(parties, messages, escaped), messageList(messages, escaped));
};
