/** What the reference shows: an example of every request and every answer, each of the shape it stands for. */
import { ERRORS } from "@comanda/contract/errors.ts";
import { EVENT_TYPES } from "@comanda/contract/events/envelope.ts";
import { openapiDocument } from "@comanda/contract/openapi/document.ts";
import { apiOperationEntries } from "@comanda/contract/operations.ts";
import type { Order } from "@comanda/contract/venue/orders.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { withSharedParts } from "../support/shared-parts.ts";

type ExampleHolder = { schema?: object; example?: unknown; examples?: Record<string, { summary?: string; value: unknown }> };
type ExampleParameter = ExampleHolder & { name: string; in: string; description?: string };
type ExampleOperation = {
  summary?: string;
  description?: string;
  parameters?: ExampleParameter[];
  requestBody?: { content: Record<string, ExampleHolder> };
  responses: Record<
    string,
    { description: string; headers?: Record<string, { description?: string }>; content?: Record<string, ExampleHolder> }
  >;
};
type ExampleDocument = { paths: Record<string, Record<string, ExampleOperation>>; webhooks: Record<string, { post: ExampleOperation }> };

const document = (): ExampleDocument => withSharedParts(openapiDocument("http://127.0.0.1:4000")) as unknown as ExampleDocument;

const checkerFor = (described: ExampleDocument) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  for (const own of ["date-or-date-time", "order-status-list", "time-of-day"]) ajv.addFormat(own, true);
  ajv.addSchema(described, "document");
  return (schema: object, value: unknown): string[] => {
    const here = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object;
    const isTaken = ajv.compile(here);
    return isTaken(value) ? [] : [ajv.errorsText(isTaken.errors)];
  };
};

const valuesOf = ({ example, examples }: ExampleHolder): unknown[] => [
  ...(example === undefined ? [] : [example]),
  ...Object.values(examples ?? {}).map(({ value }) => value),
];

