/** The decision on each request, as one table: every operation × what the token may do × what state token, venue and rate are in. */
import { type Operation, PATH_PARAMETERS, type PathParameter, pathParameters } from "@comanda/contract/operation.ts";
import { type OperationId, operationEntries } from "@comanda/contract/operations.ts";
import { ALL_SCOPES, type Feature, type Scope } from "@comanda/contract/scopes.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Ctx } from "#lib/context.ts";
import { createToken, revokeToken } from "#platform/programs/tokens/service.ts";
import { addToken } from "../support/many-tokens.ts";
import { forVenue, startApp, type TestAnswer, type TestApp, type TestVenue } from "../support/test-app.ts";

/** Rows of a venue that calls can name; where none is prepared, a call asks for what is not there. */
const PREPARED = ["menu", "item", "order"] as const satisfies PathParameter[];
type AccessFixture = { category: number } & Record<(typeof PREPARED)[number], number | string>;
const UNKNOWN_IDS = { integer: "9007199254740991", uuid: "00000000-0000-4000-8000-000000000000" };

/** A call that succeeds behind the gates, or is answered there in a way that is known. */
type AccessProbe = {
  name: string;
  method: string;
  path: string;
  body?: ((known: AccessFixture) => object) | undefined;
  /** Null where there is no operation, so that only the gates of "any call" apply. */
  scope: Scope | null;
  feature?: Feature | undefined;
  isWrite: boolean;
  /** The answer behind the gates. */
  behind: string;
};

/** Valid bodies; an operation without one sends none of its fields. */
const BODIES: Partial<Record<OperationId, (known: Pick<AccessFixture, "category" | "item">) => object>> = {
  createItem: ({ category }) => ({ category_id: category, name: "Gate", price_minor: 1 }),
  updateItem: () => ({}),
  setItemAvailability: () => ({ is_available: true }),
  createOrder: ({ item }) => ({
    type: "pickup",
    customer_name: "Ada",
    customer_phone: "+1 555 0100",
    lines: [{ item_id: item, quantity: 1 }],
  }),
  moveOrder: () => ({ status: "accepted" }),
};

const probesOf = ([id, operation]: [OperationId, Operation]): AccessProbe[] => {
  const { method, path, scope, feature, success, query } = operation;
  const body = BODIES[id] ?? (operation.body ? () => ({}) : undefined);
  const isPrepared = pathParameters(path).every((name) => (PREPARED as readonly string[]).includes(name));
  const isMissing = [query, BODIES[id] ? undefined : operation.body].some((schema) => (schema?.required ?? []).length > 0);
  const behind = !isPrepared ? "404 not_found {}" : isMissing ? "422 validation_failed" : String(success.status);
  const probe: AccessProbe = { name: id, method, path, scope, feature, isWrite: method !== "GET", behind, body };
  return method === "GET" ? [probe, { ...probe, name: `HEAD ${id}`, method: "HEAD" }] : [probe];
};

const PROBES: AccessProbe[] = [
  ...operationEntries.flatMap(probesOf),
  { name: "an unknown path", method: "GET", path: "/nothing", scope: null, isWrite: false, behind: "404 not_found {}" },
  { name: "an unlisted method", method: "DELETE", path: "/items", scope: null, isWrite: false, behind: "405 method_not_allowed {}" },
];

const knownOf = async (app: TestApp, { token }: TestVenue): Promise<AccessFixture> => {
  const menus = (await app.call(token, "GET", "/menus")).body.data;
  const items = (await app.call(token, "GET", "/items?available=true&per_page=100")).body.data;
  const plain = items.find((item: { name: { en: string } }) => item.name.en === "Plain Plate");
  const body = BODIES.createOrder?.({ category: plain.category_id, item: plain.id });
  const order = (await app.call(token, "POST", "/orders", { body })).body.data;
  return { menu: menus[0].id, category: plain.category_id, item: plain.id, order: order.id };
};

/** The answer in one line. HEAD has no body with a code, so there the status alone counts. */
const lineOf = ({ status, body, headers }: TestAnswer): string => {
  if (body === null || status < 400) return String(status);
  const { code, details } = body.error;
  if (status === 401 && !/^Bearer( error="invalid_token")?$/.test(headers.get("www-authenticate") ?? ""))
    return "401 without WWW-Authenticate: Bearer";
  return code === "validation_failed" ? `${status} ${code}` : `${status} ${code} ${JSON.stringify(details)}`;
};

const mismatch = async (
  app: TestApp,
  probe: AccessProbe,
  known: AccessFixture,
  { token, expected }: { token: string | null; expected: string },
) => {
  // An order moves once; each cell of the table finds it where it began.
  if (probe.name === "moveOrder") await app.database.asOwner("update orders set status = 'placed' where id = $1", [known.order]);
  const path = probe.path.replaceAll(/\{(\w+)\}/g, (_, name: keyof AccessFixture & PathParameter) =>
    String(known[name] ?? UNKNOWN_IDS[PATH_PARAMETERS[name]]),
  );
  const answer = await app.call(token, probe.method, path, probe.body ? { body: probe.body(known) } : {});
  const wanted = probe.method === "HEAD" ? expected.slice(0, 3) : expected;
  const got = lineOf(answer);
  return got === wanted ? [] : [`${probe.name}: ${got} instead of ${wanted}`];
};

