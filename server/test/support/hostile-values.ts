/** Values that break careless servers: a fixed table, and what the bounds of a schema invite. Kept as JSON text, since JSON.stringify could not write half of them. */

/** A JSON Schema as the OpenAPI document carries it, references already followed. */
export type ValueSchema = {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: ValueSchema[];
  properties?: Record<string, ValueSchema>;
  required?: string[];
  items?: ValueSchema;
  additionalProperties?: ValueSchema | boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  format?: string;
  default?: unknown;
};

const NOT_QUITE_NUMBERS = [
  "0",
  "1",
  "5",
  "-1",
  "1.0",
  "1e3",
  "0x10",
  "NaN",
  "Infinity",
  "-0",
  "1e400",
  "1_000",
  "٣",
  "１",
  "9".repeat(400),
];
const NOT_QUITE_WORDS = [
  "true",
  "TRUE",
  "yes",
  "null",
  "undefined",
  "none",
  "[]",
  "{}",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
];
const INJECTIONS = [
  "' or 1=1 --",
  '"; drop table items; --',
  "\\'; select pg_sleep(9); --",
  "$1",
  "%s%s%n",
  "%",
  "_",
  "\\",
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "{{7*7}}",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder itself is the attack.
  "${7*7}",
  "../../../etc/passwd",
  "..\\..\\windows",
  "/dev/null",
  "a\r\nSet-Cookie: evil=1",
  "a\r\n\r\nGET / HTTP/1.1",
  "=cmd|' /C calc'!A0",
  "\u001b[31mred",
  "http://127.0.0.1:5432/",
];
const ODD_UNICODE = [
  "\u0000",
  "a\u0000b",
  "\ud800",
  "a\udc00",
  "\udfff\ud800",
  "\ufffe",
  "\uffff",
  "\ufeffbom",
  "\u202egnirts",
  "\u200b",
  "\u00a0\u2003\u3000",
  "e\u0301",
  "Z\u0351\u036b\u0343\u036a\u0302",
  "مطعم ‏(abc)‏",
  "寿司🍣",
  "👩‍👩‍👧‍👦",
  "\u{10ffff}",
  "İıſK",
  "\u0007\u0008\u001f\u007f",
];
const MOMENTS = [
  "0000-00-00",
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:60+14:00",
  "2026-02-29",
  "2026-02-30T10:00:00Z",
  "2026-03-29T02:30:00+01:00",
  "2026-11-14",
  "2026-11-14T12:00:00",
  "2026-11-14 12:00:00+01:00",
  "24:00",
  "29:59",
  "12:60",
  "-271821-04-20T00:00:00Z",
];
const IDS = ["00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", "not-a-uuid", "e\u0301@example.com", "a@b"];
const SIZES = [
  "",
  " ",
  "\t\r\n",
  "a",
  "a".repeat(255),
  "a".repeat(256),
  "é".repeat(5000),
  "é".repeat(5001),
  "🍕".repeat(255),
  "a".repeat(100_000),
];

export const TEXTS: readonly string[] = [
  ...NOT_QUITE_NUMBERS,
  ...NOT_QUITE_WORDS,
  ...INJECTIONS,
  ...ODD_UNICODE,
  ...MOMENTS,
  ...IDS,
  ...SIZES,
];

const NUMBERS = `0 -0 0.0 1 1.0 -1 1.5 0.1 1e0 1E2 1e-400 1e400 -1e400 1e308 1.7976931348623157e309
  2147483647 2147483648 -2147483649 4294967296 9007199254740991 9007199254740992 9007199254740993
  9223372036854775807 9223372036854775808 123456789012345678901234567890`.split(/\s+/);

const STRUCTURES =
  String.raw`null true false [] {} [[]] [null] [1,2,3] ["gluten","gluten"] {"a":1} {"en":"a","en":"b"} {"en":null} {"EN":"a"}
  {"":"a"} {"en":{"en":"a"}} {"__proto__":{"polluted":1}} {"constructor":{"prototype":{"polluted":1}}} {"__proto__":"a"}
  {"toString":"a","valueOf":"b"} {"length":5} {"toJSON":"a"} {"then":"a"} {"$ref":"#"} {"en\u0000":"a"}`.split(/\s+/);

const nested = (open: string, depth: number, close: string): string => open.repeat(depth) + close.repeat(depth);