/** Every place that has a shape and should have an example; what is missing or does not fit. */
const faultsOf = (described: ExampleDocument): string[] => {
  const check = checkerFor(described);
  const shown = (where: string, place: ExampleHolder): string[] => {
    const values = valuesOf(place);
    if (values.length === 0) return [`${where} has no example`];
    return values.flatMap((value) => check(place.schema ?? {}, value)).map((fault) => `${where}: ${fault}`);
  };
  const operation = (where: string, { summary, description, parameters = [], requestBody, responses }: ExampleOperation): string[] => [
    ...(summary && description && /\.$|`$/.test(description) ? [] : [`${where} is not described`]),
    ...parameters.filter(({ description: words }) => !words).map(({ name }) => `${where} ${name} is not described`),
    // No cursor exists before a first page was read.
    ...parameters.filter((one) => one.in !== "header" && one.name !== "cursor").flatMap((one) => shown(`${where} ${one.name}`, one)),
    ...Object.values(requestBody?.content ?? {}).flatMap((place) => shown(`${where} body`, place)),
    ...Object.entries(responses).flatMap(([status, { content = {}, headers = {} }]) => [
      ...Object.values(content).flatMap((place) => shown(`${where} ${status}`, place)),
      ...Object.entries(headers).flatMap(([name, header]) => (header.description ? [] : [`${where} ${status} ${name} is not described`])),
    ]),
  ];
  return [
    ...Object.entries(described.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, one]) => operation(`${method} ${path}`, one)),
    ),
    ...Object.entries(described.webhooks).flatMap(([type, { post }]) => operation(type, post)),
  ];
};

test("every operation, refusal and webhook has an example that its own schema takes, and words", () => {
  const described = document();
  expect(faultsOf(described)).toEqual([]);
  const operations = Object.values(described.paths).flatMap(Object.values) as ExampleOperation[];
  const answers = operations.flatMap(({ responses }) => Object.values(responses).flatMap(({ content = {} }) => Object.values(content)));
  console.info(`${operations.length} operations, ${answers.flatMap(valuesOf).length} answers shown, ${EVENT_TYPES.length} webhooks`);
  expect(operations).toHaveLength(apiOperationEntries.length + 2);
  expect(Object.keys(described.webhooks)).toHaveLength(EVENT_TYPES.length);
});

test("planted: an example of another shape, a missing one and an operation without words are seen", () => {
  const wrong = document();
  const first = wrong.paths["/api/v1/orders"]?.post?.responses["201"]?.content?.["application/json"];
  if (first) first.example = { data: { id: "1" }, meta: {}, links: {} };
  const order = wrong.paths["/api/v1/orders"]?.get;
  if (order) order.description = "";
  delete wrong.webhooks["order.paid"]?.post.requestBody?.content["application/json"]?.example;
  const faults = faultsOf(wrong).join("\n");
  for (const part of ["post /api/v1/orders 201: ", "get /api/v1/orders is not described", "order.paid body has no example"])
    expect(faults).toContain(part);
});

/** Every order that stands anywhere in the document. */
const ordersIn = (value: unknown): Order[] => {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.values(value).flatMap(ordersIn);
  return "tax_breakdown" in value && "items" in value && "total_minor" in value && typeof value.total_minor === "number"
    ? [value as Order, ...inside]
    : inside;
};

/** Adds up as open points D98 and D99 say. */
const sumFaults = ({ id, tax_breakdown, ...order }: Order): string[] => [
  ...(order.total_minor ===
  order.subtotal_minor - order.discount_minor + order.service_charge_minor + order.tax_added_minor + order.delivery_fee_minor
    ? []
    : [`${id} does not add up`]),
  ...(order.subtotal_minor === order.items.reduce((sum, line) => sum + line.line_total_minor, 0) ? [] : [`${id} has other lines`]),
  ...(tax_breakdown ?? []).flatMap(({ name, rate, inclusive, taxable_minor, tax_minor }) =>
    tax_minor === Math.round((taxable_minor * rate) / (inclusive ? 100 + rate : 100)) ? [] : [`${id}: ${name} is not ${rate} % of it`],
  ),
  ...(tax_breakdown?.length === 1 && tax_breakdown[0]?.inclusive && tax_breakdown[0].taxable_minor !== order.total_minor
    ? [`${id}: the one tax inside the prices is not on the total`]
    : []),
];

test("the amounts of every order that is shown add up, taxes inside the prices included", () => {
  const orders = ordersIn(document());
  expect(orders.length).toBeGreaterThan(5);
  expect(orders.flatMap(sumFaults)).toEqual([]);
  const [first] = orders as [Order];
  const net = { ...first, tax_breakdown: [{ name: "VAT", rate: 10, inclusive: true, taxable_minor: 2682, tax_minor: 268 }] };
  expect(sumFaults(net).length).toBeGreaterThan(0);
});

test("refusals are shown by code, and each operation has those that it can answer with", () => {
  const { paths } = document();
  const codes = (path: string, method: string): string[] =>
    Object.values(paths[`/api/v1${path}`]?.[method]?.responses ?? {}).flatMap(({ content = {} }) =>
      Object.keys(content["application/json"]?.examples ?? {}),
    );
  const everywhere = ["unauthenticated", "rate_limited", "server_error", "service_unavailable"];
  for (const [, { method, path, scope, feature, extraStatuses, onlyInSandbox }] of apiOperationEntries) {
    const shown = codes(path, method.toLowerCase());
    expect(shown, path).toEqual(expect.arrayContaining(everywhere));
    expect(shown.includes("insufficient_scope"), path).toBe(scope !== null || (extraStatuses as readonly number[]).includes(403));
    expect(shown.includes("plan_feature_unavailable"), path).toBe(
      feature !== undefined || (extraStatuses as readonly number[]).includes(403),
    );
    // A sandbox works while its restaurant is lapsed or suspended.
    expect(shown.includes("plan_lapsed"), path).toBe(!onlyInSandbox);
    expect(shown.includes("restaurant_suspended"), path).toBe(method !== "GET" && !onlyInSandbox);
    expect(shown.includes("not_found"), path).toBe((extraStatuses as readonly number[]).includes(404));
    for (const code of shown) expect(Object.keys(ERRORS)).toContain(code);
  }
  expect(codes("/orders", "post")).not.toContain("invalid_transition");
  expect(codes("/orders/{order}/status", "post")).toContain("invalid_transition");
});
