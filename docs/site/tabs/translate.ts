/** Writes the curl examples of a page in another language. What is not understood stays in shell alone. */
import { type Expression, printed } from "./expression.ts";
import { EACH, filterOf, type JqFilter } from "./jq.ts";
import type { Language, Loop } from "./languages.ts";
import { type Piece, type ShellCall, type ShellStatement, type ShellValue, statementsOf } from "./shell.ts";

/** A block in shell, and what the page itself has beside it in other languages, by their names. */
export type ShellExample = { text: string; written: Partial<Record<Language["name"], string>> };

/** The page goes on without this block in the other languages. */
class NotTranslated extends Error {}

type Translated = { loops: Loop[]; value: Expression };

/** Names that the page uses so far, the variables that have a value, and those that only the shell has. */
type PageScope = { language: Language; names: Set<string>; known: Set<string>; exported: Set<string>; begun: boolean; hasDays: boolean };

const asText = (value: Expression): string => {
  if (typeof value !== "string") throw new NotTranslated();
  return value;
};

/** `rules` is gone through as `rule`; `data` says nothing. */
const loopName = (list: string, { names }: PageScope): string => {
  const plural = /(\w+)s(?:"\])?$/.exec(list)?.[1] ?? "";
  return plural && !names.has(plural) ? plural : "one";
};

const applied = (filter: JqFilter, input: Translated, scope: PageScope): Translated => {
  const { language } = scope;
  const { loops, value } = input;
  const one = (part: JqFilter): Expression => single(applied(part, { loops: [], value }, scope), scope);
  if (filter.kind === "pipe") return applied(filter.to, applied(filter.from, input, scope), scope);
  if (filter.kind === "path") return walked(filter.steps, input, scope);
  if (filter.kind === "literal") return { loops, value: JSON.stringify(filter.value) };
  if (filter.kind === "keys") return { loops, value: language.keys(asText(value)) };
  if (filter.kind === "length") return { loops, value: language.length(asText(value)) };
  if (filter.kind === "not") return { loops, value: language.not(asText(value)) };
  if (filter.kind === "equal") return { loops, value: language.equal(asText(one(filter.left)), asText(one(filter.right))) };
  if (filter.kind === "object")
    return { loops, value: language.object(filter.fields.map(([name, part]): [string, Expression] => [name, one(part)])) };
  if (filter.kind === "list") {
    const [only, ...more] = filter.of;
    if (!only) throw new NotTranslated();
    const entries = more.length === 0 ? everyOf(applied(only, { loops: [], value }, scope), scope) : language.list(filter.of.map(one));
    return { loops, value: entries };
  }
  const last = loops.at(-1);
  if (!last || value !== last.name) throw new NotTranslated();
  return { loops: [...loops.slice(0, -1), { ...last, conditions: [...last.conditions, asText(one(filter.condition))] }], value };
};

const walked = (steps: (string | number)[], { loops, value }: Translated, scope: PageScope): Translated => {
  let result: Translated = { loops, value };
  for (const step of steps) {
    if (step === EACH) {
      const list = asText(result.value);
      const name = loopName(list, scope);
      if (result.loops.some((loop) => loop.name === name)) throw new NotTranslated();
      result = { loops: [...result.loops, { name, list, conditions: [] }], value: name };
    } else result = { ...result, value: scope.language.field(result.value, step) };
  }
  return result;
};

/** One value: the first of several. */
const single = ({ loops, value }: Translated, { language }: PageScope): Expression => {
  const [loop, another] = loops;
  if (!loop) return value;
  const text = asText(value);
  if (another || !text.startsWith(loop.name)) throw new NotTranslated();
  return `${language.first(loop)}${text.slice(loop.name.length)}`;
};

const everyOf = ({ loops, value }: Translated, { language }: PageScope): Expression => {
  const [loop, another] = loops;
  if (!loop) return language.list([value]);
  if (another) throw new NotTranslated();
  return language.each(loop, asText(value));
};

const variable = (name: string, { known }: PageScope): string => {
  if (!known.has(name)) throw new NotTranslated();
  return name.toLowerCase();
};

const textOf = (pieces: Piece[], scope: PageScope): string => {
  const [first, ...more] = pieces;
  if (first && more.length === 0) return "text" in first ? scope.language.text(first.text) : variable(first.variable, scope);
  return scope.language.template(pieces.map((piece) => ("text" in piece ? piece : { variable: variable(piece.variable, scope) })));
};

/** Stands for a variable while the body is read as JSON. The letter before it tells a value from a part of a text. */
const MARK = "\u0001";

const bodyOf = (pieces: Piece[], scope: PageScope): Expression => {
  const [first] = pieces;
  if (first && pieces.length === 1 && "variable" in first) return variable(first.variable, scope);
  let json = "";
  for (const piece of pieces) {
    if ("text" in piece) json += piece.text;
    else {
      const isInText = (json.match(/(?<!\\)"/g) ?? []).length % 2 === 1;
      const mark = `${MARK}${variable(piece.variable, scope)}${MARK}`;
      json += isInText ? mark : JSON.stringify(mark).replaceAll("\\u0001", MARK);
    }
  }
  try {
    return literalOf(JSON.parse(json.replaceAll(MARK, "\\u0001")), scope);
  } catch (error) {
    if (error instanceof SyntaxError) throw new NotTranslated();
    throw error;
  }
};

const literalOf = (value: unknown, scope: PageScope): Expression => {
  const { language } = scope;
  if (typeof value === "string") {
    const parts = value.split(MARK);
    if (parts.length === 1) return language.text(value);
    if (parts.length === 3 && parts[0] === "" && parts[2] === "") return parts[1] ?? "";
    return language.template(parts.map((part, index) => (index % 2 ? { variable: part } : { text: part })));
  }
  if (Array.isArray(value)) return language.list(value.map((entry) => literalOf(entry, scope)));
  if (typeof value === "object" && value !== null)
    return language.object(Object.entries(value).map(([name, entry]): [string, Expression] => [name, literalOf(entry, scope)]));
  return language.constant(value as boolean | number | null);
};

/** The first lines of a page send the token. */
const isOwnToken = ([name, value]: ShellCall["headers"][number]): boolean =>
  name === "Authorization" && value.some((piece) => "variable" in piece && piece.variable === "TOKEN");

const requestOf = (call: ShellCall, scope: PageScope): Expression[] => {
  if (!scope.begun || !call.hasToken) throw new NotTranslated();
  const { language } = scope;
  const { method, path, body } = call;
  const headers = call.headers.filter((header) => !isOwnToken(header));
  const extra =
    headers.length === 0 ? [] : [language.object(headers.map(([name, value]): [string, Expression] => [name, textOf(value, scope)]))];
  const given = body ? [bodyOf(body, scope)] : extra.length > 0 ? [language.emptyBody] : [];
  return [language.text(method), textOf(path, scope), ...given, ...extra];
};

const callOf = (call: ShellCall, scope: PageScope): Expression => scope.language.call(requestOf(call, scope));

/** A name for an answer: the last word of its path. */
const nameOf = ({ path }: ShellCall, { names }: PageScope): string => {
  const last = path.at(-1);
  const word = (last && "text" in last ? /([a-z]+)(?:\?.*)?$/.exec(last.text)?.[1] : undefined) ?? "answer";
  for (let count = 1; ; count++) {
    const name = count === 1 ? word : `${word}${count}`;
    if (names.has(name)) continue;
    names.add(name);
    return name;
  }
};

/** The lines before the value, and the value. */
const valueFrom = ({ source, filter: words }: ShellValue, scope: PageScope): { before: Expression[]; result: Translated } => {
  const filter = words === null ? null : filterOf(words);
  if (words !== null && filter === null) throw new NotTranslated();
  const only = (value: Expression): Translated => ({ loops: [], value });
  if ("daysFromNow" in source) return { before: [], result: only(scope.language.daysFromNow(source.daysFromNow)) };
  if ("text" in source) return { before: [], result: only(scope.language.text(source.text)) };
  if ("variable" in source) {
    const input = only(variable(source.variable, scope));
    return { before: [], result: filter ? applied(filter, input, scope) : input };
  }
  const call = callOf(source.call, scope);
  if (!filter) return { before: [], result: only(call) };
  const name = nameOf(source.call, scope);
  return { before: [scope.language.assign(name, call)], result: applied(filter, only(name), scope) };
};

const within = (lines: string[], depth: number): string[] => lines.map((line) => line.replaceAll(/^(?=.)/gm, "  ".repeat(depth)));

const linesOf = (statement: ShellStatement, scope: PageScope): string[] => {
  const { language } = scope;
  const shown = (expressions: Expression[]): string[] => expressions.map((expression) => printed(expression));
  if (statement.kind === "comment") return [statement.text.replace(/^#/, language.comment)];
  if (statement.kind === "setting") return [];
  if (statement.kind === "loop") {
    scope.known.add(statement.name);
    const loop = { name: statement.name.toLowerCase(), list: printed(language.list(statement.values.map(language.text))), conditions: [] };
    return around(
      [loop],
      statement.body.flatMap((one) => linesOf(one, scope)),
      scope,
    );
  }
  if (statement.kind === "run") return shown([language.run(callOf(statement.call, scope))]);
  if (statement.kind === "headers") {
    const answer = language.send(requestOf(statement.call, scope));
    const name = nameOf(statement.call, scope);
    return [...shown([language.assign(name, answer)]), ...statement.names.map((header) => language.showHeader(name, header))];
  }
  const { before, result } = valueFrom(statement.value, scope);
  if (statement.kind === "assign") {
    const value = single(result, scope);
    scope.known.add(statement.name);
    return shown([...before, language.assign(statement.name.toLowerCase(), value)]);
  }
  return [...shown(before), ...around(result.loops, shown([language.show(result.value)]), scope)];
};

/** Lines inside of loops. */
const around = (loops: Loop[], lines: string[], { language }: PageScope): string[] =>
  loops.reduceRight((inner, loop) => {
    const open = language.openLoop(loop);
    return [open, ...within(inner, open.split("\n").length), ...(language.closeLoop === null ? [] : [language.closeLoop])];
  }, lines);

const settingIn = (text: string, name: string): string | undefined =>
  new RegExp(`^(?:export )?${name}=(.*)$`, "m")
    .exec(text)?.[1]
    ?.replace(/\s+#.*$/, "")
    .replaceAll(/^['"]|['"]$/g, "");

const beginOf = (text: string, scope: PageScope): string[] => {
  const api = settingIn(text, "API");
  if (api === undefined || scope.begun) return [];
  scope.begun = true;
  return [scope.language.begin({ api, token: settingIn(text, "TOKEN") ?? null, hasDays: scope.hasDays }), ""];
};

/** What an operator's command has put into the environment is read where it is used first. */
const fromEnvironment = (text: string, scope: PageScope): string[] =>
  [...scope.exported]
    .filter((name) => !scope.known.has(name) && new RegExp(`\\$\\{?${name}\\b`).test(text))
    .map((name) => {
      scope.known.add(name);
      return printed(scope.language.assign(name.toLowerCase(), scope.language.environment(name)));
    });

const namesSetIn = (text: string): string[] =>
  [...text.matchAll(/^\s*(?:export |for )?([A-Z_]+)(?:=| in )/gm)].map(([, name = ""]) => name);

/** What the page has in this language already. It may set the same variables as the shell does. */
const writtenOf = (text: string, written: string, scope: PageScope): string => {
  for (const name of namesSetIn(text))
    if (new RegExp(`^(?:const |let )?${name.toLowerCase()}\\b.* = `, "m").test(written)) scope.known.add(name);
  for (const [, name = ""] of written.matchAll(/^(?:const|let) (\w+)/gm)) scope.names.add(name);
  return [...beginOf(text, scope), ...fromEnvironment(text, scope), written].join("\n");
};

/** Each block of a page in the other language, or null. The blocks are one program, so a later one may use what an earlier one has set. */
export const translated = (blocks: ShellExample[], language: Language): (string | null)[] => {
  const assigned = blocks.flatMap(({ text }) => namesSetIn(text)).map((name) => name.toLowerCase());
  const hasDays = blocks.some(({ text }) => text.includes("$(date "));
  const names = new Set(["api", "token", "send", "call", "show", ...assigned]);
  const scope: PageScope = { language, names, known: new Set(), exported: new Set(), begun: false, hasDays };
  return blocks.map(({ text, written }) => {
    const given = written[language.name];
    if (given !== undefined) return writtenOf(text, given, scope);
    const before = { ...scope, names: new Set(scope.names), known: new Set(scope.known) };
    try {
      const statements = statementsOf(text);
      if (!statements) throw new NotTranslated();
      const begin = [...beginOf(text, scope), ...fromEnvironment(text, scope)];
      const lines = statements.flatMap((statement) => linesOf(statement, scope));
      const isEmpty = begin.length === 0 && lines.every((line) => line === "" || line.startsWith(language.comment));
      return isEmpty ? null : [...begin, ...lines.map(language.indented)].join("\n").trim();
    } catch (error) {
      if (!(error instanceof NotTranslated)) throw error;
      // What the block would have set is not there for the next one.
      Object.assign(scope, before);
      for (const [, name = ""] of text.matchAll(/^export ([A-Z_]+)=/gm)) scope.exported.add(name);
      return null;
    }
  });
};
