/**
 * Thousands of hostile inputs for every operation of the OpenAPI document: none is answered with a server error.
 *
 * @own-process It measures the memory and the event loop of its process.
 */
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { openapiDocument } from "@comanda/contract/openapi/document.ts";
import type { Operation } from "@comanda/contract/operation.ts";
import { type ApiOperationId, apiOperations } from "@comanda/contract/operations.ts";
import { sandboxOperations } from "@comanda/contract/sandbox/sandbox-operations.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerProblems, type CheckedAnswer, type JsonValue, operationAt } from "../../../conformance/answer-check.ts";
import { createSandbox } from "../../src/admin/sandbox.ts";
import {
  anyProbe,
  type DescribedOperation,
  describeOperations,
  type FieldProbe,
  fieldProbe,
  type HostileRequest,
  type KnownIds,
  pathParameters,
  wrongTypeProbes,
} from "../support/hostile-requests.ts";
import { typesOf } from "../support/hostile-values.ts";
import { callFixtureOf, idsForPaths } from "../support/operation-calls.ts";
import { exchange } from "../support/raw-http.ts";
import { SEED } from "../support/seeded-random.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const COUNT = Number(process.env.TEST_REQUESTS ?? (process.env.TEST_STRESS ? 250_000 : 800));
const AT_ONCE = 8;
const SOCKET_COUNT = process.env.TEST_STRESS ? 300 : 100;

let app: TestApp;
let lab: TestVenue;
let sandboxToken: string;
let known: KnownIds;
let described: DescribedOperation[];

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  sandboxToken = (await createSandbox(app.deps, lab.slug, 1_000_000))?.token ?? expect.fail("no sandbox");
  described = describeOperations(openapiDocument("http://x"));
  known = await findKnown();
});
afterAll(() => app.close());

/** Something for every path parameter, and values that a body of most kinds can do with. */
const findKnown = async (): Promise<KnownIds> => {
  const dishes = (await app.call(lab.token, "GET", "/items?per_page=100")).body.data;
  const dish = dishes.find((item: { name: { en: string } }) => item.name.en === "Plain Plate");
  const when = { date: "2026-11-20", time: "19:00", party_size: 2 };
  const paths = await idsForPaths(callFixtureOf(app, lab));
  return { ...paths, item_id: dish.id, category_id: dish.category_id, price_minor: 700, type: "pickup", ...when };
};

const SANDBOX_PATHS = Object.values(sandboxOperations).map(({ path }) => path as string);
/** The operations of a sandbox are unknown paths for the token of a restaurant. */
const tokenFor = (target: string): string => (SANDBOX_PATHS.some((path) => target.startsWith(path)) ? sandboxToken : lab.token);

const answerTo = async ({ method, target, headers, payload }: HostileRequest): Promise<CheckedAnswer> => {
  const response = await app.app.http.inject({
    method: method as "GET",
    url: `/api/v1${target}`,
    headers: { authorization: `Bearer ${tokenFor(target)}`, ...headers },
    ...(payload === null ? {} : { payload }),
  });
  // Whether HEAD is answered without a body is for Node to see to, and for a test over a socket.
  const text = method === "HEAD" ? "" : response.payload;
  return {
    status: response.statusCode,
    headers: new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
    text,
    body: (text === "" ? null : JSON.parse(text)) as JsonValue,
  };
};

/** What is wrong with an answer; `path` is how the server got to see it, null when that is no longer ours to describe. */
const problemsOf = ({ method, target, headers }: HostileRequest, path: string | null, answer: CheckedAnswer): string[] => {
  if (path === null) return answer.status === 404 ? [] : [`status ${answer.status} outside the API`];
  // The token that was sent, wherever dots and backslashes have led.
  const token = headers.authorization === undefined ? tokenFor(target) : null;
  const problems = answerProblems({ method, path, token }, answer);
  if (!documentedStatuses(method, path).includes(answer.status)) problems.push(`status ${answer.status} is not documented`);
  return problems;
};

