/**
 * Random carts at random moments in three venues: a quote is the order to the minor unit, says ok exactly when the order is taken, and what it
 * suggests makes its rule pass. Handlers with planted faults are found.
 */
import { isDeepStrictEqual } from "node:util";
import type { Item } from "@comanda/contract/venue/menu.ts";
import type { PassingChange, QuoteAnswer } from "@comanda/contract/venue/order-quote.ts";
import { ORDER_TYPES } from "@comanda/contract/venue/orders.ts";
import type { RestaurantContext } from "@comanda/contract/venue/restaurant.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, buildApp } from "../../src/compose/api.ts";
import { routes } from "../../src/compose/handlers.ts";
import { random, SEED } from "../support/seeded-random.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const CARTS = Number(process.env.TEST_CARTS ?? (process.env.TEST_STRESS ? 50_000 : 120));
/** Between them pauses, counts and the moment are drawn again. */
const CARTS_A_ROUND = 20;
const PLANTED_CARTS = 120;

const draw = random(SEED);
const chance = (percent: number): boolean => draw(100) < percent;
const oneOf = <T>(list: readonly T[]): T => list[draw(list.length)] as T;

type Shop = TestVenue & { dishes: Item[]; context: RestaurantContext };
/** Without a type: carts are changed by the paths that quotes name. */
type RandomCart = ReturnType<typeof JSON.parse>;

let app: TestApp;
let shops: Shop[];

const send = async (server: App, token: string, path: string, payload?: object) => {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await server.http.inject({
    method: payload ? "POST" : "GET",
    url: `/api/v1${path}`,
    headers,
    ...(payload ? { payload } : {}),
  });
  return { status: answer.statusCode, body: JSON.parse(answer.payload) };
};

beforeAll(async () => {
  console.info(`TEST_SEED=${SEED}`);
  app = await startApp();
  const venues = [
    await app.venue("trattoria"),
    await app.venue("gulf-cafe", ({ ordering }) => {
      ordering.types = ordering.types.filter(({ type }) => type !== "dine_in");
    }),
    await app.venue("lab", ({ ordering, charges }) => {
      for (const one of ordering.types) one.minimum_minor ||= 700;
      for (const promotion of charges.promotions) promotion.is_active = true;
    }),
  ];
  shops = await Promise.all(
    venues.map(async (venue) => {
      const dishes = (await send(app.app, venue.token, "/items?per_page=100")).body.data as Item[];
      return { ...venue, dishes, context: (await send(app.app, venue.token, "/restaurant")).body.data };
    }),
  );
});
afterAll(() => app.close());

/** Most choices are good ones; some are of another dish, sold out, too many or too few. */
const drawLine = ({ dishes }: Shop): RandomCart => {
  const dish = oneOf(dishes);
  const options = dish.modifier_groups.flatMap((group) => {
    const wanted = group.min_select + (chance(30) ? 1 : 0) - (chance(4) ? 1 : 0);
    return group.options.toSorted(() => draw(3) - 1).slice(0, Math.max(0, wanted));
  });
  const size = chance(95) ? dish.variants[draw(Math.max(1, dish.variants.length))]?.id : oneOf(dishes).variants[0]?.id;
  const ids = [...options.map(({ id }) => id), ...(chance(2) ? [1] : []), ...(chance(2) ? options.slice(0, 1).map(({ id }) => id) : [])];
  return {
    item_id: chance(98) ? dish.id : 1,
    ...(size === undefined ? {} : { variant_id: size }),
    quantity: 1 + draw(chance(20) ? 12 : 3),
    ...(ids.length > 0 ? { option_ids: ids } : {}),
  };
};

const drawTime = (): string =>
  new Date(app.clock.now().getTime() + (draw(60 * 24 * 20) - 600) * 60_000).toISOString().slice(0, 19).concat("Z");

const drawCart = (shop: Shop): RandomCart => {
  const codes = shop.context.branches.flatMap(({ tables }) => tables.flatMap(({ code }) => code ?? []));
  const cities = shop.context.delivery_zones.flatMap(({ cities: names }) => names);
  return {
    type: oneOf(ORDER_TYPES),
    channel: oneOf(["web", "phone", "whatsapp"]),
    customer_name: "Ada",
    customer_phone: `+1 555 ${draw(500)}`,
    ...(chance(90) ? { table_code: chance(90) ? oneOf(codes) : "nowhere" } : {}),
    ...(chance(30) ? { scheduled_for: chance(3) ? "2031-01-01T12:00:00Z" : drawTime() } : {}),
    ...(chance(90) ? { delivery_address: { line1: chance(95) ? "1 Street" : "", city: chance(90) ? oneOf(cities) : "Nowhere" } } : {}),
    lines: Array.from({ length: 1 + draw(chance(80) ? 3 : 12) }, () => drawLine(shop)),
  };
};

