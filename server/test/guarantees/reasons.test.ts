/** Every refusal by a rule names a reason to those who ask for it, and nothing changes for the others. */
import { randomUUID } from "node:crypto";
import { openapiDocument } from "@comanda/contract/openapi/document.ts";
import { REFUSAL_REASONS, type RefusalReason } from "@comanda/contract/reasons.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildApp } from "../../src/compose/api.ts";
import { routes } from "../../src/compose/handlers.ts";
import { because, type FieldErrors, validationError } from "../../src/lib/errors.ts";
import { describeOperations, fieldProbe, wrongTypeProbes } from "../support/hostile-requests.ts";
import { boundaryValues } from "../support/hostile-values.ts";
import { callFixtureOf, idsForPaths } from "../support/operation-calls.ts";
import { reasonProblems, type SentReason } from "../support/reason-check.ts";
import { ELSEWHERE, prepareRefusals, type RefusalCase } from "../support/refusal-cases.ts";
import { startApp, type TestAnswer, type TestApp, type TestVenue } from "../support/test-app.ts";

let app: TestApp;
let cases: RefusalCase[];
let venue: TestVenue;

beforeAll(async () => {
  app = await startApp();
  cases = await prepareRefusals(app);
  venue = await app.venue("lab", (file) => {
    file.restaurant.slug = "walked";
  });
});
afterAll(() => app.close());

const ASKING = { "service-reasons": "1" };

const send = ({ token = venue.token, method = "GET", path, options = {} }: RefusalCase, headers: Record<string, string>) =>
  app.call(token, method, path, { ...options, headers: { ...options.headers, ...headers } });

const reasonsIn = ({ body }: TestAnswer): SentReason[] => body.error?.reasons ?? [];

test("every reason is met by a request, with its field and parameters; no other reason exists", async () => {
  const met = new Set<RefusalReason>();
  for (const one of cases) {
    const answer = await send(one, ASKING);
    const where = `${one.reason} ${one.path} → ${answer.status} ${answer.text.slice(0, 400)}`;
    expect([422, 409], where).toContain(answer.status);
    expect(reasonProblems(answer.status, answer.body.error), where).toEqual([]);
    const { field, reason, params } = one;
    expect(reasonsIn(answer), where).toContainEqual({
      field,
      reason,
      params: params ? expect.objectContaining(params) : expect.any(Object),
    });
    met.add(reason);
  }
  const [, inUse] = await twiceAtOnce();
  expect(inUse).toEqual([{ field: "Idempotency-Key", reason: "idempotency_key_in_use", params: {} }]);
  met.add("idempotency_key_in_use");
  expect([...met, ...ELSEWHERE].toSorted()).toEqual(REFUSAL_REASONS.toSorted());
}, 120_000);

/** The reasons of the one that came second, while the first still ran. */
const twiceAtOnce = async (): Promise<[number, SentReason[]]> => {
  const [{ data: items }] = [(await app.call(venue.token, "GET", "/items?per_page=1")).body];
  for (let round = 0; round < 50; round++) {
    const headers = { ...ASKING, "idempotency-key": randomUUID() };
    const body = { category_id: items[0].category_id, name: `At once ${round}`, price_minor: 1 };
    const answers = await Promise.all(Array.from({ length: 8 }, () => app.call(venue.token, "POST", "/items", { body, headers })));
    const refused = answers.find(({ status }) => status === 409);
    if (refused) return [refused.status, reasonsIn(refused)];
  }
  throw new Error("No two requests with one key ran at once");
};

test("every field of every operation, with each wrong type and at each bound: every sentence has its reason", async () => {
  const described = describeOperations(openapiDocument("http://x"));
  const [dish] = (await app.call(venue.token, "GET", "/items?per_page=1")).body.data;
  const known = { ...(await idsForPaths(callFixtureOf(app, venue))), item_id: dish.id, category_id: dish.category_id, price_minor: 700 };
  const probes = [
    ...wrongTypeProbes(described, known),
    ...described.flatMap((operation) =>
      operation.fields.flatMap((field) => boundaryValues(field.schema).map((value) => fieldProbe(operation, known, field, value))),
    ),
    ...described.flatMap(({ method, path, query }) =>
      query.flatMap(({ name, schema }) =>
        ["", "0", "-1", "x", "%00", ...boundaryValues(schema).map((text) => encodeURIComponent(text))].map((text) => ({
          method,
          target: `${path}?${name}=${text}`,
          payload: null,
          headers: {},
        })),
      ),
    ),
  ];
  const problems: string[] = [];
  let refused = 0;
  for (const { method, target, payload, headers } of probes) {
    const raw = payload === null ? {} : { raw: payload };
    const answer = await app.call(venue.token, method, target, { ...raw, headers: { ...headers, ...ASKING } });
    if (answer.status < 400) continue;
    refused++;
    problems.push(...reasonProblems(answer.status, answer.body.error).map((problem) => `${method} ${target} ${problem}`));
  }
  expect(problems).toEqual([]);
  expect(refused).toBeGreaterThan(200);
}, 300_000);

