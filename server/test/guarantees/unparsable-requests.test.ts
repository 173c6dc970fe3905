/** What the HTTP parser refuses is answered with the error body of the contract, says what to change, and ends its connection only. */
import { ERRORS, type ErrorCode, helpPathOf } from "@comanda/contract/errors.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerProblems } from "../../../conformance/answer-check.ts";
import { createSandbox } from "../../src/admin/sandbox.ts";
import { exchange, openSocket, parseAnswers, type WireAnswer } from "../support/raw-http.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const WAIT_MS_MAX = 10_000;

let app: TestApp;
let lab: TestVenue;
let port: number;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  port = Number(new URL(await app.app.http.listen({ host: "127.0.0.1", port: 0 })).port);
  // A fifth of what is allowed, so that half a request is refused soon.
  app.app.http.server.headersTimeout /= 5;
  app.app.http.server.requestTimeout /= 5;
});
afterAll(() => app.close());

const head = (...headers: string[]): string =>
  ["GET /api/v1/menus HTTP/1.1", "Host: x", `Authorization: Bearer ${lab.token}`, ...headers, "\r\n"].join("\r\n");
const post = (...headers: string[]): string =>
  ["POST /api/v1/orders HTTP/1.1", "Host: x", `Authorization: Bearer ${lab.token}`, ...headers, "\r\n"].join("\r\n");

