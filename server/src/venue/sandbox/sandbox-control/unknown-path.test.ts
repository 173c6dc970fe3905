/** What only a sandbox has is an unknown path to other tokens, on the wire as well: whatever body is sent, and however much of it. */
import { connect } from "node:net";
import { sandboxOperations } from "@comanda/contract/sandbox/sandbox-operations.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, buildApp } from "#compose/api.ts";
import { BODY_BYTES_MAX } from "#http/api/body.ts";
import { listenFor } from "../../../../test/support/event-feed.ts";
import { startApp, type TestApp } from "../../../../test/support/test-app.ts";

let app: TestApp;
let tokens: string[];

beforeAll(async () => {
  app = await startApp();
  const { slug, token } = await app.venue("lab");
  const lapsed = await app.venue("gulf-cafe");
  await app.database.asOwner("update restaurants set plan_until = '2026-01-01' where id = $1", [lapsed.id]);
  tokens = [token, await app.token(slug, { scopes: [] }), lapsed.token, "1024|svc_nothing"];
});
afterAll(() => app.close());

type SentBody = { name: string; headers: string[]; body: string };

const json = "Content-Type: application/json";
const large = "x".repeat(BODY_BYTES_MAX + 1000);
const sized = (body: string, type = json): string[] => [type, `Content-Length: ${Buffer.byteLength(body)}`];

const BODIES: SentBody[] = [
  { name: "none", headers: [], body: "" },
  { name: "an object", headers: sized("{}"), body: "{}" },
  { name: "no JSON", headers: sized("{"), body: "{" },
  { name: "another type", headers: sized("a=1", "Content-Type: text/csv"), body: "a=1" },
  { name: "a type that is none", headers: sized("a=1", "Content-Type: ;;"), body: "a=1" },
  { name: "too large", headers: sized(large), body: large },
  { name: "too large by its head alone", headers: [json, `Content-Length: ${100 * BODY_BYTES_MAX}`], body: "{" },
  { name: "half of it", headers: [json, "Content-Length: 1000"], body: '{"act":' },
  { name: "in parts", headers: [json, "Transfer-Encoding: chunked"], body: "2\r\n{}\r\n0\r\n\r\n" },
  { name: "half of the parts", headers: [json, "Transfer-Encoding: chunked"], body: "2\r\n{" },
  { name: "with a key", headers: [...sized("{}"), "Idempotency-Key: one"], body: "{}" },
];

/** Ends a request that waits for the rest of its body. */
const ANSWER_MS = 1500;

/** All bytes of the answer without what differs between any two, and whether the connection was closed then. */
const answerTo = (url: URL, bearer: string, first: string, { headers, body }: SentBody): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname);
    let text = "";
    const end = (how: string): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(`${text.replaceAll(/^(x-request-id|date|x-ratelimit-remaining): .*\r\n/gim, "")} (${how})`);
    };
    const timer = setTimeout(() => end("no whole answer"), ANSWER_MS);
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const [, length] = /content-length: (\d+)/i.exec(text) ?? [];
      const got = text.split("\r\n\r\n")[1]?.length ?? -1;
      if (length !== undefined && got >= (first.startsWith("HEAD") ? 0 : Number(length))) end("answered");
    });
    socket.on("error", () => undefined);
    socket.on("close", () => end("closed"));
    socket.write([`${first} HTTP/1.1`, "Host: x", `Authorization: Bearer ${bearer}`, ...headers, "", body].join("\r\n"));
  });

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const PATHS = [...new Set(Object.values(sandboxOperations).map(({ path }) => path))];

const toldApart = async (server: App, bearer: string, methods = METHODS): Promise<string[]> => {
  const url = new URL(await listenFor(server));
  const cases = methods.flatMap((method) => BODIES.map((sent) => ({ method, sent })));
  const found: string[] = [];
  for (const { method, sent } of cases) {
    const ask = (path: string) => answerTo(url, bearer, `${method} /api/v1${path}`, sent);
    const [unknown, ...answers] = await Promise.all([ask("/nowhere/at"), ...PATHS.map(ask)]);
    for (const [index, answer] of answers.entries())
      if (answer !== unknown) found.push(`${method} ${PATHS[index]}, ${sent.name}: ${answer} instead of ${unknown}`);
    if (unknown === undefined || !/^HTTP\/1\.1 40\d /.test(unknown)) found.push(`${method}, ${sent.name}: ${unknown}`);
  }
  return found;
};

test("no method and no body tells the paths of a sandbox from unknown ones", { timeout: 120_000 }, async () => {
  for (const token of tokens) expect(await toldApart(app.app, token)).toEqual([]);
});

test("planted: a service that reads the body of an unknown path first is found", { timeout: 60_000 }, async () => {
  const server = await buildApp(app.deps, {
    onRoute: (route) => {
      if (route.url.endsWith("/*")) delete route.onRequest;
    },
  });
  const found = await toldApart(server, tokens[0] ?? "", ["POST"]);
  expect(found.some((one) => one.includes("too large"))).toBe(true);
  expect(found.some((one) => one.includes("half of it"))).toBe(true);
  await server.stop();
});