const missing = (scope: Scope): string => `403 insufficient_scope {"required_scope":"${scope}"}`;

describe("scopes", () => {
  const ALL_SETS = Array.from({ length: 2 ** ALL_SCOPES.length }, (_, bits) => ALL_SCOPES.filter((_scope, index) => bits & (1 << index)));
  // In CI those with one scope at most, and those that lack one at most: each scope with and without each other one.
  const SUBSETS = process.env.TEST_STRESS ? ALL_SETS : ALL_SETS.filter(({ length }) => length <= 1 || length >= ALL_SCOPES.length - 1);
  let app: TestApp;
  let tokens: string[];
  let known: AccessFixture;

  beforeAll(async () => {
    app = await startApp({ environment: { RATE_PER_MINUTE: "1000000" } });
    const venue = await app.venue("lab");
    known = await knownOf(app, venue);
    tokens = await forVenue(app.deps, venue.slug, async (ctx) => {
      const made: string[] = [];
      for (const scopes of SUBSETS) made.push((await addToken(ctx, wantedToken(scopes))).token);
      return made;
    });
  });
  afterAll(() => app.close());

  const mismatchesOf = async (subset: number): Promise<string[]> => {
    const scopes = SUBSETS[subset] as Scope[];
    const found = PROBES.map((probe) => {
      const isOpen = probe.scope === null || scopes.includes(probe.scope);
      const expected = isOpen ? probe.behind : missing(probe.scope as Scope);
      return mismatch(app, probe, known, { token: tokens[subset] as string, expected });
    });
    return (await Promise.all(found)).flat();
  };

  test("R5.1 every operation × every set of scopes: open with its own scope, else 403 naming exactly that scope", async () => {
    const found: string[] = [];
    for (const subset of SUBSETS.keys()) found.push(...(await mismatchesOf(subset)));
    console.info(`gate table, scopes: ${SUBSETS.length * PROBES.length} requests, ${found.length} mismatches`);
    expect(SUBSETS).toHaveLength(process.env.TEST_STRESS ? 256 : 18);
    expect(found).toEqual([]);
  }, 120_000);

  test("planted: a token with wider rights than it was given is found, at every operation it opens", async () => {
    await app.database.asOwner("update tokens set scopes = $1 where id = $2", [ALL_SCOPES, tokens[0]?.split("|")[0]]);
    const found = await mismatchesOf(0);
    expect(found.map((line) => line.split(":")[0])).toEqual(PROBES.filter(({ scope }) => scope !== null).map(({ name }) => name));
    await app.database.asOwner("update tokens set scopes = '{}' where id = $1", [tokens[0]?.split("|")[0]]);
    expect(await mismatchesOf(0)).toEqual([]);
  });
});

const wantedToken = (scopes: Scope[], expiresAt: Date | null = null) => ({
  kind: "api" as const,
  name: "gate",
  scopes,
  ratePerMinute: null,
  expiresAt,
});