test("without the header, or with another value, an error has the bytes of the contract", async () => {
  for (const one of cases) {
    const [asked, ...plain] = await Promise.all([
      send(one, ASKING),
      ...["", "0", "true", "1, 1"].map((value) => send(one, { "service-reasons": value })),
    ]);
    const { reasons, ...error } = asked.body.error;
    for (const answer of plain) expect(answer.text).toBe(JSON.stringify({ error }));
    expect(Object.keys(error)).toEqual(["code", "message", "details"]);
    expect(asked.text).toBe(JSON.stringify({ error: { ...error, reasons } }));
  }
}, 120_000);

test("an error without a rule has no reasons", async () => {
  for (const [token, path, status] of [
    [null, "/items", 401],
    [venue.token, "/items/1", 404],
    [venue.token, "/nothing", 404],
  ] as const) {
    const answer = await app.call(token, "GET", path, { headers: ASKING });
    expect([answer.status, Object.keys(answer.body.error)]).toEqual([status, ["code", "message", "details"]]);
  }
});

test("a stored error keeps its reasons beside its body, and a replay gives them to those who ask", async () => {
  const key = randomUUID();
  const order = { type: "pickup", customer_name: "", lines: [] };
  const place = (headers: Record<string, string>) =>
    app.call(venue.token, "POST", "/orders", { body: order, headers: { "idempotency-key": key, ...headers } });
  const first = await place({ "service-reasons": "0" });
  const [asked, plain] = [await place(ASKING), await place({ "service-reasons": "0" })];
  expect([asked, plain].map(({ status, headers }) => [status, headers.get("idempotent-replayed")])).toEqual([
    [422, "true"],
    [422, "true"],
  ]);
  expect(plain.text).toBe(first.text);
  expect(reasonProblems(422, asked.body.error)).toEqual([]);
  const [row] = await app.database.asOwner<{ body: string; reasons: string }>("select body, reasons from idempotency_keys where key = $1", [
    key,
  ]);
  expect(row).toEqual({ body: first.text, reasons: JSON.stringify(asked.body.error.reasons) });
  // A row of an earlier version has none.
  await app.database.asOwner("update idempotency_keys set reasons = null where key = $1", [key]);
  expect((await place(ASKING)).text).toBe(first.text);
});

test("planted: a sentence without a reason, with wrong parameters, or with a reason too many is found", async () => {
  const refuseWith = async (error: Error): Promise<string[]> => {
    const planted = await buildApp(app.deps, {
      handlers: {
        ...routes,
        listMenus: async () => {
          throw error;
        },
      },
    });
    const answer = await planted.http.inject({ url: "/api/v1/menus", headers: { authorization: `Bearer ${venue.token}`, ...ASKING } });
    await planted.stop();
    return reasonProblems(answer.statusCode, answer.json().error);
  };
  const mixed = { a: ["Is wrong."], b: [because("Is required.", "required")] } as unknown as FieldErrors;
  expect(await refuseWith(validationError(mixed))).toEqual(['a has 0 reasons for ["Is wrong."]']);
  const lost = { ...because("Must be at most 5.", "too_high", { max: 5 }), params: {} as { max: number } };
  expect(await refuseWith(validationError({ a: [lost as never] }))).toHaveLength(1);
  expect(await refuseWith(validationError({ a: [{ ...lost, reason: "made_up" } as never] }))).toEqual(["a has the unknown reason made_up"]);
  expect(await refuseWith(validationError({ a: [because("Must be at most 5.", "too_high", { max: 5 })] }))).toEqual([]);
  expect(reasonProblems(409, { code: "invalid_transition", details: {} })).toEqual(["invalid_transition has 0 reasons"]);
});
