/** Every refusal of every tool reaches the model in words, through the official client after it has listed the tools. */
import { randomUUID } from "node:crypto";
import { type AgentTool, agentTools } from "@comanda/contract/agent-tools.ts";
import type { ErrorCode } from "@comanda/contract/errors.ts";
import { errorCodesOf } from "@comanda/contract/openapi/errors.ts";
import { PATH_PARAMETERS, pathParameters } from "@comanda/contract/operation.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Handlers } from "#http/api/operations.ts";
import { apiError } from "#lib/errors.ts";
import { revokeToken } from "#platform/programs/tokens/service.ts";
import { type App, buildApp } from "../../src/compose/api.ts";
import { routes } from "../../src/compose/handlers.ts";
import { type Agent, type AgentOptions, connectAgent, listen, type ProtocolVersion } from "../support/mcp-clients.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

let app: TestApp;
let lab: TestVenue;
let everything: string;
const opened: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  app = await startApp({ environment: { RATE_PER_MINUTE: "1000000" } });
  lab = await app.venue("lab");
  await setVenue("plan = 'complete'");
  everything = await serve();
});
afterAll(async () => {
  for (const server of opened) await server.stop();
  await app.close();
});

/** All tools are listed whatever the token may do, so that a call meets the gate of its operation. */
const serve = async (given: Parameters<typeof buildApp>[1] = {}): Promise<string> => {
  const server: App = await buildApp(app.deps, { agents: { visible: (tools) => [...tools] }, ...given });
  opened.push(server);
  return listen(server);
};

const setVenue = (change: string) => app.database.asOwner(`update restaurants set ${change} where id = $1`, [lab.id]);

const UNKNOWN = { integer: 9_007_199_254_740_991, uuid: "00000000-0000-4000-8000-000000000000" };

const unknownIds = ({ operation }: AgentTool): Record<string, unknown> =>
  Object.fromEntries(pathParameters(operation.path).map((name) => [name, UNKNOWN[PATH_PARAMETERS[name]]]));

/** Listed as an agent does, then called. */
const openAgent = async (address: string, token: string, options: AgentOptions = {}): Promise<Agent> => {
  const agent = await connectAgent(address, token, options);
  await agent.client.listTools();
  return agent;
};

/** What keeps the model from reading why a call was refused with this code. */
const unreadable = async (agent: Agent, tool: AgentTool, code: ErrorCode): Promise<string[]> => {
  const { isError, structured, refusal, text } = await agent.call(tool.name, unknownIds(tool));
  const [, hint = ""] = text.split("\n");
  const problems = [
    isError ? "" : "is no error",
    structured === undefined ? "" : "has structured content",
    refusal?.code === code ? "" : `says ${refusal?.code}`,
    refusal?.message ? "" : "has no message",
    hint.length > 20 ? "" : "has no hint",
  ];
  return problems.filter((problem) => problem !== "").map((problem) => `${tool.name} ${code} ${problem}`);
};

const TOOLS = agentTools();
const toolsWith = (code: ErrorCode): AgentTool[] => TOOLS.filter(({ operation }) => errorCodesOf(operation).includes(code));

const unreadableOf = async (agent: Agent, code: ErrorCode): Promise<string[]> => {
  const problems: string[] = [];
  for (const tool of toolsWith(code)) problems.push(...(await unreadable(agent, tool, code)));
  return problems;
};

/** Codes that a gate decides: the state that a venue or token is brought into, and back. */
const GATES: [ErrorCode, string][] = [
  ["plan_lapsed", "plan_until = '2026-01-01'"],
  ["restaurant_suspended", "suspended_at = now()"],
  ["plan_feature_unavailable", "plan = 'essential'"],
  ["not_found", "plan = 'complete'"],
];

/** Codes that the operation itself decides: thrown by a handler, so that each tool meets each one that it can answer with. */
const THROWN: ErrorCode[] = [
  "validation_failed",
  "invalid_transition",
  "idempotency_key_in_use",
  "idempotency_key_reused",
  "payload_too_large",
  "server_error",
  "service_unavailable",
];

const throwing = (code: ErrorCode): Handlers =>
  Object.fromEntries(
    Object.keys(routes).map((id) => [id, () => Promise.reject(apiError(code, {}, { "Retry-After": "2" }))]),
  ) as unknown as Handlers;

test("every code that an operation can answer with is tried here", () => {
  const all = new Set(TOOLS.flatMap(({ operation }) => errorCodesOf(operation)));
  const tried = ["unauthenticated", "rate_limited", "insufficient_scope", ...GATES.map(([code]) => code), ...THROWN];
  expect(tried.toSorted()).toEqual([...all].toSorted());
});

