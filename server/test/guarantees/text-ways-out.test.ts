/**
 * What anybody wrote leaves the service by many ways, and on none of them is it more than text: it commands no terminal, adds no header, no
 * line and no recipient, is no markup, and is not in what operators collect. The fields come from the contract's shapes, so a new one is walked too.
 * `outward-files.test.ts` has the files that let text out.
 */

import { consoleEntries } from "@comanda/contract/console/operations.ts";
import { API_PREFIX } from "@comanda/contract/operations.ts";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { buildApp } from "#compose/api.ts";
import { publishChanges } from "#compose/publish-changes.ts";
import { startWorker } from "#compose/worker.ts";
import { openDb } from "#db/pool.ts";
import { openDeps, openLogTo } from "#deps.ts";
import { REVIEW_PATH } from "#lib/review-links.ts";
import { createRequestLogBuffer } from "#platform/activity/request-log/service.ts";
import type { OutboundRequest } from "#platform/events/webhooks/send/post.ts";
import { addEndpoint } from "#platform/events/webhooks/service/endpoints.ts";
import { createMessageSender } from "#platform/messages/notifications/send.ts";
import { createUser } from "../support/console-client.ts";
import { listenFor, openFeedStream } from "../support/event-feed.ts";
import { type FakeMailAndSms, startFakeMailAndSms } from "../support/fake-smtp-and-sms.ts";
import { sendMessage } from "../support/mcp-clients.ts";
import { openTexts, withText } from "../support/open-texts.ts";
import { callFixtureOf, operationCalls, type SampleCall } from "../support/operation-calls.ts";
import { newEncryptionKeys, sentLink } from "../support/review-links.ts";
import { comandaAdmin } from "../support/run-admin.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

/** A formula, markup, commands to a terminal, a turned direction, ends of lines, a header. `EVE` marks the places that it reached. */
const HOSTILE =
  "=EVE<script>x</script>\u001b[2J\u009b31m\u0007\u202e\u2066\u200b\u{e0067}\u2028\r\nBcc: eve@evil.test\r\n\r\n\u001b]0;EVE\u0007'\"><img src=x>";

/** A text that a person or a terminal reads may have none of these characters. */
const OBEYED = /(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029\u200b\u{e0000}-\u{e007f}]/u;
const MARKUP = /<script>x|<img src=x/;
const HEADER_VALUE = /^[\x20-\x7e]*$/;

type HttpAnswer = { status: number; headers: Record<string, unknown>; text: string };

/** Each way out: what is asked of one piece of what left by it. */
const RULES = {
  log: (line: string) => !line.includes("EVE") && !line.includes("evil.test") && !OBEYED.test(line),
  mail: (mail: string) => !OBEYED.test(mail) && !/^(?:bcc|cc): /im.test(mail.split("\n\n")[0] ?? ""),
  "text message": (text: string) => !OBEYED.test(text),
  webhook: (body: string) => isJson(body) && !body.includes("\n"),
  "event stream": (line: string) => /^(?:id: |data: |retry: |: |$)/.test(line),
  agent: (text: string) => isJson(text) && !OBEYED.test(text),
  terminal: (line: string) => !OBEYED.test(line),
  metrics: (text: string) => !text.includes("EVE"),
  "message between processes": (text: string) => isJson(text) && !text.includes("EVE"),
  "row of a job": (text: string) => !text.includes("EVE"),
  "row of the request log": (text: string) => !text.includes("EVE"),
  header: (value: string) => HEADER_VALUE.test(value) && !MARKUP.test(value),
  page: (html: string) => !MARKUP.test(html),
} satisfies Record<string, (piece: string) => boolean>;
type WayOut = keyof typeof RULES;

const isJson = (text: string): boolean => {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
};

const faultsOf = (way: WayOut, pieces: readonly string[]): string[] => pieces.filter((piece) => !RULES[way](piece));

let mailAndSms: FakeMailAndSms;
let app: TestApp;
let lab: TestVenue;
const left: Record<WayOut, string[]> = Object.fromEntries(Object.keys(RULES).map((way) => [way, []])) as never;
const answers: HttpAnswer[] = [];
/** Fields that took the text, as `createOrder note`. */
const taken: string[] = [];

