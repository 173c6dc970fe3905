/** How TypeScript and Python write what the examples do. */
import { type Expression, followedBy, precededBy } from "./expression.ts";
import type { Piece } from "./shell.ts";

export type Loop = { name: string; list: string; conditions: string[] };

/** `token` is null when it is in the environment. `hasDays`: the page uses `daysFromNow`. */
export type PageBegin = { api: string; token: string | null; hasDays: boolean };

export type Language = {
  name: "TypeScript" | "Python";
  fence: string;
  comment: string;
  /** Lines are made with steps of two spaces. */
  indented(lines: string): string;
  /** The lines that every page begins with. */
  begin(page: PageBegin): string;
  /** A variable of the shell that an operator's command has set. */
  environment(name: string): string;
  /** The date in that many days. */
  daysFromNow(days: number): string;
  field(of: Expression, name: string | number): Expression;
  text(value: string): string;
  /** A text with the values of variables in it. */
  template(pieces: Piece[]): string;
  constant(value: boolean | null | number): string;
  object(fields: [string, Expression][]): Expression;
  list(entries: Expression[]): Expression;
  equal(left: string, right: string): string;
  not(value: string): string;
  keys(of: string): string;
  length(of: string): string;
  /** The answer's body. */
  call(given: Expression[]): Expression;
  /** The whole answer. */
  send(given: Expression[]): Expression;
  /** Does it, and shows nothing. */
  run(value: Expression): Expression;
  /** Stands where a call has headers and no body. */
  emptyBody: string;
  showHeader(answer: string, name: string): string;
  assign(name: string, value: Expression): Expression;
  show(value: Expression): Expression;
  /** The first entry of a list that meets the conditions. */
  first(loop: Loop): string;
  each(loop: Loop, body: string): string;
  openLoop(loop: Loop): string;
  closeLoop: string | null;
};

const BEGIN_TS = (api: string, token: string): string => `const api = "${api}";
const token = ${token};

// Which fields an answer has depends on the call. The SDK has a type for each.
type Json = any;

const send = (method: string, path: string, body?: unknown, headers = {}) =>
  fetch(api + path, {
    method,
    headers: { Authorization: \`Bearer \${token}\`, "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
const call = async (...request: Parameters<typeof send>): Promise<Json> => (await send(...request)).json();
const show = (value: unknown) => console.log(typeof value === "string" ? value : JSON.stringify(value));`;

const BEGIN_PYTHON = (api: string, token: string, hasDays: boolean): string => `import json, os${hasDays ? ", time" : ""}
from urllib.error import HTTPError
from urllib.request import Request, urlopen

api = "${api}"
token = ${token}

def send(method, path, body=None, headers={}):
    sent = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", **headers}
    data = None if body is None else json.dumps(body).encode()
    try:
        return urlopen(Request(api + path, data, sent, method=method))
    except HTTPError as refusal:
        return refusal

def call(*request):
    with send(*request) as response:
        return json.load(response)

def show(value):
    print(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":")))`;

const quoted = (value: string): string => JSON.stringify(value);

