/** Walks through the list of orders while new ones arrive: what was there at the start is seen once, in order, none twice. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Order } from "@comanda/contract/orders.ts";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Config } from "../src/config.ts";
import { startApp, type TestApp, type TestVenue } from "./app.ts";
import { plantedPool } from "./planted-pool.ts";
import { random, SEED } from "./seed.ts";
import { untilGuilty } from "./until-guilty.ts";

const WALKS = Number(process.env.WALKS ?? (process.env.LONG ? 1000 : 50));
/** A fresh venue for every few walks, or the lists would grow without end. */
const WALKS_PER_VENUE = 10;
const WALKERS = 2;
const PER_PAGE = 7;
const ORDERS_AT_START = 60;
const INSERT_MS = 20;
/** A walk that takes this many pages more than there are orders will never end. */
const STEPS_SPARE = 60;

let app: TestApp;
let venues = 0;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

type Chance = (limit: number) => number;
type Room = TestVenue & { dishId: number };

const openRoom = async (): Promise<Room> => {
  const venue = await app.venue("lab", (file) => {
    file.restaurant.slug = `walks-${venues++}`;
  });
  const { data } = (await app.call(venue.token, "GET", "/items?per_page=100")).body;
  return { ...venue, dishId: data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id };
};

/** The clock stands still for a while, so that several orders share one moment and only their ids tell them apart. */
const place = async (room: Room, chance: Chance): Promise<void> => {
  if (chance(8) === 0) app.clock.advance(1 + chance(3000));
  const channel = ["web", "phone", "whatsapp"][chance(3)];
  const body = { type: "pickup", channel, customer_name: "Ada", customer_phone: "1", lines: [{ item_id: room.dishId, quantity: 1 }] };
  const { status, text } = await app.call(room.token, "POST", "/orders", { body });
  expect(status, text).toBe(201);
};

/** At their own pace: a slow answer holds up none that comes after. */
const placeUntil = async (room: Room, chance: Chance, isOver: () => boolean): Promise<number> => {
  const placed: Promise<void>[] = [];
  for (const begin = performance.now(); !isOver(); ) {
    placed.push(place(room, chance));
    await sleep(Math.max(0, begin + placed.length * INSERT_MS - performance.now()));
  }
  await Promise.all(placed);
  return placed.length;
};

const FILTERS = ["", "&channel=phone", "&status=placed,accepted", "&type=pickup&channel=web"];

/** What a filter keeps, by the database's own reckoning and in the list's order. */
const readExpected = async ({ id }: Room, filter: string): Promise<string[]> => {
  const channel = /channel=([^&]+)/.exec(filter)?.[1] ?? null;
  const rows = await app.database.asOwner<{ id: string }>(
    "select id from orders where restaurant_id = $1 and ($2::text is null or channel = $2) order by placed_at desc, id desc",
    [id, channel],
  );
  return rows.map((row) => row.id);
};

type Page = { ids: string[]; next: string | null; prev: string | null };
type Walk = { read(cursor: string | null): Promise<Page>; problems: string[]; steps: number; turns: number; known: Set<string> };

const startWalk = (server: TestApp, room: Room, filter: string, expected: string[]): Walk => {
  const walk: Walk = {
    problems: [],
    steps: 0,
    turns: 0,
    known: new Set(expected),
    async read(cursor) {
      walk.steps++;
      const at = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const { status, body, text } = await server.call(room.token, "GET", `/orders?per_page=${PER_PAGE}${filter}${at}`);
      expect(status, text).toBe(200);
      const orders = body.data as Order[];
      if (orders.some((order, index) => order.placed_at > (orders[index - 1]?.placed_at ?? order.placed_at)))
        walk.problems.push("a page is not newest first");
      const page = { ids: orders.map(({ id }) => id), next: body.meta.next_cursor, prev: body.meta.prev_cursor };
      if (walk.steps < STEPS_SPARE + expected.length) return page;
      walk.problems.push("the walk does not end");
      return { ...page, next: null, prev: null };
    },
  };
  return walk;
};

/** From the first page to the last. Now and then a page back, whose rows must be those just passed, and forward again. */
const walkForward = async (walk: Walk, chance: Chance): Promise<{ trail: string[]; last: Page }> => {
  const trail: string[] = [];
  let page = await walk.read(null);
  for (;;) {
    if (page.prev !== null && chance(6) === 0) {
      walk.turns++;
      const back = await walk.read(page.prev);
      const passed = trail.filter((id) => walk.known.has(id));
      const again = back.ids.filter((id) => walk.known.has(id));
      if (again.join() !== passed.slice(passed.length - again.length).join()) walk.problems.push("a page back shows other rows");
      if (back.next === null) walk.problems.push("there is no way forward again");
      else page = await walk.read(back.next);
    }
    trail.push(...page.ids);
    if (page.next === null) return { trail, last: page };
    page = await walk.read(page.next);
  }
};

