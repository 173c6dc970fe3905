/** "Test request" in the reference: each request, as the page would send it, succeeds in a fresh sandbox with nothing but its token. */
import { apiOperationEntries } from "@comanda/contract/operations.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSandbox, inSandbox } from "../../src/admin/sandbox.ts";
import { resetSandbox } from "../../src/venue/sandbox/service.ts";
import { withSharedParts } from "../support/shared-parts.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

type ReferenceExamples = Record<string, { value?: unknown; "x-disabled"?: boolean }>;
type ReferenceExample = {
  schema?: { default?: unknown; enum?: unknown[]; examples?: unknown[] };
  example?: unknown;
  examples?: ReferenceExamples;
};
type ReferenceParameter = ReferenceExample & { name: string; in: "path" | "query" | "header"; required: boolean };
type ReferenceOperation = {
  operationId: string;
  "x-addition"?: true;
  parameters: ReferenceParameter[];
  requestBody?: { content: Record<string, ReferenceExample> };
  responses: Record<string, { content: Record<string, ReferenceExample> }>;
};
type ReferenceDocument = { paths: Record<string, Record<string, ReferenceOperation>> };
type ReferenceRequest = { method: string; path: string; headers: Record<string, string>; body?: unknown };

/** The value that the page fills in, and whether it is ticked: Scalar's rule. */
const filledIn = ({ example, examples, schema = {}, ...parameter }: ReferenceParameter): { value: unknown; isSent: boolean } => {
  const [named] = Object.values(examples ?? {});
  const value = named?.value ?? example ?? schema.default ?? schema.enum?.[0] ?? schema.examples?.[0];
  const isSent = named?.["x-disabled"] === undefined ? value !== undefined || parameter.required : !named["x-disabled"];
  return { value, isSent };
};

/** `ticked` is what a reader adds by hand to what is sent anyway. */
const requestOf = (
  path: string,
  method: string,
  { parameters, requestBody }: ReferenceOperation,
  ticked: string[] = [],
): ReferenceRequest => {
  const sent = parameters.map((one) => ({ ...one, ...filledIn(one) })).filter(({ name, isSent }) => isSent || ticked.includes(name));
  const of = (place: ReferenceParameter["in"]) =>
    sent.filter((one) => one.in === place).map(({ name, value }): [string, string] => [name, String(value)]);
  const filled = of("path").reduce((address, [name, value]) => address.replace(`{${name}}`, encodeURIComponent(value)), path);
  const query = new URLSearchParams(of("query"));
  return {
    method: method.toUpperCase(),
    path: `${filled.slice("/api/v1".length)}${query.size === 0 ? "" : `?${query}`}`,
    headers: Object.fromEntries(of("header")),
    ...(requestBody ? { body: requestBody.content["application/json"]?.example } : {}),
  };
};

let app: TestApp;
const operationsOf = ({ paths }: ReferenceDocument): [string, string, ReferenceOperation][] =>
  Object.entries(paths)
    .filter(([path]) => path.startsWith("/api/v1"))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]): [string, string, ReferenceOperation] => [path, method, one]),
    );

const readDocument = async (): Promise<ReferenceDocument> => withSharedParts((await app.app.http.inject({ url: "/openapi.json" })).json());

/** Venues whose own token has been replaced by that of their sandbox. */
const sandboxes: TestVenue[] = [];

/** As on its first day; only a change has to be undone. */
const setBack = (index: number) =>
  inSandbox(app.deps, sandboxes[index]?.slug ?? "", (ctx) => resetSandbox(ctx, null), { sandboxLock: "exclusive" });

const send = async (token: string, { method, path, headers, body }: ReferenceRequest) =>
  app.call(token, method, path, { headers, ...(body === undefined ? {} : { body }) });

/** Every operation in a sandbox that was just set back, with what is ticked from the start and with each other value ticked by hand. */
const refusedIn = async (index: number, operations: ReturnType<typeof operationsOf>): Promise<string[]> => {
  const refused: string[] = [];
  await setBack(index);
  for (const [path, method, one] of operations) {
    const offered = one.parameters.filter((parameter) => !filledIn(parameter).isSent && filledIn(parameter).value !== undefined);
    for (const ticked of [[], ...offered.map(({ name }) => [name])]) {
      const call = requestOf(path, method, one, ticked);
      const { status, text } = await send(sandboxes[index]?.token ?? "", call);
      if (status >= 300) refused.push(`${call.method} ${call.path}: ${status} ${text.slice(0, 200)}`);
      if (call.method !== "GET") await setBack(index);
    }
  }
  return refused;
};

/** A clock on the other side of the date line must not make a date of the example one that has passed. */
const PLACES: [string, string, string][] = [
  ["Europe/Rome", "EUR", "2026-11-14T12:00:00Z"],
  ["Pacific/Kiritimati", "KWD", "2027-03-01T09:59:00Z"],
  ["Pacific/Pago_Pago", "JPY", "2027-12-31T23:59:00Z"],
];
let live: TestVenue;

beforeAll(async () => {
  app = await startApp();
  for (const [zone, currency] of PLACES) {
    live = await app.venue("trattoria", (file) => {
      Object.assign(file.restaurant, { slug: zone.toLowerCase().replace(/\W/g, "-"), zone, currency });
    });
    const { token } = (await createSandbox(app.deps, live.slug, 1_000_000)) ?? expect.fail("no sandbox");
    sandboxes.push({ ...live, token });
  }
});
afterAll(() => app.close());

