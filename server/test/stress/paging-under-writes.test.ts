/** Walks through the list of orders while new ones arrive: what was there at the start is seen once, in order, none twice. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Order } from "@comanda/contract/venue/orders.ts";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Config } from "../../src/config.ts";
import { faultInjectingPool } from "../support/fault-injection.ts";
import { repeatUntilDetected } from "../support/repeat-until-detected.ts";
import { random, SEED } from "../support/seeded-random.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const LISTINGS = Number(process.env.TEST_LISTINGS ?? (process.env.TEST_STRESS ? 1000 : 8));
/** A fresh venue for every few listings, or the lists would grow without end. */
const LISTINGS_PER_VENUE = 10;
const READERS = 2;
const PER_PAGE = 7;
const ORDERS_AT_START = 60;
const INSERT_MS = 20;
/** A listing that takes this many pages more than there are orders will never end. */
const STEPS_SPARE = 60;

let app: TestApp;
let venues = 0;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

type Chance = (limit: number) => number;
type PagingVenue = TestVenue & { dishId: number };

const openVenue = async (): Promise<PagingVenue> => {
  const venue = await app.venue("lab", (file) => {
    file.restaurant.slug = `listings-${venues++}`;
  });
  const { data } = (await app.call(venue.token, "GET", "/items?per_page=100")).body;
  return { ...venue, dishId: data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id };
};

/** The clock stands still for a while, so that several orders share one moment and only their ids distinguish them. */
const place = async (venue: PagingVenue, chance: Chance): Promise<void> => {
  if (chance(8) === 0) app.clock.advance(1 + chance(3000));
  const channel = ["web", "phone", "whatsapp"][chance(3)];
  const body = { type: "pickup", channel, customer_name: "Ada", customer_phone: "1", lines: [{ item_id: venue.dishId, quantity: 1 }] };
  const { status, text } = await app.call(venue.token, "POST", "/orders", { body });
  expect(status, text).toBe(201);
};

/** At their own pace: a slow answer holds up none that comes after. */
const placeUntil = async (venue: PagingVenue, chance: Chance, isOver: () => boolean): Promise<number> => {
  const placed: Promise<void>[] = [];
  for (const begin = performance.now(); !isOver(); ) {
    placed.push(place(venue, chance));
    await sleep(Math.max(0, begin + placed.length * INSERT_MS - performance.now()));
  }
  await Promise.all(placed);
  return placed.length;
};

const FILTERS = ["", "&channel=phone", "&status=placed,accepted", "&type=pickup&channel=web"];

/** What a filter keeps, by the database's own reckoning and in the list's order. */
const readExpected = async ({ id }: PagingVenue, filter: string): Promise<string[]> => {
  const channel = /channel=([^&]+)/.exec(filter)?.[1] ?? null;
  const rows = await app.database.asOwner<{ id: string }>(
    "select id from orders where restaurant_id = $1 and ($2::text is null or channel = $2) order by placed_at desc, id desc",
    [id, channel],
  );
  return rows.map((row) => row.id);
};

type ListedPage = { ids: string[]; next: string | null; prev: string | null };
type Listing = { read(cursor: string | null): Promise<ListedPage>; problems: string[]; steps: number; turns: number; known: Set<string> };

const startListing = (server: TestApp, venue: PagingVenue, filter: string, expected: string[]): Listing => {
  const listing: Listing = {
    problems: [],
    steps: 0,
    turns: 0,
    known: new Set(expected),
    async read(cursor) {
      listing.steps++;
      const at = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const { status, body, text } = await server.call(venue.token, "GET", `/orders?per_page=${PER_PAGE}${filter}${at}`);
      expect(status, text).toBe(200);
      const orders = body.data as Order[];
      if (orders.some((order, index) => order.placed_at > (orders[index - 1]?.placed_at ?? order.placed_at)))
        listing.problems.push("a page is not newest first");
      const page = { ids: orders.map(({ id }) => id), next: body.meta.next_cursor, prev: body.meta.prev_cursor };
      if (listing.steps < STEPS_SPARE + expected.length) return page;
      listing.problems.push("the listing does not end");
      return { ...page, next: null, prev: null };
    },
  };
  return listing;
};

/**
 * Reads from the first page to the last. Now and then it reads a page back, whose rows must be those just passed, and goes forward again.
 */
