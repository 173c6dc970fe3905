/** Reads the part of shell that the examples use: variables, curl, jq, grep for headers, echo, a day to come, and one loop. Null for anything else. */

/** A piece of a word: text as it stands, or the value of a variable. */
export type Piece = { text: string } | { variable: string };

export type ShellCall = { method: string; path: Piece[]; headers: [string, Piece[]][]; body: Piece[] | null; hasToken: boolean };
export type ShellSource = { call: ShellCall } | { variable: string } | { daysFromNow: number } | { text: string };
export type ShellValue = { source: ShellSource; filter: string | null };

export type ShellStatement =
  | { kind: "comment"; text: string }
  | { kind: "setting"; name: string; text: string }
  | { kind: "assign"; name: string; value: ShellValue }
  | { kind: "print"; value: ShellValue }
  | { kind: "run"; call: ShellCall }
  | { kind: "headers"; call: ShellCall; names: string[] }
  | { kind: "loop"; name: string; values: string[]; body: ShellStatement[] };

/** What is common to every example and becomes its first lines in the other languages. */
const SETTINGS = ["API", "AUTH", "TOKEN"];

type Words = (Piece[] | "|")[];

/** The end of a quoted text or a substitution that begins at `from`. */
const endOf = (text: string, from: number): number => {
  const open = text[from];
  if (open === "'") return text.indexOf("'", from + 1);
  for (let at = from + (open === "$" ? 2 : 1); at < text.length; at++) {
    const sign = text[at];
    if (sign === "\\") at++;
    else if (open === '"' ? sign === '"' : sign === ")") return at;
    else if (open === "$" && (sign === "'" || sign === '"')) {
      const end = endOf(text, at);
      if (end === -1) return -1;
      at = end;
    }
  }
  return -1;
};

const NAME = /^\$(?:\{(\w+)\}|(\w+))/;

const piecesIn = (text: string): Piece[] => {
  const pieces: Piece[] = [];
  let plain = "";
  for (let at = 0; at < text.length; at++) {
    const [whole, braced, bare] = NAME.exec(text.slice(at)) ?? [];
    if (whole !== undefined) {
      if (plain) pieces.push({ text: plain });
      pieces.push({ variable: braced ?? bare ?? "" });
      plain = "";
      at += whole.length - 1;
    } else if (text[at] === "\\" && /["\\$]/.test(text[at + 1] ?? "")) plain += text[++at];
    else plain += text[at];
  }
  return plain ? [...pieces, { text: plain }] : pieces;
};

/** None when a quote is not closed. */
const wordsOf = (command: string): Words => {
  const words: Words = [];
  let word: Piece[] | null = null;
  const end = (): void => {
    if (word) words.push(word);
    word = null;
  };
  for (let at = 0; at < command.length; at++) {
    const sign = command[at] ?? "";
    if (/\s/.test(sign)) end();
    else if (sign === "|") {
      end();
      words.push("|");
    } else if (sign === "'" || sign === '"') {
      const close = endOf(command, at);
      if (close === -1) return [];
      const inside = command.slice(at + 1, close);
      word = [...(word ?? []), ...(sign === "'" ? [{ text: inside }] : piecesIn(inside))];
      at = close;
    } else {
      const run = /^[^\s|'"]+/.exec(command.slice(at))?.[0] ?? sign;
      word = [...(word ?? []), ...piecesIn(run)];
      at += run.length - 1;
    }
  }
  end();
  return words;
};

/** Lines that belong together: quotes, substitutions and pipes may go on in the next line. */
const commandsOf = (block: string): string[] => {
  const commands: string[] = [];
  let open = "";
  for (const line of block.replaceAll("\\\n", " ").split("\n")) {
    if (open === "" && /^\s*(#|$)/.test(line)) {
      commands.push(line.trim());
      continue;
    }
    open = open === "" ? line.trim() : `${open}\n${line}`;
    if (isWhole(open)) {
      commands.push(open);
      open = "";
    }
  }
  return open === "" ? commands : [...commands, open];
};

const isWhole = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== "'" && text[at] !== '"' && !text.startsWith("$(", at)) continue;
    const end = endOf(text, at);
    if (end === -1) return false;
    at = end;
  }
  return !/\|\s*$/.test(text);
};

const textOf = (word: Piece[] | "|" | undefined): string | null =>
  Array.isArray(word) && word.every((piece) => "text" in piece) ? word.map((piece) => ("text" in piece ? piece.text : "")).join("") : null;

/** `-i` and `-o` only where `callOf` is asked for more than the body. */
const FLAGS = ["-s", "-S", "-sS"];

const callOf = (words: Piece[][], flags = FLAGS): ShellCall | null => {
  const call: ShellCall = { method: "", path: [], headers: [], body: null, hasToken: false };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? [];
    const flag = textOf(word);
    if (flag === "-H") {
      const value = words[++at] ?? [];
      const [first] = value;
      const [, name = "", rest = ""] = first && "text" in first ? (/^([\w-]+): ?(.*)$/s.exec(first.text) ?? []) : [];
      if (name === "Authorization" || (first && "variable" in first && first.variable === "AUTH")) call.hasToken = true;
      if (name && name !== "Content-Type") call.headers.push([name, [...(rest ? [{ text: rest }] : []), ...value.slice(1)]]);
    } else if (flag === "-d") call.body = words[++at] ?? [];
    else if (flag === "-X") call.method = textOf(words[++at]) ?? "";
    else if (flag === null && call.path.length === 0) {
      const [root, ...path] = word;
      if (!root || !("variable" in root) || root.variable !== "API") return null;
      call.path = path;
    } else if (!flags.includes(flag ?? "")) return null;
  }
  call.method ||= call.body ? "POST" : "GET";
  return call.path.length === 0 ? null : call;
};