/** Sends a request to any address of the service; `send` sends to an operation of the API. */
const ask = async (call: SampleCall, headers: Record<string, string> = {}): Promise<HttpAnswer> => {
  const {
    statusCode,
    headers: sent,
    payload,
  } = await app.app.http.inject({
    method: call.method as "GET",
    url: call.path,
    headers: { authorization: `Bearer ${lab.token}`, ...headers },
    ...(call.body === undefined ? {} : { body: call.body }),
  });
  const answer = { status: statusCode, headers: sent, text: payload };
  answers.push(answer);
  return answer;
};

const send = (call: SampleCall, headers?: Record<string, string>): Promise<HttpAnswer> =>
  ask({ ...call, path: `${API_PREFIX}${call.path}` }, headers);

const SIZES = { category_id: 0, name: "Sizes", variants: [{ name: { en: "Small" }, price_minor: 100 }] };

/** The text in one field after the other. */
const writeEverywhere = async (): Promise<void> => {
  const calls = operationCalls(callFixtureOf(app, lab));
  for (const { id, path, lengthMax } of openTexts()) {
    const [plain] = await calls[id]();
    if (plain === undefined) throw new Error(`${id} has no call`);
    const call = path.startsWith("variants.")
      ? { ...plain, body: { ...SIZES, category_id: Reflect.get(plain.body ?? {}, "category_id") } }
      : plain;
    const { status, text } = await send(withText(call, path, HOSTILE.slice(0, lengthMax)));
    if (status >= 300) throw new Error(`${id} ${path}: ${status} ${text}`);
    taken.push(`${id} ${path}`);
  }
};

/** A booking whose guest gets a mail, and one whose guest gets a text message. */
const bookTwice = async (): Promise<string> => {
  const about = { party_size: 2, time: "12:00", name: HOSTILE.slice(0, 120), note: HOSTILE };
  const booked = await send({
    method: "POST",
    path: "/reservations",
    body: { ...about, date: "2026-12-24", phone: "+1 202 555 0101", email: "guest@example.test" },
  });
  await send({ method: "POST", path: "/reservations", body: { ...about, date: "2026-12-23", phone: `+1 202 555 0102\u001b[2J\r\nTo: 1` } });
  return JSON.parse(booked.text).data.id;
};

/** The text where a request can be wrong: path, query, headers, body. */
const askWrongly = async (): Promise<void> => {
  const coded = encodeURIComponent(HOSTILE);
  const get = (path: string): SampleCall => ({ method: "GET", path });
  for (const path of [
    `/orders/${coded}`,
    `/${coded}`,
    `/orders?status=${coded}`,
    `/orders?${coded}=1`,
    `/items?cursor=${coded}`,
    `/events?after=${coded}`,
  ])
    await send(get(path));
  for (const path of [
    `/oauth/authorize?client_id=${coded}&state=${coded}`,
    `/oauth/${coded}`,
    `${REVIEW_PATH}/${coded}`,
    `/docs/${coded}`,
    `/console/${coded}`,
  ])
    await ask(get(path));
  const printable = HOSTILE.replaceAll(/[^\x20-\x7e]/g, "");
  for (const name of ["idempotency-key", "x-request-id", "user-agent", "accept-language", "x-forwarded-for", "origin", "host", "referer"])
    await send({ method: "POST", path: "/orders", body: { [HOSTILE]: HOSTILE, lines: HOSTILE } }, { [name]: printable });
};

/** What the console's pages read of the venue. */
const askAsOwner = async (): Promise<void> => {
  const owner = await createUser(app, lab.slug, "owner");
  for (const [, { method, path }] of consoleEntries) {
    if (method !== "GET" || path.replace("{venue}", "").includes("{")) continue;
    const { status, headers, text } = await owner.call("GET", path.replace("{venue}", lab.slug));
    answers.push({ status, headers, text });
  }
};

const linesOf = (text: string): string[] => text.split("\n");

