/**
 * The MCP tools are exactly the operations, each as far as the token's scopes and the venue's plan allow.
 *
 * @own-process The conformance kit reads its target once per process.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AGENT_ROWS_MAX, type AgentTool, agentTools, GUEST_TEXTS, shapeOf, toolName, toolOf } from "@comanda/contract/agent-tools.ts";
import { type Operation, writesNothing } from "@comanda/contract/operation.ts";
import { operationEntries, operations } from "@comanda/contract/operations.ts";
import { ALL_SCOPES, type Feature, type Scope } from "@comanda/contract/scopes.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type App, buildApp } from "../../src/compose/api.ts";
import { addToken } from "../support/many-tokens.ts";
import { connectAgent, LIST, listen, refusalOf, sendMessage } from "../support/mcp-clients.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

/** A call that waits is no tool. */
const TOOL_OPERATIONS = operationEntries.filter(([, { waits }]) => !waits);

let app: TestApp;
let lab: TestVenue;

beforeAll(async () => {
  app = await startApp({ environment: { RATE_PER_MINUTE: "1000000" } });
  // The examples of the kit book tables on days to come.
  app.clock.set(new Date().toISOString());
  lab = await app.venue("lab");
});
afterAll(() => app.close());

describe("what is listed", () => {
  const SUBSETS = Array.from({ length: 2 ** ALL_SCOPES.length }, (_, bits) => ALL_SCOPES.filter((_scope, index) => bits & (1 << index)));
  const PLANS: Record<string, Feature[]> = {
    essential: [],
    service: ["reservations"],
    figures: ["reporting"],
    complete: ["reservations", "reporting"],
  };
  let tokens: string[];

  beforeAll(async () => {
    await app.database.asOwner("insert into plans values ('figures', false, true, null)");
    tokens = await forVenue(app.deps, lab.slug, async (ctx) => {
      const made: string[] = [];
      for (const scopes of SUBSETS)
        made.push((await addToken(ctx, { kind: "api", name: "agent", scopes, ratePerMinute: null, expiresAt: null })).token);
      return made;
    });
  });

  const namesOf = async (server: App, token: string, search = ""): Promise<string[]> => {
    const { status, body } = await sendMessage(server, token, LIST, { search });
    expect(status).toBe(200);
    return body.result.tools.map(({ name }: { name: string }) => name);
  };

  const expectedOf = (scopes: Scope[], features: Feature[], isReadOnly: boolean): string[] =>
    TOOL_OPERATIONS.filter(
      ([, { scope, feature, ...operation }]) =>
        (scope === null || scopes.includes(scope)) && (!feature || features.includes(feature)) && (!isReadOnly || writesNothing(operation)),
    ).map(([id]) => toolName(id));

  /** The short form asks for the sets with one scope at most, those that lack one at most, and of the others one in sixteen; with all features one in four. */
  const isWanted = (plan: string, subset: number): boolean => {
    const { length } = SUBSETS[subset] ?? [];
    const isEdge = length <= 1 || length >= ALL_SCOPES.length - 1;
    return Boolean(process.env.TEST_STRESS) || isEdge || subset % (plan === "complete" ? 4 : 16) === 0;
  };

  const mismatches = async (server: App, plan: string, subsets: number[]): Promise<string[]> => {
    await app.database.asOwner("update restaurants set plan = $1 where id = $2", [plan, lab.id]);
    const found: string[] = [];
    for (const subset of subsets)
      for (const search of ["", "?mode=read"]) {
        const wanted = expectedOf(SUBSETS[subset] as Scope[], PLANS[plan] as Feature[], search !== "");
        const got = await namesOf(server, tokens[subset] as string, search);
        if (JSON.stringify(got) !== JSON.stringify(wanted)) found.push(`${plan} ${subset}${search}: ${got}`);
      }
    return found;
  };

  test("every set of scopes × every set of features × both modes: exactly the operations that are open to it", async () => {
    const found: string[] = [];
    let lists = 0;
    for (const plan of Object.keys(PLANS)) {
      const subsets = [...SUBSETS.keys()].filter((subset) => isWanted(plan, subset));
      lists += 2 * subsets.length;
      found.push(...(await mismatches(app.app, plan, subsets)));
    }
    console.info(`tools: ${lists} lists, ${found.length} mismatches`);
    expect(expectedOf([], PLANS.complete as Feature[], false)).toEqual(["get_restaurant"]);
    expect(expectedOf(ALL_SCOPES, PLANS.complete as Feature[], false)).toHaveLength(TOOL_OPERATIONS.length);
    expect(found).toEqual([]);
  }, 120_000);

  test("planted: a list that is not filtered is found, and what it shows too much is still refused by the operation", async () => {
    const careless = await buildApp(app.deps, { agents: { visible: (tools) => [...tools] } });
    expect(await mismatches(careless, "essential", [0, 1])).toHaveLength(4);
    const { body } = await sendMessage(careless, tokens[0] as string, { method: "tools/call", params: { name: "list_orders" } });
    expect(refusalOf(body.result)).toMatchObject({ code: "insufficient_scope", details: { required_scope: "orders:read" } });
    await careless.stop();
  });
});