describe.each(PLACES.map((place, index) => ({ place, index })))("in $place", ({ place: [, , instant], index }) => {
  test("every operation's request succeeds as it stands, and with each value that it offers", async () => {
    app.clock.set(instant);
    const document = await readDocument();
    expect(operationsOf(document)).toHaveLength(apiOperationEntries.length);
    expect(await refusedIn(index, operationsOf(document))).toEqual([]);
  }, 60_000);
});

test("one after the other in one sandbox, from the top of the page to its end, they succeed as well", async () => {
  app.clock.set("2026-11-14T12:00:00Z");
  await setBack(0);
  const token = sandboxes[0]?.token ?? "";
  const statuses: [string, number][] = [];
  for (const [path, method, one] of operationsOf(await readDocument()))
    statuses.push([one.operationId, (await send(token, requestOf(path, method, one))).status]);
  expect(statuses.filter(([, status]) => status >= 300)).toEqual([]);
});

/** Where the example says something that the answer does not; a list in the example shows some rows of the list. */
const differences = (shown: unknown, actual: unknown, at = ""): string[] => {
  if (Array.isArray(shown)) {
    const rows = Array.isArray(actual) ? actual : [];
    return shown.flatMap((entry, index) =>
      rows.some((row) => differences(entry, row).length === 0) ? [] : [`${at}.${index} is not among the rows`],
    );
  }
  if (typeof shown !== "object" || shown === null) return shown === actual ? [] : [`${at}: ${shown} is shown, ${actual} comes`];
  return Object.entries(shown).flatMap(([name, entry]) =>
    differences(entry, (actual as Record<string, unknown> | null)?.[name], `${at}.${name}`),
  );
};

/** Ids that are new each time, and the rate, which is high enough for all requests here. */
const withoutDrawn = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, entry) =>
    name === "slug" ||
    name === "rate_per_minute" ||
    (name === "id" && (typeof entry === "number" ? entry >= 1024 : /^0[1-9a-f]/.test(entry)))
      ? undefined
      : entry,
  );

test("what the page shows as the answer is what comes", async () => {
  app.clock.set("2026-11-14T11:00:00Z");
  const found: string[] = [];
  await setBack(0);
  for (const [path, method, one] of operationsOf(await readDocument())) {
    const { text } = await send(sandboxes[0]?.token ?? "", requestOf(path, method, one));
    if (method !== "get") await setBack(0);
    const [status] = Object.keys(one.responses);
    const shown = one.responses[status ?? ""]?.content["application/json"]?.example;
    // Which requests there were, how many events there are and where they end depends on what was done before.
    if (one.operationId === "listSandboxRequests") continue;
    const { meta: _, ...rows } = shown as { meta: object };
    found.push(...differences(withoutDrawn(one["x-addition"] ? rows : shown), JSON.parse(text), `${method} ${path}`));
  }
  expect(found).toEqual([]);
});

test("planted: an id that no sandbox has, a date that has passed and a cursor that is ticked are found", async () => {
  app.clock.set("2027-11-14T12:00:00Z");
  const document = await readDocument();
  const at = (path: string, method: string) => document.paths[`/api/v1${path}`]?.[method] as ReferenceOperation;
  (at("/items/{item}", "get").parameters[0] as ReferenceParameter).example = 5121;
  Object.assign(at("/reservations", "post").requestBody?.content["application/json"]?.example as object, { date: "2026-11-16" });
  const cursor = at("/orders", "get").parameters.find(({ name }) => name === "cursor") as ReferenceParameter;
  cursor.example = "bjoxMDI0.9fK2bQm1xTzEJw8V";
  const found = await refusedIn(
    0,
    operationsOf(document).filter(([path]) => ["/items/{item}", "/reservations", "/orders"].includes(path.slice(7))),
  );
  expect(found).toContainEqual(expect.stringContaining("GET /items/5121: 404"));
  expect(found).toContainEqual(expect.stringContaining("POST /reservations: 422"));
  expect(found).toContainEqual(expect.stringContaining("GET /orders?cursor="));
}, 60_000);

test("the sample of every sandbox has the same ids, and no live restaurant has one of them", async () => {
  app.clock.set("2026-11-14T12:00:00Z");
  const idsOf = async (token: string): Promise<unknown[]> => {
    const read = async (path: string) => (await app.call(token, "GET", path)).body.data.map(({ id }: { id: unknown }) => id);
    return Promise.all(["/menus", "/categories", "/items?per_page=100", "/guests", "/orders", "/reservations"].map(read));
  };
  const samples: unknown[][] = [];
  for (const [index, { token }] of sandboxes.entries()) {
    await setBack(index);
    samples.push(await idsOf(token));
  }
  expect(samples[1]).toEqual(samples[0]);
  expect(samples[2]).toEqual(samples[0]);
  const others = (await idsOf(live.token)).flat();
  expect(others.filter((id) => samples[0]?.flat().includes(id))).toEqual([]);
  expect(Math.min(...others.filter((id) => typeof id === "number"))).toBeGreaterThanOrEqual(1024);
});