/** A moment, pauses, busy kitchens and counts of the next carts. */
const drawState = async (): Promise<void> => {
  app.clock.set(new Date(Date.UTC(2026, 10, 16) + draw(14 * 24 * 60) * 60_000 + draw(60_000)).toISOString());
  const now = app.clock.now().toISOString();
  for (const { id, token, dishes } of shops) {
    await app.database.asOwner("delete from order_pauses where restaurant_id = $1", [id]);
    await app.database.asOwner(
      `insert into order_pauses (restaurant_id, type, paused_until, busy_until, extra_minutes)
       values ($1, $2, $3::timestamptz + $4 * interval '1 minute', $3::timestamptz + interval '30 minutes', 20)`,
      [id, oneOf(ORDER_TYPES), now, draw(180) - 120],
    );
    // A dish whose count came to zero is sold out for the rest of its day. Without this, long runs sell everything out.
    const counted = await app.database.asOwner<{ item_id: string }>("delete from item_counts where restaurant_id = $1 returning item_id", [
      id,
    ]);
    for (const { item_id } of counted) await app.call(token, "PUT", `/items/${item_id}/availability`, { body: { is_available: true } });
    for (const dish of new Set([oneOf(dishes).id, oneOf(dishes).id, oneOf(dishes).id]))
      await app.database.asOwner("insert into item_counts (restaurant_id, item_id, remaining, counted_from) values ($1, $2, $3, $4)", [
        id,
        dish,
        1 + draw(8),
        now,
      ]);
  }
};

const AMOUNTS = [
  "subtotal_minor",
  "discount_minor",
  "service_charge_minor",
  "tax_added_minor",
  "delivery_fee_minor",
  "total_minor",
  "tax_breakdown",
] as const;

type PlacedLine = {
  item_id: number;
  unit_price_minor: number;
  quantity: number;
  line_total_minor: number;
  modifiers: { price_minor: number }[];
};

/** What the order says other than its quote. */
const differences = ({ status, body }: Awaited<ReturnType<typeof send>>, quote: QuoteAnswer): string[] => {
  const faults: string[] = [];
  const check = (what: string, quoted: unknown, ordered: unknown): void => {
    if (!isDeepStrictEqual(quoted, ordered)) faults.push(`${what}: ${JSON.stringify(quoted)} quoted, ${JSON.stringify(ordered)} ordered`);
  };
  check("ok", quote.ok ? 201 : 422, status);
  if (status === 422) {
    const refusals = quote.rules.flatMap((rule) => rule.refusals);
    const sentences = Object.groupBy(refusals, ({ field }) => field);
    check(
      "refusals",
      Object.fromEntries(Object.entries(sentences).map(([field, all = []]) => [field, all.map(({ message }) => message)])),
      body.error.details,
    );
  }
  if (status !== 201 || !quote.ok) return faults;
  const { data } = body;
  for (const name of AMOUNTS) check(name, quote.amounts?.[name], data[name]);
  check("scheduled_for", quote.scheduled_for, data.scheduled_for);
  check("branch_id", quote.branch_id, data.branch_id);
  const linesOf = data.items.map(({ item_id, unit_price_minor, quantity, line_total_minor, modifiers }: PlacedLine) => ({
    item_id,
    unit_price_minor,
    options_minor: modifiers.reduce((sum, { price_minor }) => sum + price_minor, 0),
    quantity,
    line_total_minor,
  }));
  check(
    "lines",
    quote.lines.map(({ index: _, list_price_minor: __, happy_hour_id: ___, ...line }) => line),
    linesOf,
  );
  // What a happy hour took off has a name, and nothing else has.
  for (const { list_price_minor, unit_price_minor, happy_hour_id } of quote.lines)
    check(
      "happy hour",
      unit_price_minor < list_price_minor,
      happy_hour_id !== null && quote.happy_hours.some(({ id }) => id === happy_hour_id),
    );
  check("promotion", quote.promotion !== null, data.discount_minor > 0);
  return faults;
};

const withChange = (cart: RandomCart, { field, change, value }: PassingChange): RandomCart => {
  const changed = structuredClone(cart);
  const path = field.split(".");
  const last = path.pop() ?? "";
  const owner = path.reduce((at, step) => (at[step] ??= {}), changed);
  if (change === "remove" && Array.isArray(value)) owner[last] = owner[last].filter((id: number) => !value.includes(id));
  else if (change === "remove" && Array.isArray(owner)) owner.splice(Number(last), 1);
  else if (change === "remove") delete owner[last];
  else if (change === "add") owner[last] = [...(owner[last] ?? []), ...(value as number[])];
  else if (change === "one_of") owner[last] = oneOf(value as number[]);
  else if (change === "give") owner[last] = last === "delivery_address" ? { line1: "1 Street", city: "Nowhere" } : "A value";
  else owner[last] = value;
  return changed;
};

