/** A dish whose price and availability flip a hundred times a second while it is ordered: no order has a price that was not current. */
import { Agent } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerProblems, type CheckedAnswer } from "../../../conformance/answer-check.ts";
import { buildApp } from "../../src/compose/api.ts";
import { readConfig } from "../../src/config.ts";
import { openDeps } from "../../src/deps.ts";
import { faultInjectingPool } from "../support/fault-injection.ts";
import { createFleet, type Fleet } from "../support/processes.ts";
import { sendCall } from "../support/raw-http.ts";
import { repeatUntilDetected } from "../support/repeat-until-detected.ts";
import { random, SEED } from "../support/seeded-random.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const SECONDS = process.env.TEST_STRESS ? 15 : 5;
const CALLERS = 8;
const CHANGE_MS = 10;
/** The callers pause so that the price changes keep their pace. */
const PAUSE_MS = 10;

let app: TestApp;
let lab: TestVenue;
let fleet: Fleet;
let dishId: number;
let till: pg.Client;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  const { data } = (await app.call(lab.token, "GET", "/items?per_page=100")).body;
  dishId = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
  fleet = await createFleet(app.database.appUrl);
  till = new pg.Client({ connectionString: app.database.appUrl, options: "-c search_path=app" });
  await till.connect();
});
afterAll(async () => {
  await till.end();
  await fleet.close();
  await app.close();
});

/** All moments are milliseconds of the database's clock. The dish may have been like this from `from` to `until`, not outside. */
type Version = { price: number; isAvailable: boolean; from: number; until: number };
type Send = (method: string, path: string, body: object) => Promise<CheckedAnswer>;

const sendTo =
  (port: number, agent: Agent): Send =>
  async (method, path, body) => {
    const call = { token: lab.token, method, path };
    const answer = await sendCall({ ...call, port, agent, body });
    expect(answerProblems(call, answer), `${method} ${path} → ${answer.status} ${answer.text}`).toEqual([]);
    return answer;
  };

const NOW = "select extract(epoch from clock_timestamp())::double precision * 1000 as now";

/** The moment that the last of these statements reads; they travel together. */
const databaseNow = async (...before: string[]): Promise<number> => {
  const results = [await till.query<{ now: number }>([...before, NOW].join("; "))].flat();
  return results.at(-1)?.rows[0]?.now ?? Number.NaN;
};

/** Writes as another till would. The price becomes visible at some moment between the two that are returned. */
const changePriceDirectly = async (price: number, isAvailable: boolean): Promise<[number, number]> => {
  const tenant = `select set_config('app.restaurant_id', '${lab.id}', true)`;
  const change = `update items set price_minor = ${price}, is_available = ${isAvailable} where id = ${dishId}`;
  const before = await databaseNow("begin", tenant, change);
  return [before, await databaseNow("commit")];
};

const changePriceByApi = async (send: Send, price: number, isAvailable: boolean): Promise<[number, number]> => {
  const before = await databaseNow();
  const { status, text } = await send("PATCH", `/items/${dishId}`, { price_minor: price, is_available: isAvailable });
  expect(status, text).toBe(200);
  return [before, await databaseNow()];
};

let nextPrice = 1;

/** Every price is used once, so a price names its version. Sold out for one flip in three; one in four comes through the API. */
const changePricesUntil = async (send: Send, isOver: () => boolean, first: Version): Promise<Version[]> => {
  const chance = random(SEED);
  const versions = [first];
  const begin = performance.now();
  for (let flip = 1; !isOver(); flip++) {
    const [price, isAvailable] = [nextPrice++, chance(3) > 0];
    const [before, after] = await (chance(4) > 0 ? changePriceDirectly(price, isAvailable) : changePriceByApi(send, price, isAvailable));
    const last = versions.at(-1);
    if (last) last.until = after;
    versions.push({ price, isAvailable, from: before, until: Infinity });
    await sleep(Math.max(0, begin + flip * CHANGE_MS - performance.now()));
  }
  return versions;
};

type OrderAttempt = { sent: number; received: number; status: number; orderId: string | null; text: string };