describe("states", () => {
  const TOKEN_STATES = ["missing", "unknown", "malformed", "revoked", "expired", "good"] as const;
  const SCOPE_STATES = ["has", "lacks", "none"] as const;
  const VENUE_STATES = {
    active: "plan = 'complete'",
    suspended: "suspended_at = now()",
    lapsed: "plan_until = '2026-01-01'",
    "lapsed and suspended": "plan_until = '2026-01-01', suspended_at = now()",
    essential: "plan = 'essential'",
  };
  type TokenState = (typeof TOKEN_STATES)[number];
  type ScopeState = (typeof SCOPE_STATES)[number];
  type VenueState = keyof typeof VENUE_STATES;
  type State = { token: TokenState; scopes: ScopeState; venue: VenueState; isOver: boolean };

  let wide: TestApp;
  let narrow: TestApp;
  const venues = new Map<VenueState, { known: AccessFixture; tokens: Map<string, string> }>();

  beforeAll(async () => {
    wide = await startApp({ environment: { RATE_PER_MINUTE: "1000000" } });
    narrow = await startApp({ database: wide.database, environment: { RATE_PER_MINUTE: "1", UNAUTHENTICATED_RATE_PER_MINUTE: "1" } });
    for (const [state, change] of Object.entries(VENUE_STATES) as [VenueState, string][]) {
      const venue = await wide.venue("lab", (file) => {
        file.restaurant.slug = state.replaceAll(" ", "-");
      });
      venues.set(state, { known: await knownOf(wide, venue), tokens: await forVenue(wide.deps, venue.slug, issueTokens) });
      await wide.database.asOwner(`update restaurants set ${change} where id = $1`, [venue.id]);
    }
  });
  afterAll(async () => {
    await narrow.close();
    await wide.close();
  });

  /** Tokens by state, scope state and scope; the three states that are no token of ours are made from the good ones. */
  const issueTokens = async (ctx: Ctx): Promise<Map<string, string>> => {
    const tokens = new Map<string, string>();
    const sets = ALL_SCOPES.flatMap((scope): [ScopeState, Scope, Scope[]][] => [
      ["has", scope, [scope]],
      ["lacks", scope, ALL_SCOPES.filter((other) => other !== scope)],
      ["none", scope, []],
    ]);
    for (const [scopeState, scope, scopes] of sets)
      for (const state of ["good", "revoked", "expired"] as const) {
        const { id, token } = await createToken(ctx, wantedToken(scopes, state === "expired" ? ctx.now : null));
        if (state === "revoked") await revokeToken(ctx, id);
        tokens.set(`${state} ${scopeState} ${scope}`, token);
      }
    return tokens;
  };

  const tokenFor = ({ token, scopes, venue }: State, scope: Scope): string | null => {
    const tokens = venues.get(venue)?.tokens as Map<string, string>;
    const good = tokens.get(`good ${scopes} ${scope}`) as string;
    if (token === "missing") return null;
    if (token === "unknown") return good.replace(/^\d+/, "1024000");
    if (token === "malformed") return `${good}0`;
    return tokens.get(`${token} ${scopes} ${scope}`) as string;
  };

  /** Written from the order of the gates, not from the code: token, rate, plan, scope, feature, suspension. */
  const decide = (probe: AccessProbe, { token, scopes, venue, isOver }: State): string => {
    if (isOver) return "429 rate_limited {}";
    if (token !== "good") return "401 unauthenticated {}";
    if (venue === "lapsed" || venue === "lapsed and suspended") return "403 plan_lapsed {}";
    if (probe.scope !== null && scopes !== "has") return missing(probe.scope);
    if (probe.feature && venue === "essential") return `403 plan_feature_unavailable {"feature":"${probe.feature}"}`;
    if (probe.isWrite && venue === "suspended") return "403 restaurant_suspended {}";
    return probe.behind;
  };

  /** In CI all states of a good token, and of any other each pair of token, scopes and venue. */
  const states = (isOver: boolean): State[] =>
    (Object.keys(VENUE_STATES) as VenueState[]).flatMap((venue, row) =>
      TOKEN_STATES.flatMap((token, column) =>
        SCOPE_STATES.filter(
          (_, place) => process.env.TEST_STRESS || token === "good" || place === (row + column) % SCOPE_STATES.length,
        ).map((scopes): State => ({ token, scopes, venue, isOver })),
      ),
    );

  /** Tokens whose only call of the minute is used up. The clock stands still. */
  const spent = new Set<string | null>();

  const mismatchesIn = async (state: State): Promise<string[]> => {
    const found: string[] = [];
    for (const probe of PROBES) {
      const token = tokenFor(state, probe.scope ?? "menu:read");
      // The first call of a token, or of an address without one, uses up the only one it has.
      if (state.isOver && !spent.has(token)) await narrow.call(token, "GET", "/nothing");
      if (state.isOver) spent.add(token);
      const known = venues.get(state.venue)?.known as AccessFixture;
      found.push(...(await mismatch(state.isOver ? narrow : wide, probe, known, { token, expected: decide(probe, state) })));
    }
    return found.map((line) => `${JSON.stringify(state)} ${line}`);
  };

  for (const isOver of [false, true])
    test(`${isOver ? "over" : "within"} the rate: each gate in its order, whatever else is wrong`, async () => {
      // The states of one venue follow each other, those of the venues run beside each other.
      const byVenue = [...Map.groupBy(states(isOver), ({ venue }) => venue).values()].map(async (ofVenue) => {
        const lines: string[] = [];
        for (const state of ofVenue) lines.push(...(await mismatchesIn(state)));
        return lines;
      });
      const found = (await Promise.all(byVenue)).flat();
      const count = states(isOver).length * PROBES.length;
      console.info(`gate table, states ${isOver ? "over" : "within"} the rate: ${count} requests, ${found.length} mismatches`);
      expect(states(isOver)).toHaveLength(process.env.TEST_STRESS ? 90 : 40);
      expect(found).toEqual([]);
    }, 120_000);

  test("planted: a venue that is not in the state the table says is found", async () => {
    const state: State = { token: "good", scopes: "has", venue: "suspended", isOver: false };
    await wide.database.asOwner("update restaurants set suspended_at = null where slug = 'suspended'");
    const writes = PROBES.filter(({ isWrite }) => isWrite);
    expect(await mismatchesIn(state)).toHaveLength(writes.length);
    await wide.database.asOwner("update restaurants set suspended_at = now() where slug = 'suspended'");
    expect(await mismatchesIn(state)).toEqual([]);
  });
});
