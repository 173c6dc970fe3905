/** The published description: complete, and the same thing the server serves. */
import { readFileSync } from "node:fs";
import { ERRORS } from "@comanda/contract/errors.ts";
import { EVENT_TYPES, EVENTS, isSent } from "@comanda/contract/events/envelope.ts";
import { EVENT_SAMPLES } from "@comanda/contract/events/event-samples.ts";
import { apiOperationEntries } from "@comanda/contract/operations.ts";
import { sandboxOperations } from "@comanda/contract/sandbox/sandbox-operations.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import Fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startAuth } from "#http/api/auth-state.ts";
import { buildApp } from "../../src/compose/api.ts";
import { routes } from "../../src/compose/handlers.ts";
import type { Handlers } from "../../src/http/api/operations.ts";
import { addReference } from "../../src/http/docs/api-reference.ts";
import type { ApiError } from "../../src/lib/errors.ts";
import { withSharedParts } from "../support/shared-parts.ts";
import { startApp, type TestApp } from "../support/test-app.ts";

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const readDocument = () => JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8"));

test("the document describes every operation", () => {
  const document = readDocument();
  const described = Object.entries(document.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.sort()).toEqual(
    ["POST /oauth/token", "POST /oauth/revoke", ...apiOperationEntries.map(([, { method, path }]) => `${method} /api/v1${path}`)].sort(),
  );
});

type WithResponses = { responses: Record<string, object> };

/** Operations of a sandbox alone for which the reference names a refusal that no sandbox gets. */
const refusedByStanding = (paths: Record<string, Record<string, WithResponses>>): string[] =>
  Object.values(sandboxOperations).flatMap(({ method, path }) => {
    const { responses } = paths[`/api/v1${path}`]?.[method.toLowerCase()] ?? expect.fail(path);
    return /plan_lapsed|restaurant_suspended/.test(JSON.stringify(responses)) || "403" in responses ? [path] : [];
  });

test("D137 what only a sandbox has is refused for no plan and no suspension, and the reference names neither", () => {
  expect(refusedByStanding(readDocument().paths)).toEqual([]);
});

test("planted: an operation of a sandbox that names them is found", () => {
  const { paths } = readDocument();
  paths["/api/v1/sandbox/clock"].post.responses["403"] = { $ref: "#/components/responses/WriteForbidden" };
  expect(refusedByStanding(paths)).toEqual(["/sandbox/clock"]);
});

test("R6.2-14 the document has every event as a webhook, with words, headers and a sample that its own schema takes", () => {
  const document = withSharedParts(readDocument());
  expect(Object.keys(document.webhooks)).toEqual(EVENT_TYPES);
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, "document");
  for (const type of EVENT_TYPES) {
    const { summary, description, security, parameters, requestBody } = document.webhooks[type].post;
    const words = `${isSent(type) ? "" : "**Not yet sent.** "}${EVENTS[type].occursWhen}`;
    expect({ summary, security }).toEqual({ summary: type, security: [] });
    const [occasion, toSee] = String(description).split("\n\n**To see one:** ");
    expect([occasion, toSee !== undefined]).toEqual([words, isSent(type)]);
    const headers = (parameters as { name: string; in: string; required: boolean }[]).map((header) => [
      header.name,
      header.in,
      header.required,
    ]);
    expect(headers).toEqual(["Service-Event", "Service-Delivery", "Service-Signature"].map((name) => [name, "header", true]));
    const { schema, example } = requestBody.content["application/json"];
    expect(example).toEqual(EVENT_SAMPLES[type]);
    const name = schema.$ref.split("/").at(-1);
    expect(document.components.schemas[name].properties.type).toMatchObject({ type: "string", const: type });
    const isTaken = ajv.compile({ $ref: `document#/components/schemas/${name}` });
    expect(isTaken(example), `${type} ${ajv.errorsText(isTaken.errors)}`).toBe(true);
    expect(isTaken({ ...example, type: "ping.pong" })).toBe(false);
    expect(isTaken({ ...example, data: {} })).toBe(false);
  }
});

test("what is served is what is committed, but for the address", async () => {
  const committed = JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8"));
  const served = (await app.app.http.inject("/openapi.json")).json();
  expect({ ...served, servers: committed.servers }).toEqual(committed);
});

test("the reference page loads nothing from elsewhere", async () => {
  const page = await app.app.http.inject("/docs");
  expect(page.statusCode).toBe(200);
  expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
  expect(page.payload).not.toMatch(/https?:\/\//);
  const bundle = await app.app.http.inject({ url: "/docs/reference.js", headers: { "accept-encoding": "br" } });
  expect(bundle.headers["content-encoding"]).toBe("br");
  expect(bundle.rawPayload.length).toBeGreaterThan(100_000);
});

test("without a build the reference page says how to build, and the rest of the service works", async () => {
  const http = Fastify();
  http.addHook("onRequest", async (request) => startAuth(request));
  http.setErrorHandler((error, _request, reply) => reply.code((error as ApiError).status ?? 500).send({}));
  await addReference(http, app.deps, "/nowhere/api-reference.js");
  const page = await http.inject("/docs");
  expect([page.statusCode, page.headers["cache-control"]]).toEqual([503, "no-store"]);
  expect(page.payload).toContain("npm run build");
  expect((await http.inject("/docs/reference.js")).statusCode).toBe(404);
  expect((await http.inject("/openapi.json")).statusCode).toBe(200);
  await http.close();
});

test("every error code has a status, and its sentence ends like one", () => {
  for (const { status, message } of Object.values(ERRORS)) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(message).toMatch(/^[A-Z].*\.$/);
  }
});

test("an operation without a handler, or a handler without an operation, stops the start", async () => {
  const { getItem: _, ...incomplete } = routes;
  await expect(buildApp(app.deps, { handlers: incomplete as unknown as Handlers })).rejects.toThrow("The operation getItem has no handler");
  const extra = { ...routes, burnItem: routes.getItem } as Handlers;
  await expect(buildApp(app.deps, { handlers: extra })).rejects.toThrow("burnItem has no operation");
});
