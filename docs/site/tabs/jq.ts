/** Reads the part of jq that the examples use: paths, lists, `select`, objects, comparisons, `keys`, `length` and `not`. Null for anything else. */
export type JqFilter =
  | { kind: "path"; steps: (string | number)[] }
  | { kind: "literal"; value: string | number }
  | { kind: "object"; fields: [string, JqFilter][] }
  | { kind: "list"; of: JqFilter[] }
  | { kind: "select"; condition: JqFilter }
  | { kind: "equal"; left: JqFilter; right: JqFilter }
  | { kind: "keys" }
  | { kind: "length" }
  | { kind: "not" }
  | { kind: "pipe"; from: JqFilter; to: JqFilter };

/** Names of fields are told from the mark of a list by this value. */
export const EACH = "[]";

const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*")|(\d+)|(==|\[\]|[.|{}()[\],:])|([A-Za-z_]\w*))/y;

const tokensOf = (text: string): string[] | null => {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const match = TOKEN.exec(text);
    if (!match) return null;
    tokens.push(match[0].trim());
  }
  return tokens;
};

class Unknown extends Error {}

type Reader = { next(): string | undefined; take(): string; expect(token: string): void };

const readerOf = (tokens: string[]): Reader => {
  let at = 0;
  const take = (): string => {
    const token = tokens[at++];
    if (token === undefined) throw new Unknown();
    return token;
  };
  return {
    next: () => tokens[at],
    take,
    expect: (token) => {
      if (take() !== token) throw new Unknown();
    },
  };
};

const isName = (token: string | undefined): token is string => token !== undefined && /^[A-Za-z_]\w*$/.test(token);

const readPipe = (reader: Reader): JqFilter => {
  const from = readComparison(reader);
  if (reader.next() !== "|") return from;
  reader.take();
  return { kind: "pipe", from, to: readPipe(reader) };
};

const readComparison = (reader: Reader): JqFilter => {
  const left = readTerm(reader);
  if (reader.next() !== "==") return left;
  reader.take();
  return { kind: "equal", left, right: readTerm(reader) };
};

const readTerm = (reader: Reader): JqFilter => {
  const token = reader.take();
  if (token === ".") return readPath(reader);
  if (token === "{") return readObject(reader);
  if (token === "(") {
    const of = readPipe(reader);
    reader.expect(")");
    return of;
  }
  if (token === "[") return readList(reader);
  if (token === "select") {
    reader.expect("(");
    const condition = readPipe(reader);
    reader.expect(")");
    return { kind: "select", condition };
  }
  if (token === "keys" || token === "length" || token === "not") return { kind: token };
  if (/^["\d]/.test(token)) return { kind: "literal", value: JSON.parse(token) as string | number };
  throw new Unknown();
};

const readList = (reader: Reader): JqFilter => {
  const of = [readPipe(reader)];
  while (reader.next() === ",") {
    reader.take();
    of.push(readPipe(reader));
  }
  reader.expect("]");
  return { kind: "list", of };
};

const readPath = (reader: Reader): JqFilter => {
  const steps: (string | number)[] = [];
  let mayName = true;
  for (;;) {
    const token = reader.next();
    if (mayName && isName(token)) steps.push(reader.take());
    else if (token === "[]") {
      reader.take();
      steps.push(EACH);
    } else if (token === "[") {
      reader.take();
      steps.push(Number(reader.take()));
      reader.expect("]");
    } else if (token === ".") {
      reader.take();
      mayName = true;
      continue;
    } else return { kind: "path", steps };
    mayName = false;
  }
};

const readObject = (reader: Reader): JqFilter => {
  const fields: [string, JqFilter][] = [];
  while (reader.next() !== "}") {
    const name = reader.take();
    if (!isName(name)) throw new Unknown();
    if (reader.next() === ":") {
      reader.take();
      fields.push([name, readTerm(reader)]);
    } else fields.push([name, { kind: "path", steps: [name] }]);
    if (reader.next() === ",") reader.take();
  }
  reader.take();
  return { kind: "object", fields };
};

export const filterOf = (text: string): JqFilter | null => {
  const tokens = tokensOf(text);
  if (!tokens) return null;
  try {
    const reader = readerOf(tokens);
    const filter = readPipe(reader);
    return reader.next() === undefined ? filter : null;
  } catch (error) {
    if (error instanceof Unknown || error instanceof SyntaxError) return null;
    throw error;
  }
};