/** The statuses that the operation lists. What is no operation has two ways to say so. */
const documentedStatuses = (method: string, path: string): number[] => {
  const id = operationAt({ method: method === "HEAD" ? "GET" : method, path });
  return described.find((operation) => operation.id === id)?.statuses ?? [401, 404, 405];
};

const show = ({ method, target, headers, payload }: HostileRequest): string =>
  `${method} ${target.slice(0, 300)} ${JSON.stringify(headers)} ${payload?.toString().slice(0, 300) ?? ""}`;

/** `inject` resolves dots and backslashes before it sends, which may lead out of the API. */
const injectedPath = (target: string): string | null => {
  const { pathname, search } = new URL(`/api/v1${target}`, "http://x");
  return `${pathname}/`.startsWith("/api/v1/") ? pathname.replace("/api/v1", "") + search : null;
};

test("there is a resource for every path parameter, or else its operations would answer 404 to everything", () => {
  const missing = described.flatMap((operation) => pathParameters(operation)).filter((name) => !(name in known));
  expect([...new Set(missing)]).toEqual([]);
});

test(`${COUNT} hostile inputs: no 5xx, and every answer is one the contract describes`, { timeout: 3_600_000 }, async () => {
  console.log(`TEST_SEED=${SEED}`);
  const statuses = new Map<number, number>();
  const loop = monitorEventLoopDelay({ resolution: 10 });
  const [begin, memory] = [performance.now(), process.memoryUsage.rss()];
  loop.enable();
  const send = async (probe: HostileRequest): Promise<void> => {
    const answer = await answerTo(probe);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    const problems = problemsOf(probe, injectedPath(probe.target), answer);
    if (problems.length > 0) throw new Error(`${show(probe)} → ${answer.status} ${problems.join("; ")} ${answer.text.slice(0, 200)}`);
  };
  const batch = fc.array(anyProbe(described, known), { minLength: AT_ONCE, maxLength: AT_ONCE });
  const check = fc.asyncProperty(batch, async (probes) => void (await Promise.all(probes.map(send))));
  const path = process.env.TEST_SHRINK_PATH ? { path: process.env.TEST_SHRINK_PATH } : {};
  const result = await fc.check(check, { seed: SEED, numRuns: Math.ceil(COUNT / AT_ONCE), ...path });
  loop.disable();
  const seconds = (performance.now() - begin) / 1000;
  const tally = Object.fromEntries([...statuses].sort(([a], [b]) => a - b));
  const grown = (process.memoryUsage.rss() - memory) / 2 ** 20;
  console.log(
    `${result.numRuns * AT_ONCE} inputs, answers ${JSON.stringify(tally)}, ${seconds.toFixed(1)} s, ` +
      `loop delay p99 ${(loop.percentile(99) / 1e6).toFixed(0)} ms, max ${(loop.max / 1e6).toFixed(0)} ms, RSS +${grown.toFixed(0)} MB`,
  );
  if (result.failed)
    expect.fail(`TEST_SEED=${SEED} TEST_SHRINK_PATH=${result.counterexamplePath}\n${(result.errorInstance as Error).message}`);
  for (const status of [200, 201, 401, 404, 405, 409, 422]) expect(tally[status], `answers with ${status}`).toBeGreaterThan(0);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test(`${SOCKET_COUNT} of them over a socket: an answer of the contract, or 400 from the HTTP parser, never silence`, async () => {
  await app.app.http.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.app.http.server.address() as AddressInfo;
  const probes = fc.sample(anyProbe(described, known), { seed: SEED, numRuns: SOCKET_COUNT });
  const tally = new Map<string, number>();
  for (const probe of probes) {
    const bytes = bytesOf(probe);
    const [answer] = await exchange(port, bytes, { waitMs: 3000 });
    if (!answer) expect.fail(`TEST_SEED=${SEED} ${show(probe)} got no answer`);
    const isUnread = [400, 431].includes(answer.status);
    // A HEAD answer ends with its headers, but its Content-Length still counts the body that GET would send.
    const seen = probe.method === "HEAD" ? { ...answer, text: "" } : answer;
    const problems = isUnread ? [] : problemsOf(probe, probe.target, seen);
    if (problems.length > 0) expect.fail(`TEST_SEED=${SEED} ${show(probe)} → ${answer.status} ${problems.join("; ")}`);
    const kind = isUnread ? "parser" : "contract";
    tally.set(kind, (tally.get(kind) ?? 0) + 1);
  }
  console.log(`over a socket: TEST_SEED=${SEED} ${JSON.stringify(Object.fromEntries(tally))}`);
  expect(tally.get("contract") ?? 0).toBeGreaterThan(SOCKET_COUNT / 2);
});

const bytesOf = ({ method, target, headers, payload }: HostileRequest): Buffer => {
  const sent = {
    host: "x",
    authorization: `Bearer ${tokenFor(target)}`,
    ...headers,
    connection: "close",
    "content-length": String(payload?.length ?? 0),
  };
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}`);
  return Buffer.concat([
    Buffer.from(`${method} /api/v1${target} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`, "latin1"),
    payload ?? Buffer.alloc(0),
  ]);
};

type FieldVerdict = { status: number; fields: string[] };

/** The wrong types that a server took, or refused without saying which field it meant. */
const undetected = async (verdictOn: (probe: FieldProbe) => Promise<FieldVerdict>): Promise<string[]> => {
  const missed: string[] = [];
  for (const probe of wrongTypeProbes(described, known)) {
    const { status, fields } = await verdictOn(probe);
    if (status !== 422 || !fields.includes(probe.field)) missed.push(`${probe.id} ${probe.field} = ${probe.value} → ${status} ${fields}`);
  }
  return missed;
};

test("D04 D07 each field refuses each JSON type that is not its own, by name", async () => {
  let count = 0;
  const missed = await undetected(async (probe) => {
    count++;
    const { status, body } = await answerTo(probe);
    return { status, fields: Object.keys((body as { error?: { details?: object } })?.error?.details ?? {}) };
  });
  expect(missed).toEqual([]);
  expect(count).toBeGreaterThan(150);
});

test("planted fault: a reader that coerces would take a text for a price and null for sold out, and the same check says so", async () => {
  const coercing = new Ajv2020({ coerceTypes: true, strict: false, allErrors: true, logger: false });
  const missed = await undetected(async ({ id, json }) => {
    const operation: Operation = apiOperations[id as ApiOperationId];
    const isTaken = coercing.validate(operation.body ?? {}, JSON.parse(json));
    const fields = (coercing.errors ?? []).map(({ instancePath }) => instancePath.slice(1).replaceAll("/", "."));
    return { status: isTaken ? 201 : 422, fields };
  });
  expect(missed).toContain('createItem price_minor = "5" → 201 ');
  expect(missed).toContain("setItemAvailability is_available = null → 201 ");
});

test("D05 planted fault: NUL and half a character are refused by name here, because PostgreSQL would fail on them", async () => {
  for (const bad of ["a\0b", "a\ud800b"])
    for (const operation of described)
      for (const field of operation.fields.filter(({ schema }) => typesOf(schema).includes("string") && !schema.enum)) {
        const probe = fieldProbe(operation, known, field, JSON.stringify(bad));
        const { status, text } = await answerTo(probe);
        expect([probe.id, probe.field, status, text.includes(`"${probe.field}"`)]).toEqual([probe.id, probe.field, 422, true]);
      }
  await expect(app.deps.pool.query("select $1::text", ["a\0b"])).rejects.toMatchObject({ code: "22021" });
  for (const bad of ["a\0b", "a\ud800b"])
    await expect(app.deps.pool.query("select $1::jsonb", [JSON.stringify({ en: bad })])).rejects.toMatchObject({ code: /^22P0[25]$/ });
});