test.each(["auto", "legacy"] satisfies ProtocolVersion[])("what a gate refuses is read, for every tool (%s)", async (era) => {
  const problems: string[] = [];
  const agent = await openAgent(everything, lab.token, { era });
  for (const [code, state] of GATES) {
    await setVenue(state);
    problems.push(...(await unreadableOf(agent, code)));
    await setVenue("plan_until = null, suspended_at = null, plan = 'complete'");
  }
  const nothing = await openAgent(everything, await app.token(lab.slug, { scopes: [] }), { era });
  problems.push(...(await unreadableOf(nothing, "insufficient_scope")));
  const hasty = await openAgent(everything, await app.token(lab.slug, { ratePerMinute: 10 }), { era });
  while (!(await hasty.call("list_menus")).isError);
  problems.push(...(await unreadableOf(hasty, "rate_limited")));
  expect(problems).toEqual([]);
  await Promise.all([agent, nothing, hasty].map((each) => each.close()));
});

test.each(THROWN)("%s is read, for every tool that can answer with it", async (code) => {
  const agent = await openAgent(await serve({ handlers: throwing(code) }), lab.token);
  expect(toolsWith(code).length).toBeGreaterThan(1);
  expect(await unreadableOf(agent, code)).toEqual([]);
  await agent.close();
});

test("a refusal by a rule names its reasons, those of the tool call itself too", async () => {
  const agent = await openAgent(everything, lab.token);
  const reasonsOf = async (name: string, given: object): Promise<unknown> =>
    JSON.parse((await agent.call(name, given as Record<string, unknown>)).text.split("\n")[0] ?? "").error.reasons;
  expect(await reasonsOf("get_availability", { date: "2026-12-01", party_size: 0 })).toEqual([
    { field: "party_size", reason: "too_low", params: { min: 1 } },
  ]);
  expect(await reasonsOf("get_item", {})).toEqual([{ field: "item", reason: "required", params: {} }]);
  expect(await reasonsOf("cancel_reservation", { reservation: randomUUID(), idempotency_key: "a\u0001b" })).toEqual([
    { field: "idempotency_key", reason: "control_characters", params: {} },
  ]);
  await agent.close();
});

test("an argument that a tool does not have is refused, with the nearest one, at every depth and for every tool", async () => {
  const agent = await openAgent(everything, lab.token);
  const refusedFor = async (name: string, given: Record<string, unknown>) =>
    JSON.parse((await agent.call(name, given)).text.split("\n")[0] ?? "").error;
  for (const tool of TOOLS) {
    const { code, reasons } = await refusedFor(tool.name, { ...unknownIds(tool), certainly_unknown: 1 });
    expect([tool.name, code, reasons[0]?.field, reasons[0]?.reason]).toEqual([
      tool.name,
      "validation_failed",
      "certainly_unknown",
      "unknown_argument",
    ]);
  }
  const misspelt = await refusedFor("list_orders", { stauts: "placed" });
  expect(misspelt.details).toEqual({ stauts: ["There is no such argument here. Did you mean status?"] });
  expect(misspelt.reasons).toEqual([{ field: "stauts", reason: "unknown_argument", params: { nearest: "status" } }]);
  const nested = await refusedFor("create_order", {
    type: "pickup",
    customer_name: "Ada",
    customer_phone: "1",
    lines: [{ item: 1, quantity: 1 }],
  });
  expect(nested.details["lines.0.item"]).toEqual([
    expect.stringMatching(/there are item_id, variant_id, quantity, option_ids|Did you mean item_id/),
  ]);
  // Planted: what is known is not refused.
  expect((await agent.call("list_orders", { status: "placed" })).isError).toBeFalsy();
  await agent.close();
});

test("401 ends the call by HTTP, and the client's error carries code and message", async () => {
  const token = await app.token(lab.slug);
  const agent = await openAgent(everything, token);
  await forVenue(app.deps, lab.slug, (ctx) => revokeToken(ctx, Number(token.split("|")[0])));
  for (const tool of TOOLS) await expect(agent.call(tool.name, unknownIds(tool))).rejects.toThrow(/unauthenticated.*token was revoked/);
  await agent.close();
});

/** Puts the refusal's JSON beside its text as structured content, as a service would that does not know the clients. */
const withStructure: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const text = (await response.text()).replace(/^(data: )?(\{.*)$/m, (_, prefix = "", data: string) => {
    const message = JSON.parse(data);
    if (message.result?.isError) message.result.structuredContent = JSON.parse(message.result.content[0].text);
    return `${prefix}${JSON.stringify(message)}`;
  });
  return new Response(response.status === 202 ? null : text, { status: response.status, headers: response.headers });
};

test("planted: a refusal with structured content is found for every tool", async () => {
  const agent = await openAgent(everything, lab.token, { fetch: withStructure });
  const found = await unreadableOf(agent, "not_found");
  expect(found).toEqual(toolsWith("not_found").map(({ name }) => `${name} not_found has structured content`));
  expect(found.length).toBeGreaterThan(5);
  await agent.close();
});
