/** Mistakes about bodies, lists, keys, limits, amounts and the transport. */
import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { exchange } from "../raw-http.ts";
import { answerText, type Mistake, type MistakeAnswer, type MistakeWorld, sendMistake } from "./mistake.ts";

const INVALID = { status: 422, code: "validation_failed" };
const JSON_TYPE = { "content-type": "application/json" };
const MIB = 1024 * 1024;

export const bodyMistakes = (world: MistakeWorld): Mistake[] => {
  const order = (sent: string, raw: string | Buffer, cure: RegExp, headers: Record<string, string> = JSON_TYPE): Mistake => ({
    ...INVALID,
    sent,
    cure,
    send: () => sendMistake(world, "POST", "/orders", { raw, headers }),
  });
  const form = { "content-type": "application/x-www-form-urlencoded" };
  return [
    order("no JSON", '{"type": pickup}', /not valid JSON: p is not expected .*double quotes/),
    order("JSON cut short", '{"type": "pickup"', /not valid JSON: .*(?:ends too early|character 18)/),
    order("a form", "type=pickup", /application\/json, in the header Content-Type/, form),
    order("gzip", gzipSync('{"type":"pickup"}'), /compressed, which is not accepted/, { ...JSON_TYPE, "content-encoding": "gzip" }),
    order("gzip without its header", gzipSync('{"type":"pickup"}'), /compressed, which is not accepted/),
    order("Latin-1", Buffer.from('{"customer_name":"Zoë"}', "latin1"), /encode it as UTF-8/),
    order("an empty body", "", /customer_name: |"customer_name":\["Is required/),
    order("a list", "[]", /must be a JSON object/),
    order("a depth of 50", `{"a":${"[".repeat(50)}${"]".repeat(50)}}`, /deeper than 20 levels.*"max":20/),
    {
      sent: "2 MiB",
      status: 413,
      code: "payload_too_large",
      cure: /larger than 1 MiB: send less/,
      send: () => sendMistake(world, "POST", "/orders", { raw: Buffer.alloc(2 * MIB, 0x20), headers: JSON_TYPE }),
    },
    {
      ...INVALID,
      sent: "an unknown member, in a sandbox",
      cure: /service-ignored: body\.custommer_name/,
      send: () => sendMistake(world, "POST", "/orders", { token: world.sandboxToken, body: { custommer_name: "Ada" } }),
    },
  ];
};

export const listMistakes = (world: MistakeWorld): Mistake[] => {
  const list = (path: string, cure: RegExp): Mistake => ({ ...INVALID, sent: path, cure, send: () => sendMistake(world, "GET", path) });
  const answered = (path: string, cure: RegExp): Mistake => ({ ...list(path, cure), status: 200, code: "" });
  return [
    list("/items?per_page=0", /at least 1/),
    list("/items?per_page=101", /at most 100/),
    list("/items?per_page=x", /whole number/),
    {
      ...INVALID,
      sent: "the cursor of another list",
      cure: /not a cursor of this list/,
      send: async () => {
        const { meta } = (await world.app.call(world.lab.token, "GET", "/items?per_page=1")).body;
        return sendMistake(world, "GET", `/guests?cursor=${meta.next_cursor}`);
      },
    },
    answered("/categories?menu_id=abc", /service-ignored: query\.menu_id/),
    list("/orders?status=paid", /one or more of placed, accepted/),
    list("/orders?placed_from=2026-11-15&placed_to=2026-11-14", /Lies before placed_from/),
    list("/reports/sales-summary?from=2025-01-01&to=2026-01-02", /366/),
    answered("/orders?stauts=placed", /service-ignored: query\.stauts/),
  ];
};

export const keyMistakes = (world: MistakeWorld): Mistake[] => {
  const refused = { type: "pickup", customer_name: "Ada", customer_phone: "1", lines: [] };
  const afterFirst = (body: object): Promise<MistakeAnswer> => {
    const headers = { "idempotency-key": randomUUID() };
    return sendMistake(world, "POST", "/orders", { body: refused, headers }).then(() =>
      sendMistake(world, "POST", "/orders", { body, headers }),
    );
  };
  const atOnce = async (): Promise<MistakeAnswer> => {
    for (;;) {
      const headers = { "idempotency-key": randomUUID() };
      const body = { ...refused, lines: [{ item_id: world.plain, quantity: 1 }] };
      const answers = await Promise.all(Array.from({ length: 8 }, () => sendMistake(world, "POST", "/orders", { body, headers })));
      const late = answers.find(({ status }) => status === 409);
      if (late) return late;
    }
  };
  return [
    {
      sent: "a key with another body",
      status: 422,
      code: "idempotency_key_reused",
      cure: /another body, method or path: send a new key/,
      send: () => afterFirst({ ...refused, note: "other" }),
    },
    {
      ...INVALID,
      sent: "a refused order once more",
      cure: /lines: Must have at least 1 entry.*stored under its Idempotency-Key.*send a new key to try again.*idempotent-replayed: true/,
      send: () => afterFirst(refused),
    },
    {
      ...INVALID,
      sent: "a key of 256 characters",
      cure: /at most 255 characters/,
      send: () => sendMistake(world, "POST", "/orders", { body: refused, headers: { "idempotency-key": "k".repeat(256) } }),
    },
    {
      sent: "two at once with one key",
      status: 409,
      code: "idempotency_key_in_use",
      cure: /still running: send it again.*retry-after: 1/,
      send: atOnce,
    },
  ];
};

export const limitMistakes = (world: MistakeWorld): Mistake[] => [
  {
    sent: "the request over the limit",
    status: 429,
    code: "rate_limited",
    cure: /wait the number of seconds given in Retry-After.*retry-after: \d+.*x-ratelimit-reset/,
    send: async () => {
      const token = await world.app.token(world.lab.slug, { ratePerMinute: 1 });
      await sendMistake(world, "GET", "/menus", { token });
      return sendMistake(world, "GET", "/menus", { token });
    },
  },
  {
    sent: "a third waiting call",
    status: 429,
    code: "rate_limited",
    cure: /2 calls that wait for events already.*the limit of the minute is not reached.*"reason":"too_many_waiting","params":\{"max":2\}.*retry-after: 5/,
    send: async () => {
      const token = await world.app.token(world.lab.slug);
      const wait = () => sendMistake(world, "GET", "/events?after=latest&wait=1", { token });
      const answers = await Promise.all([wait(), wait(), wait()]);
      return answers.find(({ status }) => status === 429) ?? { status: 200, code: "", text: "" };
    },
  },
];

export const amountMistakes = (world: MistakeWorld): Mistake[] => {
  const priced = (sent: string, price_minor: unknown, cure: RegExp, token = world.lab.token): Mistake => ({
    ...INVALID,
    sent,
    cure,
    send: () => sendMistake(world, "POST", "/items", { token, body: { category_id: 1, name: "New", price_minor } }),
  });
  return [
    priced("a price of 12.5", 12.5, /whole numbers in the currency's minor unit: [A-Z]{3} 12\.50 is 1250/),
    priced('a price of "650"', "650", /minor unit/),
    priced("a negative price", -1, /at least 0\. .*minor unit/),
    priced("a price of 1.250 where the currency has three decimals", 1.25, /KWD 1\.250 is 1250/, world.foreign.token),
  ];
};

export const transportMistakes = ({ port, lab }: MistakeWorld): Mistake[] => {
  const head = (...lines: string[]): string => `${["GET /api/v1/menus HTTP/1.1", "Host: x", ...lines].join("\r\n")}\r\n\r\n`;
  const sent = (name: string, bytes: string, cure: RegExp, [status, code]: [number, string] = [400, "bad_request"]): Mistake => ({
    sent: name,
    status,
    code,
    cure,
    send: async () => {
      const [answer] = await exchange(port, bytes);
      const { error } = (answer?.body ?? {}) as { error?: { code: string } };
      return { status: answer?.status ?? 0, code: error?.code ?? "", text: answerText(error, answer?.headers ?? new Headers()) };
    },
  });
  return [
    sent("a header of 20 kB", head(`X: ${"a".repeat(20_000)}`), /16 KiB/, [431, "headers_too_large"]),
    sent("a malformed header", head(`Authorization Bearer ${lab.token}`), /a name, a colon and a value/),
    sent("an unknown method", head().replace("GET", "FETCH"), /methods are written in capitals/),
    sent("a wrong Content-Length", head("Content-Length: x"), /number of bytes/),
    sent("both lengths and chunks", head("Content-Length: 1", "Transfer-Encoding: chunked"), /not both/),
  ];
};