const orderUntil = async (send: Send, isOver: () => boolean): Promise<OrderAttempt[]> => {
  const attempts: OrderAttempt[] = [];
  const body = { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100", lines: [{ item_id: dishId, quantity: 1 }] };
  while (!isOver()) {
    const sent = Date.now();
    const { status, text, body: answered } = await send("POST", "/orders", body);
    const orderId = status === 201 ? (answered as { data: { id: string } }).data.id : null;
    attempts.push({ sent, received: Date.now() + 1, status, orderId, text });
    await sleep(PAUSE_MS);
  }
  return attempts;
};

type SoldOrder = { id: string; price: number; total: number; from: number; until: number };

/** The window of an order goes from the beginning of its transaction to its answer. */
const readSold = () =>
  app.database.asOwner<Omit<SoldOrder, "until">>(
    `select id, (lines -> 0 ->> 'unit_price_minor')::integer as price, subtotal_minor::integer as total,
       extract(epoch from placed_at)::double precision * 1000 as from
     from orders`,
  );

const meet = (a: { from: number; until: number }, b: { from: number; until: number }): boolean => a.from <= b.until && b.from <= a.until;

const verifyPrices = (versions: Version[], attempts: OrderAttempt[], sold: SoldOrder[]): string[] => {
  const orders = new Map(sold.map((order) => [order.id, order]));
  const byPrice = new Map(versions.map((version) => [version.price, version]));
  return attempts.flatMap(({ status, orderId, sent, received, text }) => {
    if (status === 422 && text.includes('"lines.0.item_id"')) {
      const wasSoldOut = versions.some((version) => !version.isAvailable && meet(version, { from: sent, until: received }));
      return wasSoldOut ? [] : ["refused, though it was not sold out at any moment of the request"];
    }
    const order = orders.get(orderId ?? "");
    if (status !== 201 || !order) return [`${status} ${text}`];
    const version = byPrice.get(order.price);
    if (!version || !meet(version, order)) return [`sold for ${order.price}, which was not current in the order's transaction`];
    if (order.total !== order.price) return [`${order.price} became ${order.total}`];
    return version.isAvailable ? [] : [`sold for ${order.price}, while it was sold out`];
  });
};

type PriceRaceRun = { problems: string[]; figures: string; overtaken: number };

const run = async (send: Send, seconds: number): Promise<PriceRaceRun> => {
  const earlier = new Set((await readSold()).map(({ id }) => id));
  const first: Version = { price: nextPrice++, isAvailable: true, from: -Infinity, until: Infinity };
  await changePriceDirectly(first.price, first.isAvailable);
  const deadline = performance.now() + seconds * 1000;
  const isOver = () => performance.now() > deadline;
  const flipping = changePricesUntil(send, isOver, first);
  const attempts = (await Promise.all(Array.from({ length: CALLERS }, () => orderUntil(send, isOver)))).flat();
  const versions = await flipping;
  const receivedAt = new Map(attempts.map(({ orderId, received }) => [orderId, received]));
  const placed = (await readSold()).filter(({ id }) => !earlier.has(id));
  const sold = placed.map((order) => ({ ...order, until: receivedAt.get(order.id) ?? Infinity }));
  const problems = verifyPrices(versions, attempts, sold);
  if (sold.length !== attempts.filter(({ status }) => status === 201).length) problems.push(`${sold.length} orders are there`);
  const overtaken = sold.filter((order) => versions.filter((version) => meet(version, order)).length > 1);
  const figures =
    `${versions.length - 1} flips (${((versions.length - 1) / seconds).toFixed(0)}/s), ${sold.length} orders at ${new Set(sold.map(({ price }) => price)).size} prices, ` +
    `${overtaken.length} of them with a flip in their window, ${attempts.length - sold.length} refused as sold out, ${problems.length} problems`;
  return { problems, figures, overtaken: overtaken.length };
};

test(`R4.2-10 D84 every order has a price that was current in its own transaction, and none was sold out throughout: ${SECONDS} s`, async () => {
  await fleet.start();
  await fleet.start();
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS + 1 });
  const { problems, figures, overtaken } = await run(sendTo(fleet.port, agent), SECONDS);
  agent.destroy();
  console.log(`TEST_SEED=${SEED}, ${figures}`);
  expect(problems).toEqual([]);
  expect(overtaken).toBeGreaterThan(0);
});

test("planted fault: a price list that is cached for a quarter of a second is found out", async () => {
  await app.database.asOwner("create materialized view menu_cache as select * from items");
  await app.database.asOwner("grant select on menu_cache to comanda_app");
  const cached = faultInjectingPool(({ text, ...rest }) =>
    text.includes("c.station") && text.includes("happy_hours") ? { ...rest, text: text.replaceAll(/\bitems i\b/g, "menu_cache i") } : null,
  );
  const config = readConfig({ DATABASE_URL: app.database.appUrl, LOG_LEVEL: "fatal", SHUTDOWN_GRACE_MS: "0" });
  const deps = await openDeps(config, { pool: cached(config) });
  const faulty = await buildApp(deps);
  await faulty.http.listen({ host: "127.0.0.1", port: 0 });
  const refresh = setInterval(() => void app.database.asOwner("refresh materialized view menu_cache").catch(() => undefined), 250);
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS + 1 });
  const { port } = faulty.http.server.address() as AddressInfo;
  const { problems, figures } = await repeatUntilDetected(
    () => run(sendTo(port, agent), 1),
    (race) => race.problems.some((problem) => problem.includes("not current")),
  );
  clearInterval(refresh);
  agent.destroy();
  await faulty.stop();
  await deps.close();
  console.log(`with a cache: ${figures}`);
  expect(problems.some((problem) => problem.includes("not current"))).toBe(true);
});