export const TYPESCRIPT: Language = {
  name: "TypeScript",
  fence: "ts",
  comment: "//",
  indented: (lines) => lines,
  begin: ({ api, token }) => BEGIN_TS(api, token === null ? 'process.env.TOKEN ?? ""' : quoted(token)),
  environment: (name) => `process.env.${name} ?? ""`,
  daysFromNow: (days) => `new Date(Date.now() + ${days} * 86_400_000).toISOString().slice(0, 10)`,
  field: (of, name) => followedBy(of, typeof name === "number" ? `[${name}]` : `.${name}`),
  text: quoted,
  template: (pieces) =>
    `\`${pieces.map((piece) => ("text" in piece ? piece.text.replaceAll(/[`\\]|\$\{/g, "\\$&") : `\${${piece.variable}}`)).join("")}\``,
  constant: String,
  object: (fields) => ({
    open: "{",
    close: "}",
    isSpaced: true,
    entries: fields.map(([name, value]) => (name === value ? name : precededBy(`${/^\w+$/.test(name) ? name : quoted(name)}: `, value))),
  }),
  list: (entries) => ({ open: "[", close: "]", entries }),
  equal: (left, right) => `${left} === ${right}`,
  not: (value) => `!${value}`,
  keys: (of) => `Object.keys(${of}).sort()`,
  length: (of) => `${of}.length`,
  call: (entries) => ({ open: "await call(", close: ")", entries }),
  send: (entries) => ({ open: "await send(", close: ")", entries }),
  run: (value) => followedBy(value, ";"),
  emptyBody: "undefined",
  showHeader: (answer, name) => `console.log("${name}:", ${answer}.headers.get("${name}"));`,
  assign: (name, value) => precededBy(`const ${name} = `, followedBy(value, ";")),
  show: (value) => ({ open: "show(", close: ");", entries: [value] }),
  first: ({ name, list, conditions }) =>
    conditions.length === 0 ? `${list}[0]` : `${list}.find((${name}: Json) => ${conditions.join(" && ")})`,
  each: ({ name, list, conditions }, body) => {
    const kept = conditions.length === 0 ? list : `${list}.filter((${name}: Json) => ${conditions.join(" && ")})`;
    return body === name ? kept : `${kept}.map((${name}: Json) => ${body})`;
  },
  openLoop: ({ name, list, conditions }) =>
    `for (const ${name} of ${list})${conditions.length === 0 ? "" : ` if (${conditions.join(" && ")})`} {`,
  closeLoop: "}",
};

export const PYTHON: Language = {
  name: "Python",
  fence: "python",
  comment: "#",
  indented: (lines) => lines.replaceAll(/^ +/gm, "$&$&"),
  begin: ({ api, token, hasDays }) => BEGIN_PYTHON(api, token === null ? 'os.environ["TOKEN"]' : quoted(token), hasDays),
  environment: (name) => `os.environ[${quoted(name)}]`,
  daysFromNow: (days) => `time.strftime("%Y-%m-%d", time.localtime(time.time() + ${days} * 86400))`,
  field: (of, name) => followedBy(of, `[${JSON.stringify(name)}]`),
  text: quoted,
  template: (pieces) =>
    `f${quoted(pieces.map((piece) => ("text" in piece ? piece.text.replaceAll(/[{}]/g, "$&$&") : `{${piece.variable}}`)).join(""))}`,
  constant: (value) => (value === null ? "None" : value === true ? "True" : value === false ? "False" : String(value)),
  object: (fields) => ({ open: "{", close: "}", entries: fields.map(([name, value]) => precededBy(`${quoted(name)}: `, value)) }),
  list: (entries) => ({ open: "[", close: "]", entries }),
  equal: (left, right) => `${left} == ${right}`,
  not: (value) => `not ${value}`,
  keys: (of) => `sorted(${of})`,
  length: (of) => `len(${of})`,
  call: (entries) => ({ open: "call(", close: ")", entries }),
  send: (entries) => ({ open: "send(", close: ")", entries }),
  run: (value) => value,
  emptyBody: "None",
  showHeader: (answer, name) => `print("${name}:", ${answer}.headers["${name}"])`,
  assign: (name, value) => precededBy(`${name} = `, value),
  show: (value) => ({ open: "show(", close: ")", entries: [value] }),
  first: ({ name, list, conditions }) =>
    conditions.length === 0 ? `${list}[0]` : `next(${name} for ${name} in ${list} if ${conditions.join(" and ")})`,
  each: ({ name, list, conditions }, body) =>
    `[${body} for ${name} in ${list}${conditions.length === 0 ? "" : ` if ${conditions.join(" and ")}`}]`,
  openLoop: ({ name, list, conditions }) =>
    `for ${name} in ${list}:${conditions.length === 0 ? "" : `\n  if ${conditions.join(" and ")}:`}`,
  closeLoop: null,
};