const readForward = async (listing: Listing, chance: Chance): Promise<{ trail: string[]; last: ListedPage }> => {
  const trail: string[] = [];
  let page = await listing.read(null);
  for (;;) {
    if (page.prev !== null && chance(6) === 0) {
      listing.turns++;
      const back = await listing.read(page.prev);
      const passed = trail.filter((id) => listing.known.has(id));
      const again = back.ids.filter((id) => listing.known.has(id));
      if (again.join() !== passed.slice(passed.length - again.length).join()) listing.problems.push("a page back shows other rows");
      if (back.next === null) listing.problems.push("there is no way forward again");
      else page = await listing.read(back.next);
    }
    trail.push(...page.ids);
    if (page.next === null) return { trail, last: page };
    page = await listing.read(page.next);
  }
};

/** Reads from the last page to the first; returns the rows in the list's order. */
const readBack = async (listing: Listing, last: ListedPage): Promise<string[]> => {
  const trail = [...last.ids];
  for (let page = last; page.prev !== null; ) {
    page = await listing.read(page.prev);
    trail.unshift(...page.ids);
  }
  return trail;
};

const compare = (listing: Listing, trail: string[], expected: string[]): void => {
  const repeats = trail.length - new Set(trail).size;
  const seen = trail.filter((id) => listing.known.has(id));
  const skips = expected.filter((id) => !trail.includes(id)).length;
  if (repeats > 0) listing.problems.push(`${repeats} repeats`);
  if (skips > 0) listing.problems.push(`${skips} skips`);
  if (repeats + skips === 0 && seen.join() !== expected.join()) listing.problems.push("the rows are not newest first");
};

const listOnce = async (server: TestApp, venue: PagingVenue, chance: Chance): Promise<Listing> => {
  const filter = FILTERS[chance(FILTERS.length)] ?? "";
  const expected = await readExpected(venue, filter);
  const listing = startListing(server, venue, filter, expected);
  const { trail, last } = await readForward(listing, chance);
  compare(listing, trail, expected);
  if (chance(4) === 0) compare(listing, await readBack(listing, last), expected);
  return listing;
};

type PagingRun = { listings: Listing[]; problems: string[]; placed: number; seconds: number };

const runListings = async (server: TestApp, count: number): Promise<PagingRun> => {
  const chance = random(SEED);
  const run: PagingRun = { listings: [], problems: [], placed: 0, seconds: 0 };
  while (run.listings.length < count) {
    const venue = await openVenue();
    for (let order = 0; order < ORDERS_AT_START; order++) await place(venue, chance);
    let left = Math.min(LISTINGS_PER_VENUE, count - run.listings.length);
    const begin = performance.now();
    let isOver = false;
    const placing = placeUntil(venue, chance, () => isOver);
    const walker = async (): Promise<void> => {
      while (left-- > 0) run.listings.push(await listOnce(server, venue, chance));
    };
    await Promise.all(Array.from({ length: READERS }, walker));
    isOver = true;
    run.placed += await placing;
    run.seconds += (performance.now() - begin) / 1000;
  }
  run.problems = run.listings.flatMap(({ problems }) => problems);
  return run;
};

const figuresOf = ({ listings, problems, placed, seconds }: PagingRun): string => {
  const sum = (count: (listing: Listing) => number) => listings.reduce((total, listing) => total + count(listing), 0);
  return (
    `${listings.length} listings, ${sum(({ steps }) => steps)} pages, ${sum(({ turns }) => turns)} turns back, ${sum(({ known }) => known.size)} orders expected, ` +
    `${(placed / seconds).toFixed(0)} orders/s arriving, ${problems.length} problems, ${seconds.toFixed(1)} s`
  );
};

test(`D51 ${LISTINGS} listings while orders arrive see each order of the start once, newest first`, { timeout: 900_000 }, async () => {
  const run = await runListings(app, LISTINGS);
  console.log(`TEST_SEED=${SEED}, ${figuresOf(run)}`);
  expect(run.problems).toEqual([]);
});

/** Reads of one statement are query objects, whose text is still open to change when they are sent. */
const withKeyset =
  (replacement: string) =>
  (config: Config): pg.Pool => {
    const pool = faultInjectingPool(() => null)(config);
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
  ["without the id skips", "placed_at $1 $2 and $3 is not null", /skips/],
  ["that takes in its own moment repeats", "placed_at $1= $2 and $3 is not null", /repeats/],
])("planted fault: a position %s, and the listings say so", async (name, replacement, proof) => {
  const faulty = await startApp({ database: app.database, pool: withKeyset(replacement) });
  const run = await repeatUntilDetected(
    () => runListings(faulty, 2),
    ({ problems }) => problems.some((problem) => proof.test(problem)),
  );
  await faulty.close();
  console.log(`a position ${name}: ${figuresOf(run)}`);
  expect(run.problems.some((problem) => proof.test(problem))).toBe(true);
});
