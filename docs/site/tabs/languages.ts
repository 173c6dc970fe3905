/** How TypeScript and Python write what the examples do. */
import { type Expression, followedBy, precededBy } from "./expression.ts";
import type { Piece } from "./shell.ts";

export type Loop = { name: string; list: string; conditions: string[] };

export type Language = {
  name: "TypeScript" | "Python";
  fence: string;
  comment: string;
  /** Lines are made with steps of two spaces. */
  indented(lines: string): string;
  /** The lines that every example begins with. `token` is null when an earlier example has set it. */
  begin(api: string, token: string | null): string;
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
  call(given: Expression[]): Expression;
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

const call = async (method: string, path: string, body?: unknown, headers = {}) => {
  const response = await fetch(api + path, {
    method,
    headers: { Authorization: \`Bearer \${token}\`, "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return response.json();
};
const show = (value: unknown) => console.log(typeof value === "string" ? value : JSON.stringify(value));`;

const BEGIN_PYTHON = (api: string, token: string): string => `import json, os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

api = "${api}"
token = ${token}

def call(method, path, body=None, headers={}):
    sent = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", **headers}
    data = None if body is None else json.dumps(body).encode()
    try:
        with urlopen(Request(api + path, data, sent, method=method)) as response:
            return json.load(response)
    except HTTPError as refusal:
        return json.load(refusal)

def show(value):
    print(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":")))`;

const quoted = (value: string): string => JSON.stringify(value);

export const TYPESCRIPT: Language = {
  name: "TypeScript",
  fence: "ts",
  comment: "//",
  indented: (lines) => lines,
  begin: (api, token) => BEGIN_TS(api, token === null ? "process.env.TOKEN" : quoted(token)),
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
  call: (entries) => ({ open: "await call(", close: ")", entries }),
  assign: (name, value) => precededBy(`const ${name} = `, followedBy(value, ";")),
  show: (value) => ({ open: "show(", close: ");", entries: [value] }),
  first: ({ name, list, conditions }) => (conditions.length === 0 ? `${list}[0]` : `${list}.find((${name}) => ${conditions.join(" && ")})`),
  each: ({ name, list, conditions }, body) => {
    const kept = conditions.length === 0 ? list : `${list}.filter((${name}) => ${conditions.join(" && ")})`;
    return body === name ? kept : `${kept}.map((${name}) => ${body})`;
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
  begin: (api, token) => BEGIN_PYTHON(api, token === null ? 'os.environ["TOKEN"]' : quoted(token)),
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
  call: (entries) => ({ open: "call(", close: ")", entries }),
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