const sourceOf = ([command, ...rest]: Piece[][]): ShellSource | null => {
  const name = textOf(command);
  if (name === "curl") {
    const call = callOf(rest);
    return call && { call };
  }
  if (name === "date") {
    const [, days] = /^-d,\+(\d) days?,\+%F$/.exec(rest.map(textOf).join(",")) ?? [];
    return days === undefined ? null : { daysFromNow: Number(days) };
  }
  const [given] = rest[0] ?? [];
  return name === "echo" && rest.length === 1 && given && "variable" in given ? { variable: given.variable } : null;
};

const shellValueOf = (command: string): ShellValue | null => {
  const words = wordsOf(command);
  const bar = words.indexOf("|");
  const source = sourceOf(words.slice(0, bar === -1 ? words.length : bar) as Piece[][]);
  if (!source || bar === -1) return source && { source, filter: null };
  const [program, ...rest] = words.slice(bar + 1);
  const filter = textOf(rest.filter((word) => !["-c", "-r"].includes(textOf(word) ?? ""))[0]);
  return textOf(program) === "jq" && filter !== null && !rest.includes("|") ? { source, filter } : null;
};

/** `curl -si … | grep -i -e ^Name -e ^Other`. */
const headersOf = (words: Words): ShellStatement | null => {
  const bar = words.indexOf("|");
  const [command, ...given] = words.slice(0, bar === -1 ? 0 : bar) as Piece[][];
  const [program, ...patterns] = words.slice(bar + 1).map(textOf);
  if (textOf(command) !== "curl" || program !== "grep") return null;
  const names = patterns.filter((word) => word !== "-i" && word !== "-e").map((word) => /^\^([\w-]+)$/.exec(word ?? "")?.[1]);
  const call = callOf(given, ["-si"]);
  return call && names.every((name) => name !== undefined) ? { kind: "headers", call, names } : null;
};

/** `curl -s -o /dev/null …`: nothing is shown. */
const runOf = ([command, ...rest]: Words): ShellStatement | null => {
  const at = rest.findIndex((word) => textOf(word) === "-o");
  if (textOf(command) !== "curl" || at === -1 || textOf(rest[at + 1]) !== "/dev/null" || rest.includes("|")) return null;
  const call = callOf(rest.toSpliced(at, 2) as Piece[][]);
  return call && { kind: "run", call };
};

const statementOf = (command: string): ShellStatement | null => {
  if (command === "" || command.startsWith("#")) return { kind: "comment", text: command };
  const [, name = "", given = ""] = /^(?:export )?([A-Z_]+)=(.*?)(?: +# [^'"]*)?$/s.exec(command) ?? [];
  if (SETTINGS.includes(name)) return { kind: "setting", name, text: given };
  if (name) {
    if (/^[\w-]+$/.test(given)) return { kind: "assign", name, value: { source: { text: given }, filter: null } };
    const value = given.startsWith("$(") && given.endsWith(")") ? shellValueOf(given.slice(2, -1)) : null;
    return value && { kind: "assign", name, value };
  }
  const words = wordsOf(command);
  const other = runOf(words) ?? headersOf(words);
  if (other) return other;
  const value = shellValueOf(command);
  return value && { kind: "print", value };
};

/** Null when the block has a line that is not understood. */
export const statementsOf = (block: string): ShellStatement[] | null => {
  const statements: ShellStatement[] = [];
  let loop: Extract<ShellStatement, { kind: "loop" }> | null = null;
  for (const command of commandsOf(block)) {
    const [, name, values = ""] = /^for ([A-Z]+) in ([\w ]+); do$/.exec(command) ?? [];
    if (name !== undefined && !loop) {
      loop = { kind: "loop", name, values: values.split(" "), body: [] };
      statements.push(loop);
    } else if (command === "done" && loop) loop = null;
    else {
      const statement = statementOf(command);
      if (!statement) return null;
      (loop?.body ?? statements).push(statement);
    }
  }
  return statements;
};