beforeAll(async () => {
  mailAndSms = await startFakeMailAndSms();
  app = await startApp({
    environment: { ENCRYPTION_KEYS: newEncryptionKeys(), SMTP_URL: mailAndSms.smtpUrl, SMS_GATEWAY_URL: mailAndSms.gatewayUrl },
    log: openLogTo("trace", { write: (line) => void left.log.push(line.trimEnd()) }),
  });
  // A venue file takes no control characters, but markup and turned directions.
  lab = await app.venue("lab", (file) => {
    file.restaurant.name = { en: HOSTILE.replaceAll(/\p{Cc}/gu, "").slice(0, 100) };
    file.tables = [];
    file.table_combinations = [];
  });
  const { encryptionKeys } = app.deps.config;
  const events = ["order.created", "order.status_changed", "reservation.created", "menu.item_updated", "guest.created"] as const;
  await forVenue(app.deps, lab.slug, (ctx) =>
    addEndpoint(ctx, { url: "https://hooks.example/eve", events: [...events], description: null }, encryptionKeys),
  );
  publishChanges(
    app.deps.pool,
    { publish: async (_: string, text: string) => left["message between processes"].push(text) } as never,
    app.deps.cursorKey,
  );
  const requestLog = createRequestLogBuffer(openDb(app.deps.pool), app.deps.log);
  const server = await buildApp(app.deps, { requestLog });
  app = { ...app, app: server };
  const stream = await openFeedStream(await listenFor(app.app), lab.token, { after: "latest" });
  await writeEverywhere();
  const reservation = await bookTwice();
  await askWrongly();
  await sendEverything();
  await askAsOwner();
  stream.close();
  await requestLog.stop();
  left["event stream"].push(...linesOf(stream.text()));
  await ask({ method: "GET", path: await sentLink(app, lab, { reservation }) });
  await readEverything();
}, 180_000);
afterAll(async () => {
  await app.app.stop();
  await app.close();
  await mailAndSms.close();
});

/** Webhooks, mails and text messages, as the worker sends them. */
const sendEverything = async (): Promise<void> => {
  const sent: OutboundRequest[] = [];
  const sender = {
    async send(request: OutboundRequest) {
      sent.push(request);
      return { status: 200, durationMs: 1, excerpt: HOSTILE, failure: null, sentence: "" };
    },
    close: async () => undefined,
  };
  const deps = await openDeps(app.deps.config, { clock: app.clock, log: app.deps.log });
  const worker = await startWorker(deps, { sender, messageSender: createMessageSender(app.deps.config) });
  const waiting = (): Promise<{ what: string }[]> =>
    app.database.asOwner(`select 'delivery' as what from deliveries where state not in ('done', 'failed')
      union all select kind from notifications where state = 'queued' and kind like 'reservation%'`);
  await vi.waitFor(async () => expect(await waiting()).toEqual([]), { timeout: 60_000, interval: 100 });
  await worker.stop();
  await deps.close();
  left.webhook.push(...sent.map(({ body }) => body));
  left.header.push(...sent.flatMap(({ headers }) => Object.entries(headers).flat()));
  left.mail.push(...mailAndSms.mails.map(({ to, head, body }) => `${head.replaceAll("\r\n", "\n")}\nEnvelope-To: ${to.join()}\n\n${body}`));
  left["text message"].push(...mailAndSms.texts.flatMap(({ body: { to, text } }) => [to, text]));
};

const COMMANDS = [
  ["booking", "list", "lab", "--from", "2026-11-01"],
  ["audit", "lab"],
  ["messages", "lab"],
  ["venue", "list"],
  ["webhook", "list", "lab"],
];