/** From the last page to the first; gives the rows in the list's order. */
const walkBack = async (walk: Walk, last: Page): Promise<string[]> => {
  const trail = [...last.ids];
  for (let page = last; page.prev !== null; ) {
    page = await walk.read(page.prev);
    trail.unshift(...page.ids);
  }
  return trail;
};

const compare = (walk: Walk, trail: string[], expected: string[]): void => {
  const repeats = trail.length - new Set(trail).size;
  const seen = trail.filter((id) => walk.known.has(id));
  const skips = expected.filter((id) => !trail.includes(id)).length;
  if (repeats > 0) walk.problems.push(`${repeats} repeats`);
  if (skips > 0) walk.problems.push(`${skips} skips`);
  if (repeats + skips === 0 && seen.join() !== expected.join()) walk.problems.push("the rows are not newest first");
};

const walkOnce = async (server: TestApp, room: Room, chance: Chance): Promise<Walk> => {
  const filter = FILTERS[chance(FILTERS.length)] ?? "";
  const expected = await readExpected(room, filter);
  const walk = startWalk(server, room, filter, expected);
  const { trail, last } = await walkForward(walk, chance);
  compare(walk, trail, expected);
  if (chance(4) === 0) compare(walk, await walkBack(walk, last), expected);
  return walk;
};

type Run = { walks: Walk[]; problems: string[]; placed: number; seconds: number };

const runWalks = async (server: TestApp, count: number): Promise<Run> => {
  const chance = random(SEED);
  const run: Run = { walks: [], problems: [], placed: 0, seconds: 0 };
  while (run.walks.length < count) {
    const room = await openRoom();
    for (let order = 0; order < ORDERS_AT_START; order++) await place(room, chance);
    let left = Math.min(WALKS_PER_VENUE, count - run.walks.length);
    const begin = performance.now();
    let isOver = false;
    const placing = placeUntil(room, chance, () => isOver);
    const walker = async (): Promise<void> => {
      while (left-- > 0) run.walks.push(await walkOnce(server, room, chance));
    };
    await Promise.all(Array.from({ length: WALKERS }, walker));
    isOver = true;
    run.placed += await placing;
    run.seconds += (performance.now() - begin) / 1000;
  }
  run.problems = run.walks.flatMap(({ problems }) => problems);
  return run;
};

const figuresOf = ({ walks, problems, placed, seconds }: Run): string => {
  const sum = (count: (walk: Walk) => number) => walks.reduce((total, walk) => total + count(walk), 0);
  return (
    `${walks.length} walks, ${sum(({ steps }) => steps)} pages, ${sum(({ turns }) => turns)} turns back, ${sum(({ known }) => known.size)} orders expected, ` +
    `${(placed / seconds).toFixed(0)} orders/s arriving, ${problems.length} problems, ${seconds.toFixed(1)} s`
  );
};

test(`T9.1 D51 ${WALKS} walks while orders arrive see each order of the start once, newest first`, { timeout: 900_000 }, async () => {
  const run = await runWalks(app, WALKS);
  console.log(`T9.1: SEED=${SEED}, ${figuresOf(run)}`);
  expect(run.problems).toEqual([]);
});

/** Reads of one statement are query objects, whose text is still open to change when they are sent. */
const withKeyset =
  (replacement: string) =>
  (config: Config): pg.Pool => {
    const pool = plantedPool(() => null)(config);
    pool.on("connect", (client) => {
      const send = client.query.bind(client) as (...parameters: unknown[]) => unknown;
      client.query = ((first: unknown, ...rest: unknown[]) => {
        if (first instanceof pg.Query) {
          const query = first as unknown as { text: string };
          query.text = query.text.replace(/\(placed_at, id\) ([<>]) \((\$\d+), (\$\d+::uuid)\)/, replacement);
        }
        return send(first, ...rest);
      }) as typeof client.query;
    });
    return pool;
  };

test.each([
  ["that forgets the id skips", "placed_at $1 $2 and $3 is not null", /skips/],
  ["that takes in its own moment repeats", "placed_at $1= $2 and $3 is not null", /repeats/],
])("T9.1 planted fault: a position %s, and the walks say so", async (name, replacement, proof) => {
  const faulty = await startApp({ database: app.database, pool: withKeyset(replacement) });
  const run = await untilGuilty(
    () => runWalks(faulty, 2),
    ({ problems }) => problems.some((problem) => proof.test(problem)),
  );
  await faulty.close();
  console.log(`T9.1 a position ${name}: ${figuresOf(run)}`);
  expect(run.problems.some((problem) => proof.test(problem))).toBe(true);
});
