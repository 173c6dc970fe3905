/** The worst that fits into a body of a given size, made from what the route declares: wide, deep, many, long, and as wrong as can be. */

export type Node = {
  type?: string | string[];
  enum?: unknown[];
  pattern?: string;
  format?: string;
  minimum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  items?: Node;
  properties?: Record<string, Node>;
  additionalProperties?: Node | boolean;
};

export type WorstBody = { name: string; payload: Buffer };

/** Just below what is refused unread. */
const NODES = 49_000;
const MEMBERS = 9_900;

/** What may still be written. */
type Room = { nodes: number; bytes: number };

const take = (room: Room, text: string): string => {
  room.nodes--;
  room.bytes -= text.length + 1;
  return text;
};

const hasRoom = ({ nodes, bytes }: Room): boolean => nodes > 50 && bytes > 2000;

type Leaf = (node: Node, name: string) => string;

/** `leaf` writes what is neither list nor object; lists are filled as far as they may be, and there is room. */
const filled = (node: Node, room: Room, leaf: Leaf, at = ""): string => {
  const types = [node.type ?? []].flat();
  if (types.includes("array") && node.items) {
    const entries: string[] = [];
    take(room, "[]");
    while (entries.length < (node.maxItems ?? 1000) && hasRoom(room)) entries.push(filled(node.items, room, leaf, at));
    return `[${entries.join(",")}]`;
  }
  if (node.properties) {
    take(room, "{}");
    const members = Object.entries(node.properties).map(([name, member]) => {
      room.bytes -= name.length + 4;
      return `${JSON.stringify(name)}:${filled(member, room, leaf, name)}`;
    });
    return `{${members.join(",")}}`;
  }
  return take(room, leaf(node, at));
};

/** Of another type than any that is declared. */
const wrongType = ({ type }: Node): string => ([type].flat().includes("string") ? "0" : '"x"');

/** Of the right shape, and nothing that exists unless it is known. */
const rightShape = ({ type, enum: values, format, pattern, minimum, minLength = 1 }: Node): string => {
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

export const IS_LONG = process.env.LONG !== undefined;

/** Every declared member with a value that its schema does not expect: one kind each, or in the long form every kind in every member. */
const inEachMember = ({ properties = {} }: Node, kinds: [string, () => string][]): [string, string][] =>
  Object.keys(properties).flatMap((member, index) => {
    const chosen = IS_LONG ? kinds : kinds.slice(index % kinds.length, (index % kinds.length) + 1);
    return chosen.map(([kind, value]): [string, string] => [`${kind} in ${member}`, `{${JSON.stringify(member)}:${value()}}`]);
  });

/** Values by the names of members, such as ids of what is there. */
export type KnownValues = Record<string, string>;

const shapes = (schema: Node, bytes: number, known: KnownValues): [string, string][] => {
  const room = bytes - 200;
  const all = { nodes: NODES, bytes: room };
  return [
    ["an endless list", `{"a":[${repeated("0,", room)}0]}`],
    ["lists in lists", repeated("[", room)],
    ["objects in objects", repeated('{"a":', room)],
    ["many members", `{${keys(Math.floor(room / 9), "0")}}`],
    ["as many members as may be", `{${keys(Math.min(MEMBERS, Math.floor(room / 9)), "0")}}`],
    ["a long text", `{"a":"${repeated("x", room)}"}`],
    ["a text of escapes", `{"a":"${repeated("\\u0000", room)}"}`],
    ["white space", repeated(" ", room)],
    ["JSON that breaks off", `{"a":"${repeated("x", room)}`],
    ["as many values as may be", `{"a":[${repeated("[0],", Math.min(room, NODES * 2))}0]}`],
    ["as wrong as can be", filled(schema, { ...all }, wrongType)],
    ["of the right shape", filled(schema, { ...all }, rightShape)],
    ["of the right shape, for what is there", filled(schema, { ...all }, (node, name) => known[name] ?? rightShape(node))],
    ...inEachMember(schema, [
      ["a wide list", () => `[${repeated("0,", Math.min(room, NODES * 2))}0]`],
      ["a map of many languages", () => `{${keys(Math.min(MEMBERS, Math.floor(room / 11)), '"a"')}}`],
      ["a long text", () => `"${repeated("a@a.", room)}"`],
      ["a list of texts", () => `[${repeated('"\\u0000",', Math.min(room, NODES * 9))}0]`],
      ["a long name of a language", () => `{"${repeated("en-", room)}":"a"}`],
    ]),
  ];
};

export const worstBodies = (schema: Node | undefined, bytes: number, known: KnownValues = {}): WorstBody[] =>
  shapes(schema ?? {}, bytes, known).map(([name, text]) => ({ name, payload: Buffer.from(text).subarray(0, bytes) }));

/** What fits into the head of a request, whose limit is 16 KiB for all of it. */
export const worstQueries = (names: readonly string[]): { name: string; search: string }[] => [
  { name: "a long query", search: `?${names[0] ?? "a"}=${"x".repeat(12_000)}` },
  { name: "many parameters", search: `?${repeated(`${names[0] ?? "a"}=1&`, 12_000)}` },
  { name: "every parameter, wrong", search: `?${names.map((name) => `${name}=${"%00".repeat(50)}`).join("&")}`.slice(0, 12_000) },
];