const LARGE = [
  nested("[", 31, "]"),
  nested("[", 33, "]"),
  nested('{"a":', 20, "}").replace("}", "1}"),
  nested("[", 5000, "]"),
  `[${"1,".repeat(999)}1]`,
  `[${"1,".repeat(10_000)}1]`,
  `[${'{"name":{"en":"a"},"price_minor":1},'.repeat(25)}{}]`,
  `{${Array.from({ length: 2000 }, (_, index) => `"k${index}":"v"`).join(",")}}`,
];

/** Lone surrogates and NUL written as escapes, as a hostile client would. */
export const jsonText = (text: string): string => JSON.stringify(text);

export const HOSTILE_JSON: readonly string[] = [...TEXTS.map(jsonText), ...NUMBERS, ...STRUCTURES, ...LARGE];

/** Headers that are read by someone on the way, with values that none of them should trust. */
export const HEADERS: Record<string, string[]> = {
  "content-type": [
    "text/plain",
    "application/xml",
    "application/json; charset=utf-16",
    "APPLICATION/JSON",
    "application/hal+json",
    "json",
    ";",
    "a/b/c",
    "multipart/form-data; boundary=x",
    "*/*",
    "application/json, text/html",
    '"',
    "application/json;;;=",
    "\u00ff",
  ],
  "content-encoding": ["gzip", "br", "identity, gzip", "x"],
  "idempotency-key": ["", "k".repeat(255), "k".repeat(256), "\u00ff\u00e9", "a, b", '"quoted"', "' or 1=1 --", "__proto__"],
  accept: ["text/html", "*/*;q=0", "\u00ff", ",,,"],
  authorization: [
    "",
    "Bearer",
    "Bearer ",
    "bearer x",
    "Basic eDp5",
    "Bearer 1|svc_x",
    `Bearer ${"x".repeat(8000)}`,
    "Bearer 9999999999999999|svc_x",
    "Bearer \u00e9",
  ],
  host: ["", "x:99999", "[::1", "a b", "evil.example/../", "x\u00ff", "@", "127.0.0.1:0"],
  "x-forwarded-for": ["1.2.3.4", "' or 1=1", "::1, 127.0.0.1"],
  "x-forwarded-host": ["evil.example"],
  "x-http-method-override": ["DELETE"],
  expect: ["100-continue"],
  range: ["bytes=0-1"],
  "if-none-match": ["*"],
  connection: ["close", "upgrade"],
  upgrade: ["h2c", "websocket"],
};

export const typesOf = (schema: ValueSchema): string[] => [...[schema.type ?? []].flat(), ...(schema.anyOf ?? []).flatMap(typesOf)];

/** One to each side of every bound, and each allowed word spelled a little wrong. */
export const boundaryValues = (schema: ValueSchema): string[] => [
  ...[schema.minimum, schema.maximum].flatMap((bound) => (bound === undefined ? [] : [bound - 1, bound, bound + 1].map(String))),
  ...[schema.minLength, schema.maxLength].flatMap((bound) =>
    bound === undefined ? [] : [bound - 1, bound, bound + 1].flatMap((length) => ["x", "🍕", " x"].map((part) => ofLength(part, length))),
  ),
  ...(schema.maxItems === undefined ? [] : [0, 1].map((more) => JSON.stringify(Array((schema.maxItems ?? 0) + more).fill(1)))),
  ...(schema.enum ?? []).flatMap((word) =>
    typeof word === "string" ? [word, word.toUpperCase(), ` ${word} `, `${word}s`].map(jsonText) : [],
  ),
  ...(schema.anyOf ?? []).flatMap(boundaryValues),
];

const ofLength = (part: string, length: number): string =>
  jsonText(part.repeat(Math.max(0, length)).slice(0, Math.max(0, length) * part.length));

/** The list has one value of each JSON type; which of them a field must refuse depends on its schema. */
const SPECIMENS: Record<string, string[]> = {
  null: ["null"],
  boolean: ["true", "false"],
  integer: ["5", "0"],
  number: ["1.5"],
  string: ['"5"', '"true"', '"null"', '""'],
  array: ["[]", "[5]"],
  object: ["{}"],
};

/** Values of every JSON type that the schema does not allow. */
export const wrongTypesFor = (schema: ValueSchema): string[] => {
  const allowed = new Set(typesOf(schema));
  if (allowed.has("number")) allowed.add("integer");
  return Object.entries(SPECIMENS).flatMap(([type, values]) => (allowed.has(type) ? [] : values));
};
