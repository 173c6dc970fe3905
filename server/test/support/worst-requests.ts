/** The worst that fits into a body of a given size, made from what the route declares: wide, deep, many, long, and as wrong as can be. */

export type WorstCaseSchema = {
  type?: string | string[];
  enum?: unknown[];
  pattern?: string;
  format?: string;
  minimum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  items?: WorstCaseSchema;
  properties?: Record<string, WorstCaseSchema>;
  additionalProperties?: WorstCaseSchema | boolean;
};

export type WorstBody = { name: string; payload: Buffer };

/** Just below what is refused unread. */
const NODES = 49_000;
const MEMBERS = 9_900;

/** What may still be written. */
type SizeBudget = { nodes: number; bytes: number };

const take = (budget: SizeBudget, text: string): string => {
  budget.nodes--;
  budget.bytes -= text.length + 1;
  return text;
};

const hasBudget = ({ nodes, bytes }: SizeBudget): boolean => nodes > 50 && bytes > 2000;

type LeafValue = (node: WorstCaseSchema, name: string) => string;

/** `leaf` writes what is neither list nor object; lists are filled as far as they may be, and there is budget. */
const filled = (node: WorstCaseSchema, budget: SizeBudget, leaf: LeafValue, at = ""): string => {
  const types = [node.type ?? []].flat();
  if (types.includes("array") && node.items) {
    const entries: string[] = [];
    take(budget, "[]");
    while (entries.length < (node.maxItems ?? 1000) && hasBudget(budget)) entries.push(filled(node.items, budget, leaf, at));
    return `[${entries.join(",")}]`;
  }
  if (node.properties) {
    take(budget, "{}");
    const members = Object.entries(node.properties).map(([name, member]) => {
      budget.bytes -= name.length + 4;
      return `${JSON.stringify(name)}:${filled(member, budget, leaf, name)}`;
    });
    return `{${members.join(",")}}`;
  }
  return take(budget, leaf(node, at));
};

/** A value of another type than any that is declared. */
const wrongType = ({ type }: WorstCaseSchema): string => ([type].flat().includes("string") ? "0" : '"x"');

/** A value of the right shape, which names nothing that exists unless it is known. */
const rightShape = ({ type, enum: values, format, pattern, minimum, minLength = 1 }: WorstCaseSchema): string => {
  if (values) return JSON.stringify(values[0]);
  const types = [type].flat();
  if (types.includes("integer") || types.includes("number")) return String(Math.max(minimum ?? 1, 1));
  if (types.includes("boolean")) return "true";
  if (types.includes("string")) {
    const formats: Record<string, string> = {
      email: "a@b.example",
      "date-time": "2026-11-20T19:00:00Z",
      date: "2026-11-20",
      "time-of-day": "19:00",
    };
    if (format && formats[format]) return JSON.stringify(formats[format]);
    return JSON.stringify(pattern === "^[0-9]{6}$" ? "123456" : "x".repeat(Math.max(minLength, 12)));
  }
  return "{}";
};

const repeated = (text: string, bytes: number): string => text.repeat(Math.max(1, Math.floor(bytes / text.length)));
const keys = (count: number, value: string): string => Array.from({ length: count }, (_, n) => `"k${n.toString(36)}":${value}`).join(",");

export const IS_LONG = process.env.TEST_STRESS !== undefined;

/** Which one of several the short form takes: the number of the route. Null: all of them. */
type ShapeTurn = number | null;

const inTurn = <T>(all: readonly T[], turn: ShapeTurn): readonly T[] =>
  IS_LONG || turn === null ? all : all.slice(turn % all.length).slice(0, 1);

type Shape = [name: string, write: () => string];

/** A declared member with a value that its schema does not expect: one kind each, or in the long form every kind in every member. */
const inMembers = ({ properties = {} }: WorstCaseSchema, kinds: Shape[], turn: ShapeTurn): Shape[] =>
  inTurn([...Object.keys(properties).entries()], turn).flatMap(([index, member]) =>
    inTurn(kinds, index + (turn ?? 0)).map(
      ([kind, write]): Shape => [`${kind} in ${member}`, () => `{${JSON.stringify(member)}:${write()}}`],
    ),
  );

/** Values by the names of members, such as ids of what is there. */
export type KnownValues = Record<string, string>;

const shapes = (schema: WorstCaseSchema, bytes: number, known: KnownValues, turn: ShapeTurn): Shape[] => {
  const size = bytes - 200;
  const filledBy = (leaf: LeafValue): string => filled(schema, { nodes: NODES, bytes: size }, leaf);
  const asRead: Shape[] = [
    ["an endless list", () => `{"a":[${repeated("0,", size)}0]}`],
    ["lists in lists", () => repeated("[", size)],
    ["objects in objects", () => repeated('{"a":', size)],
    ["many members", () => `{${keys(Math.floor(size / 9), "0")}}`],
    ["as many members as may be", () => `{${keys(Math.min(MEMBERS, Math.floor(size / 9)), "0")}}`],
    ["a long text", () => `{"a":"${repeated("x", size)}"}`],
    ["a text of escapes", () => `{"a":"${repeated("\\u0000", size)}"}`],
    ["white space", () => repeated(" ", size)],
    ["JSON that breaks off", () => `{"a":"${repeated("x", size)}`],
    ["as many values as may be", () => `{"a":[${repeated("[0],", Math.min(size, NODES * 2))}0]}`],
  ];
  const asDeclared: Shape[] = [
    ["as wrong as can be", () => filledBy(wrongType)],
    ["of the right shape", () => filledBy(rightShape)],
    ["of the right shape, for what is there", () => filledBy((node, name) => known[name] ?? rightShape(node))],
  ];
  const inMember: Shape[] = [
    ["a wide list", () => `[${repeated("0,", Math.min(size, NODES * 2))}0]`],
    ["a map of many languages", () => `{${keys(Math.min(MEMBERS, Math.floor(size / 11)), '"a"')}}`],
    ["a long text", () => `"${repeated("a@a.", size)}"`],
    ["a list of texts", () => `[${repeated('"\\u0000",', Math.min(size, NODES * 9))}0]`],
    ["a long name of a language", () => `{"${repeated("en-", size)}":"a"}`],
  ];
  return [...inTurn(asRead, turn), ...inTurn(asDeclared, turn), ...inMembers(schema, inMember, turn)];
};

export const worstBodies = (schema: WorstCaseSchema | undefined, bytes: number, turn: ShapeTurn, known: KnownValues = {}): WorstBody[] =>
  shapes(schema ?? {}, bytes, known, turn).map(([name, write]) => ({ name, payload: Buffer.from(write()).subarray(0, bytes) }));

/** What fits into the head of a request, whose limit is 16 KiB for all of it. */
export const worstQueries = (names: readonly string[], turn: ShapeTurn): readonly { name: string; search: string }[] =>
  inTurn(
    [
      { name: "a long query", search: `?${names[0] ?? "a"}=${"x".repeat(12_000)}` },
      { name: "many parameters", search: `?${repeated(`${names[0] ?? "a"}=1&`, 12_000)}` },
      { name: "every parameter, wrong", search: `?${names.map((name) => `${name}=${"%00".repeat(50)}`).join("&")}`.slice(0, 12_000) },
    ],
    turn,
  );