/** What agents, operators and other processes read. */
const readEverything = async (): Promise<void> => {
  for (const name of ["list_orders", "list_reservations", "list_items", "list_guests"]) {
    const message = { method: "tools/call", params: { name, arguments: {} } };
    const { body } = await sendMessage(app.app, lab.token, message);
    left.agent.push(body.result.content[0].text);
  }
  for (const command of COMMANDS)
    for (const args of [command, [...command, "--json"]]) {
      const { code, stdout, stderr } = await comandaAdmin(args, { DATABASE_URL: app.database.appUrl });
      expect([code, stderr.includes("Error")], `${args.join(" ")}: ${stderr}`).toEqual([0, false]);
      left.terminal.push(...linesOf(`${stdout}${stderr}`));
    }
  left.terminal.push(...linesOf((await comandaAdmin(["venue", "export", "lab"], { DATABASE_URL: app.database.appUrl })).stdout));
  left.metrics.push(...linesOf((await app.ops.inject("/metrics")).payload));
  const rows = (sql: string) => app.database.asOwner<{ text: string }>(sql).then((all) => all.map(({ text }) => text));
  left["row of a job"].push(...(await rows("select concat(data, output) as text from jobs.job")));
  // The caller chose this text itself; only the venue reads it.
  left["row of the request log"].push(...(await rows("select (to_jsonb(r) - 'client')::text as text from request_log r")));
  left.header.push(...answers.flatMap(({ headers }) => Object.values(headers).flat().map(String)));
  left.page.push(
    ...answers.filter(({ headers }) => !String(headers["content-type"]).startsWith("application/json")).map(({ text }) => text),
  );
};

test("every field that the contract leaves open took the text", () => {
  // Written by hand, so that none gets lost when the shapes are read.
  const known = ["createItem variants.0.name.en", "createOrder customer_name", "createOrder note", "createOrder delivery_address.line1"];
  expect(taken).toEqual(expect.arrayContaining([...known, "moveOrder reason", "createReservation phone", "updateItem description.en"]));
  expect(taken.length).toBeGreaterThanOrEqual(27);
});

const LEAST: Record<WayOut, number> = {
  log: 60,
  mail: 1,
  "text message": 2,
  webhook: 20,
  "event stream": 20,
  agent: 4,
  terminal: 50,
  metrics: 50,
  "message between processes": 5,
  "row of a job": 5,
  "row of the request log": 30,
  header: 200,
  page: 3,
};

describe.each(Object.keys(RULES) as WayOut[])("way out: %s", (way) => {
  test("nothing but text", () => {
    expect(left[way].length).toBeGreaterThanOrEqual(LEAST[way]);
    expect(faultsOf(way, left[way]).map((piece) => JSON.stringify(piece).slice(0, 400))).toEqual([]);
  });

  test("planted: the text as it was written is found", () => {
    const planted = way === "mail" ? `Subject: x\nBcc: eve@evil.test\n\n${HOSTILE}` : HOSTILE;
    expect(faultsOf(way, [planted, ...linesOf(planted)])).not.toEqual([]);
  });
});

test("answers are JSON that no browser takes for a page, and say the value that was written", () => {
  const faulty = answers.filter(
    ({ headers, text }) =>
      String(headers["content-type"]).startsWith("application/json") && (!isJson(text) || headers["x-content-type-options"] !== "nosniff"),
  );
  expect(faulty.map(({ text }) => text.slice(0, 200))).toEqual([]);
  expect(answers.some(({ text }) => isJson(text) && JSON.parse(text).data?.note === HOSTILE)).toBe(true);
});

test("what cannot be stored is refused in every field: half a character, and U+0000", async () => {
  for (const text of ["EVE\ud800", "EVE\0"]) {
    const statuses = await Promise.all(
      openTexts().map(async ({ id, path }) => {
        const [plain] = await operationCalls(callFixtureOf(app, lab))[id]();
        return plain && `${id} ${path} ${(await send(withText(plain, path, text))).status}`;
      }),
    );
    expect(statuses.filter((line) => !line?.endsWith(" 422"))).toEqual([]);
  }
});

test("the mail goes to the guest alone, and its sender and subject are one line each", () => {
  expect(new Set(mailAndSms.mails.flatMap(({ to }) => to))).toEqual(new Set(["guest@example.test"]));
  for (const { head } of mailAndSms.mails)
    for (const name of ["From", "Subject"]) expect(head.match(new RegExp(`^${name}: `, "gm"))).toHaveLength(1);
});