/** What is sent, and a part of the sentence that says what to change. */
const FAILURES: Record<string, [bytes: () => string, code: ErrorCode, cure: RegExp]> = {
  "a header of 20 kB": [() => head(`X-Large: ${"a".repeat(20_000)}`), "headers_too_large", /16 KiB/],
  "3000 headers": [() => head(...Array.from({ length: 3000 }, (_, n) => `X-${n}: 1`)), "headers_too_large", /16 KiB/],
  "a path of 20 kB": [() => `GET /api/v1/${"a".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, "headers_too_large", /first line/],
  "a header without a colon": [() => head("Nonsense"), "bad_request", /name, a colon and a value/],
  "a space before the colon": [() => head("X-Space : 1"), "bad_request", /name, a colon and a value/],
  "a NUL in a header": [() => head("X-Nul: a\0b"), "bad_request", /control characters/],
  "a folded header": [() => head("X-Fold: a", " b"), "bad_request", /one line/],
  "a bare line feed": [() => head("X-Bare: a\nX: b"), "bad_request", /CR LF/],
  "an unknown method": [() => "BREW /api/v1/menus HTTP/1.1\r\nHost: x\r\n\r\n", "bad_request", /method is none of HTTP/],
  "a method in small letters": [() => "get /api/v1/menus HTTP/1.1\r\nHost: x\r\n\r\n", "bad_request", /capitals/],
  "a space in the path": [() => "GET /api/v1/a menu HTTP/1.1\r\nHost: x\r\n\r\n", "bad_request", /percent-encoded/],
  "a letter outside ASCII in the path": [() => "GET /api/v1/caf\u00e9 HTTP/1.1\r\nHost: x\r\n\r\n", "bad_request", /percent-encoded/],
  "a path without its slash": [() => "GET api/v1/menus HTTP/1.1\r\nHost: x\r\n\r\n", "bad_request", /begin with a slash/],
  "an unknown version": [() => "GET /api/v1/menus HTTP/3.0\r\nHost: x\r\n\r\n", "bad_request", /HTTP\/1\.1/],
  "HTTP/2 without an agreement": [() => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "bad_request", /HTTP\/1\.1/],
  "TLS on a port without it": [() => "\u0016\u0003\u0001\u0002\u0000\u0001", "bad_request", /TLS.*https:/],
  "no Host": [() => "GET /api/v1/menus HTTP/1.1\r\nConnection: close\r\n\r\n", "bad_request", /header Host/],
  "a Content-Length in words": [() => post("Content-Length: many"), "bad_request", /number of bytes/],
  "a negative Content-Length": [() => post("Content-Length: -1"), "bad_request", /number of bytes/],
  "two Content-Lengths": [() => post("Content-Length: 1", "Content-Length: 2"), "bad_request", /more than once/],
  "both lengths, the number first": [() => post("Content-Length: 5", "Transfer-Encoding: chunked"), "bad_request", /not both/],
  "both lengths, chunked first": [() => post("Transfer-Encoding: chunked", "Content-Length: 5"), "bad_request", /not both/],
  "an unknown Transfer-Encoding": [() => post("Transfer-Encoding: gzip"), "bad_request", /no other Transfer-Encoding/],
  "a chunk without its size": [() => `${post("Transfer-Encoding: chunked")}zz\r\n`, "bad_request", /hexadecimal/],
  "a chunk longer than its size": [() => `${post("Transfer-Encoding: chunked")}2\r\n{}x\r\n`, "bad_request", /hexadecimal/],
  "half a head": [() => "GET /api/v1/menus HTTP/1.1\r\nHost: x\r\nAuthor", "request_timeout", /5 seconds/],
  "half a body": [() => `${post("Content-Length: 100", "Content-Type: application/json")}{"type"`, "request_timeout", /all of it 10/],
};

type SeenRefusal = { status: number; code: string; message: string; problems: string[]; link: string | null; connection: string | null };

const seen = (answer: WireAnswer | undefined): SeenRefusal | null => {
  if (!answer) return null;
  const { error } = (answer.body ?? {}) as { error?: { code?: string; message?: string } };
  return {
    status: answer.status,
    code: String(error?.code),
    message: String(error?.message),
    // A venue's token is of use only where its header was read.
    problems: answerProblems({ method: "GET", path: "/menus", token: lab.token }, answer),
    link: answer.headers.get("link"),
    connection: answer.headers.get("connection"),
  };
};

const refusalOf = async (bytes: string, at = port): Promise<SeenRefusal | null> => {
  const answers = await exchange(at, bytes, { waitMs: WAIT_MS_MAX });
  return answers.length === 1 ? seen(answers[0]) : null;
};

const wrongIn = (got: SeenRefusal | null, code: ErrorCode, cure: RegExp): unknown[] => {
  if (got === null) return ["not answered once"];
  const expected = { status: ERRORS[code].status, code, problems: [], link: `<${helpPathOf(code)}>; rel="help"`, connection: "close" };
  const { message, ...rest } = got;
  return [...(cure.test(message) ? [] : [message]), ...(JSON.stringify(rest) === JSON.stringify(expected) ? [] : [rest])];
};

test("each failure of the parser has the contract's body, status and rate headers, names the cure, and ends the connection", async () => {
  const wrong = await Promise.all(
    Object.entries(FAILURES).map(async ([name, [bytes, code, cure]]) => ({ name, wrong: wrongIn(await refusalOf(bytes()), code, cure) })),
  );
  expect(wrong.filter((one) => one.wrong.length > 0)).toEqual([]);
  expect(wrong.length).toBeGreaterThanOrEqual(20);
  expect((await app.call(lab.token, "GET", "/menus")).status).toBe(200);
});

test("an expectation that HTTP does not define is ignored", async () => {
  const [answer] = await exchange(port, head("Expect: 200-maybe", "Connection: close"));
  expect(answer?.status).toBe(200);
});

test("a malformed request behind one that still runs ends the connection, and is never the answer of the earlier one", async () => {
  const answers = await exchange(port, `${head()}NONSENSE\r\n\r\n`);
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  const late = openSocket(port);
  late.socket.write(head());
  await expect.poll(() => late.received().length).toBeGreaterThan(0);
  late.socket.write("NONSENSE\r\n\r\n");
  await late.closed;
  expect(parseAnswers(late.received()).map(({ status }) => status)).toEqual([200, 400]);
});

test("D136 a body that never ends gets the headers of its own token, the sandbox's among them", async () => {
  const live = await app.venue("trattoria");
  const token = (await createSandbox(app.deps, live.slug, 777))?.token ?? expect.fail("no sandbox");
  const bytes = `${post("Content-Length: 100").replace(lab.token, token)}{`;
  const [answer] = await exchange(port, bytes, { waitMs: WAIT_MS_MAX });
  expect(answer && answerProblems({ method: "POST", path: "/orders", token }, answer)).toEqual([]);
  expect([answer?.status, answer?.headers.get("service-sandbox"), answer?.headers.get("x-ratelimit-limit")]).toEqual([408, "true", "777"]);
});

test("planted: the framework's own answer, and a false sentence, are found", async () => {
  const fastify = { error: "Bad Request", message: "Client Error", statusCode: 400 };
  const body = JSON.stringify(fastify);
  const [answer] = parseAnswers(
    `HTTP/1.1 400 Bad Request\r\nContent-Length: ${body.length}\r\nContent-Type: application/json\r\n\r\n${body}`,
  );
  expect(wrongIn(seen(answer), "bad_request", /hexadecimal/)).toHaveLength(2);
  const right = await refusalOf(head("Nonsense"));
  expect(wrongIn(right, "bad_request", /hexadecimal/)).toHaveLength(1);
  expect(wrongIn(right, "headers_too_large", /colon/)).toHaveLength(1);
});