/** What the caller would do next with one of the refusals; the rule must not refuse for the same reason there again. */
const uselessChange = async (server: App, shop: Shop, cart: RandomCart, quote: QuoteAnswer): Promise<string[]> => {
  const refusal = oneOf(quote.rules.flatMap(({ refusals }) => refusals));
  const { field, reason, to_pass } = refusal;
  if (to_pass === null) return reason === "no_opening" ? [] : [`${reason} has no change`];
  if (to_pass.change === "add_minor") {
    const missing = Number((refusal.params as { minimum_minor?: number }).minimum_minor) - (quote.amounts?.subtotal_minor ?? 0);
    return to_pass.value === missing && missing > 0 ? [] : [`${to_pass.value} is not what is missing`];
  }
  if (to_pass.change === "split") return [];
  const changed = withChange(cart, to_pass);
  if (changed.lines.length === 0) return [];
  const again = (await send(server, shop.token, "/orders/quote", changed)).body.data as QuoteAnswer;
  // The change of a list moves what stands behind it, so reasons are counted there.
  const isMoved = to_pass.change === "remove" && /^lines\.\d+(\.option_ids\.\d+)?$/.test(to_pass.field);
  const countOf = ({ rules }: QuoteAnswer): number =>
    rules.flatMap(({ refusals }) => refusals).filter((one) => one.reason === reason && (isMoved || one.field === field)).length;
  return countOf(again) < countOf(quote) ? [] : [`${JSON.stringify(to_pass)} did not help against ${reason} of ${field}`];
};

type Seen = { carts: number; ok: number; reasons: Set<string>; happy: number; promoted: number; faults: string[] };

/** Ends at the first fault when that is all that is looked for. */
const compare = async (server: App, carts: number, isPlanted = false): Promise<Seen> => {
  const seen: Seen = { carts: 0, ok: 0, reasons: new Set(), happy: 0, promoted: 0, faults: [] };
  for (; seen.carts < carts && !(isPlanted && seen.faults.length > 0); seen.carts++) {
    if (seen.carts % CARTS_A_ROUND === 0) await drawState();
    const shop = oneOf(shops);
    const cart = drawCart(shop);
    const quoted = await send(server, shop.token, "/orders/quote", cart);
    if (quoted.status !== 200) throw new Error(`${quoted.status} ${JSON.stringify(quoted.body)} for ${JSON.stringify(cart)}`);
    const quote = quoted.body.data as QuoteAnswer;
    const found = differences(await send(server, shop.token, "/orders", cart), quote);
    // A count may have changed with the order, and then it was ok.
    if (!quote.ok) found.push(...(await uselessChange(server, shop, cart, quote)));
    seen.faults.push(...found.map((fault) => `${fault} · ${shop.slug} ${app.clock.now().toISOString()} ${JSON.stringify(cart)}`));
    if (quote.ok) seen.ok++;
    if (quote.happy_hours.length > 0) seen.happy++;
    if (quote.promotion !== null) seen.promoted++;
    for (const { refusals } of quote.rules) for (const { reason } of refusals) seen.reasons.add(reason);
  }
  return seen;
};

test("a quote is its order to the minor unit, says ok exactly when it is taken, and its changes help", async () => {
  const { carts, ok, reasons, happy, promoted, faults } = await compare(app.app, CARTS);
  console.info(
    `${carts} carts: ${ok} taken, ${happy} with a happy hour, ${promoted} with a promotion; ${faults.length} differences; refused for ${[...reasons].sort()}`,
  );
  expect(faults.slice(0, 5)).toEqual([]);
  expect(ok).toBeGreaterThan(carts / 10);
  expect(ok).toBeLessThan(carts * 0.9);
  expect(Math.min(happy, promoted)).toBeGreaterThan(0);
  expect(reasons.size).toBeGreaterThan(12);
}, 3_600_000);

const FAULTS: Record<string, (quote: QuoteAnswer) => QuoteAnswer> = {
  "an amount that is one minor unit off": ({ amounts, ...quote }) => ({
    ...quote,
    amounts: amounts && { ...amounts, total_minor: amounts.total_minor + 1 },
  }),
  "a rule that is not asked": ({ rules, ...quote }) => {
    const others = rules.map((one) => (one.rule === "delivery" ? { ...one, passes: true, refusals: [] } : one));
    return { ...quote, ok: others.every(({ passes }) => passes), rules: others };
  },
  "a change that does not help": ({ rules, ...quote }) => ({
    ...quote,
    rules: rules.map(({ refusals, ...one }) => ({
      ...one,
      refusals: refusals.map((refusal) => ({ ...refusal, to_pass: { field: "note", change: "remove", value: null } })),
    })),
  }),
};

test.each(Object.entries(FAULTS))(
  "planted: %s is found",
  async (_, change) => {
    const quoteOrder: typeof routes.quoteOrder = async (ctx, input) => {
      const result = await routes.quoteOrder(ctx, input);
      return { ...result, data: change(result.data as QuoteAnswer) };
    };
    const server = await buildApp(app.deps, { handlers: { ...routes, quoteOrder } });
    expect((await compare(server, PLANTED_CARTS, true)).faults.length).toBeGreaterThan(0);
    await server.http.close();
  },
  120_000,
);

test("planted: a quote of the moment an hour later is found", async () => {
  const quoteOrder: typeof routes.quoteOrder = (ctx, input) =>
    routes.quoteOrder({ ...ctx, now: new Date(ctx.now.getTime() + 3_600_000) }, input);
  const server = await buildApp(app.deps, { handlers: { ...routes, quoteOrder } });
  expect((await compare(server, PLANTED_CARTS, true)).faults.length).toBeGreaterThan(0);
  await server.http.close();
}, 120_000);