describe("what a tool is", () => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true, allErrors: true });
  (addFormats as unknown as (target: Ajv2020) => void)(ajv);

  test("names and hints come from the operation", () => {
    const tools = agentTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOL_OPERATIONS.map(([id]) => toolName(id)));
    for (const { name, annotations, operation, description } of tools) {
      expect(name).toMatch(/^[a-z_]{1,64}$/);
      expect(description).toContain(operation.description);
      expect([name, annotations.readOnlyHint]).toEqual([name, writesNothing(operation)]);
    }
    const sending = tools.filter(({ annotations }) => annotations.openWorldHint);
    expect(sending.map(({ name, description }) => [name, description.endsWith("kitchen."), description.includes("to the guest.")])).toEqual(
      [
        ["create_order", true, false],
        ["move_order", false, true],
        ["create_reservation", false, true],
        ["cancel_reservation", false, true],
      ],
    );
    const hints = (id: string) => tools.find((tool) => tool.id === id)?.annotations;
    expect(hints("createOrder")).toMatchObject({ destructiveHint: false, idempotentHint: false });
    expect(hints("cancelReservation")).toMatchObject({ destructiveHint: true, idempotentHint: false });
    expect(hints("setItemAvailability")).toMatchObject({ destructiveHint: true, idempotentHint: true });
  });

  test("the list of all tools takes at most 20 kB", async () => {
    await app.database.asOwner("update restaurants set plan = 'complete' where id = $1", [lab.id]);
    const { body } = await sendMessage(app.app, lab.token, LIST);
    const bytes = Buffer.byteLength(JSON.stringify(body.result));
    console.info(`tools: ${body.result.tools.length} in ${bytes} bytes`);
    expect(body.result.tools.length).toBe(TOOL_OPERATIONS.length);
    expect(bytes).toBeLessThanOrEqual(20_000);
  });

  /** Texts of the restaurant itself, by shape. A new text of an answer belongs here or to what guests wrote. */
  const OWN_TEXTS: Record<string, readonly string[]> = {
    Order: ["channel", "table", "tax_breakdown"],
    Reservation: ["deposit_status"],
    Guest: ["locale"],
  };

  const OWN_SHAPES = ["OrderQuote", "RestaurantContext"];

  type TextSchema = {
    type?: string | string[];
    enum?: unknown[];
    const?: unknown;
    pattern?: string;
    format?: string;
    properties?: Record<string, TextSchema>;
    items?: TextSchema;
    anyOf?: TextSchema[];
  };
  const answerOf = ({ success }: Operation): Record<string, TextSchema> =>
    (success.body as unknown as { properties: Record<string, TextSchema> }).properties;

  /** Texts without a fixed form, by the outermost member of their row. */
  const freeTexts = (schema: TextSchema): boolean => {
    if (schema.enum || schema.const !== undefined || schema.pattern || schema.format) return false;
    if ([schema.type].flat().includes("string")) return true;
    return [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])].some(freeTexts);
  };

  test("every text of an order, a booking and a guest is the restaurant's own or marked as a guest's", () => {
    for (const [id, operation] of TOOL_OPERATIONS) {
      const shape = shapeOf(operation);
      if (!(shape in GUEST_TEXTS)) continue;
      const { data } = answerOf(operation);
      const texts = Object.entries(data?.items?.properties ?? data?.properties ?? {}).filter(([, schema]) => freeTexts(schema));
      const classified = [...(GUEST_TEXTS[shape] ?? []), ...(OWN_TEXTS[shape] ?? [])];
      expect([id, texts.map(([name]) => name).toSorted()]).toEqual([id, classified.toSorted()]);
    }
    const shapes = TOOL_OPERATIONS.map(([, operation]) => shapeOf(operation));
    expect(Object.keys(GUEST_TEXTS).filter((shape) => !shapes.includes(shape))).toEqual([]);
    // What the restaurant itself wrote. A new shape belongs here, or to what guests wrote.
    const others = TOOL_OPERATIONS.filter(([, operation]) => {
      const { data } = answerOf(operation);
      return !(shapeOf(operation) in GUEST_TEXTS) && data !== undefined && freeTexts(data);
    });
    expect([...new Set(others.map(([, operation]) => shapeOf(operation)))].toSorted()).toEqual(OWN_SHAPES);
  });

  test("planted: an operation whose path and body would use one name for two things does not start", () => {
    const twice: Operation = {
      ...operations.updateItem,
      path: "/items/{item}",
      body: { ...operations.moveOrder.body, properties: { item: {} } } as never,
    };
    expect(() => toolOf("updateItem", twice)).toThrow("two arguments named item");
  });

  /** The kit's own example of each operation, made against this very service. */
  const examplesAt = async (address: string) => {
    const folder = mkdtempSync(join(tmpdir(), "comanda-agents-"));
    const names = ["full", "full_2", "default_rate", "rate_5", "no_scopes", "expired", "revoked", ...ALL_SCOPES];
    const venue = {
      slug: lab.slug,
      restaurant_id: lab.id,
      currency: "EUR",
      default_language: "en",
      plan: "complete",
      state: "active" as const,
      tokens: Object.fromEntries(names.map((name) => [name, lab.token])) as never,
    };
    // The kit asks for venues in every state before it begins; only the first is called.
    const others = (["active", "lapsed", "suspended"] as const).flatMap((state) =>
      ["essential", "service", "complete"].map((plan) => ({
        ...venue,
        slug: `${state}-${plan}`,
        state,
        plan,
        sandbox: { restaurant_id: 1, token: lab.token },
      })),
    );
    writeFileSync(
      join(folder, "target.json"),
      JSON.stringify({ base_url: `${address}/api/v1`, root_url: address, venues: [venue, ...others] }),
    );
    process.env.CONFORMANCE_TARGET = join(folder, "target.json");
    const { exampleOf } = await import("../../../conformance/examples.ts");
    rmSync(folder, { recursive: true });
    return (tool: AgentTool) => exampleOf(tool.id, venue);
  };

  type Sending = { tool: string; kind: "ticket" | "message" };

  /** Tickets of the kitchen and messages to guests that the restaurant has so far. */
  const countSent = async (): Promise<Record<Sending["kind"], number>> => {
    const [row] = await app.database.asOwner<{ ticket: number; message: number }>(
      "select (select count(*)::int from tickets where restaurant_id = $1) as ticket, (select count(*)::int from notifications where restaurant_id = $1) as message",
      [lab.id],
    );
    return row ?? { ticket: 0, message: 0 };
  };

  const notSaid = (sent: readonly Sending[], tools: readonly AgentTool[]): Sending[] =>
    sent.filter(({ tool, kind }) => !tools.find(({ name }) => name === tool)?.operation.sends?.includes(kind));

  test("each input schema is strict JSON Schema and takes the kit's example; the call succeeds, names what guests wrote, and sends only what its hints say", async () => {
    await app.database.asOwner("update restaurants set plan = 'complete' where id = $1", [lab.id]);
    const address = await listen(app.app);
    const exampleOf = await examplesAt(address);
    const agent = await connectAgent(address, lab.token);
    const { tools: listed } = await agent.client.listTools();
    const sent: Sending[] = [];
    for (const tool of agentTools()) {
      const shown = listed.find(({ name }) => name === tool.name);
      expect(shown?.inputSchema).toEqual(tool.inputSchema);
      const { params = {}, query = {}, body = {} } = await exampleOf(tool);
      const given = { ...params, ...query, ...body };
      const check = ajv.compile(tool.inputSchema);
      expect([tool.name, check(given), check.errors]).toEqual([tool.name, true, null]);
      const before = await countSent();
      const { isError, structured, refusal, text, meta } = await agent.call(tool.name, given);
      expect([tool.name, isError, refusal]).toEqual([tool.name, false, undefined]);
      expect([tool.name, Object.keys(structured)]).toEqual([tool.name, Object.keys(answerOf(tool.operation))]);
      expect([tool.name, meta["comanda/guest-texts"] ?? [], text.includes("written by guests")]).toEqual([
        tool.name,
        tool.guestTexts,
        tool.guestTexts.length > 0,
      ]);
      const after = await countSent();
      for (const kind of ["ticket", "message"] as const) if (after[kind] > before[kind]) sent.push({ tool: tool.name, kind });
    }
    expect(notSaid(sent, agentTools())).toEqual([]);
    const silent = agentTools().map((tool) => ({ ...tool, operation: { ...tool.operation, sends: [] } }));
    expect(notSaid(sent, silent), "planted").toContainEqual({ tool: "create_order", kind: "ticket" });
    console.info(`tools that sent: ${sent.map(({ tool, kind }) => `${tool} a ${kind}`).join(", ")}`);
    await agent.close();
  }, 60_000);

  test("a page is short: ten rows unless asked, never more than twenty-five", async () => {
    const pageOf = async (given: object) => {
      const { body } = await sendMessage(app.app, lab.token, { method: "tools/call", params: { name: "list_items", arguments: given } });
      return body.result.structuredContent ?? { error: refusalOf(body.result) };
    };
    expect((await pageOf({})).meta.per_page).toBe(10);
    expect((await pageOf({ per_page: 3 })).meta.per_page).toBe(3);
    expect((await pageOf({ per_page: 100 })).meta.per_page).toBe(AGENT_ROWS_MAX);
    expect((await pageOf({ per_page: 0 })).error.code).toBe("validation_failed");
    const first = await pageOf({ per_page: 2 });
    const second = await pageOf({ per_page: 2, cursor: first.meta.next_cursor });
    expect(second.data[0].id).toBeGreaterThan(first.data[1].id);
  });
});
