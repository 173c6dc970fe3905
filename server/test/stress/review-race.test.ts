/**
 * Guests who tap twice, over two processes: of all posts of one link one is stored, whatever they say, and it has one event. An erasure may
 * run at the same time. No link stands in the logs of the processes.
 */
import { Agent, request as requestHttp } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repeatOnContention } from "../../src/db/repeat-on-contention.ts";
import { eraseGuest } from "../../src/venue/guest-records/erasure/service.ts";
import { placeLabOrder } from "../support/console-bodies.ts";
import { faultInjectingPool } from "../support/fault-injection.ts";
import { createFleet, type Fleet, type ServerProcess } from "../support/processes.ts";
import { repeatUntilDetected } from "../support/repeat-until-detected.ts";
import { newEncryptionKeys, postReview, sentLink, switchReviewsOn } from "../support/review-links.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const POSTS = Number(process.env.TEST_ROUNDS ?? (process.env.TEST_STRESS ? 10_000 : 40));
const POSTS_A_LINK = 8;
const LINKS_A_ROUND = 5;
const ENCRYPTION_KEYS = newEncryptionKeys();

let app: TestApp;
let lab: TestVenue;
let fleet: Fleet;
const processes: ServerProcess[] = [];
const agent = new Agent({ keepAlive: true, maxSockets: 24 });

beforeAll(async () => {
  app = await startApp({ environment: { ENCRYPTION_KEYS } });
  app.clock.set(new Date().toISOString());
  lab = await app.venue("lab");
  await switchReviewsOn(app, lab);
  const settings = { ENCRYPTION_KEYS, TRUSTED_PROXIES: "127.0.0.1", PAGE_RATE_PER_MINUTE: "1000000" };
  fleet = await createFleet(app.database.appUrl, settings);
  for (let server = 0; server < 2; server++) processes.push(await fleet.start());
}, 180_000);
afterAll(async () => {
  agent.destroy();
  await fleet.close();
  await app.close();
});

type PostForm = (path: string, form: Record<string, string>) => Promise<number>;

let posted = 0;
/** Each post comes from another address, as the proxy in front says. */
const overFleet: PostForm = (path, form) =>
  new Promise((resolve, reject) => {
    const number = posted++;
    const payload = new URLSearchParams(form).toString();
    const headers = {
      "content-type": "application/x-www-form-urlencoded",
      "content-length": String(Buffer.byteLength(payload)),
      "x-forwarded-for": `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
    };
    const sent = requestHttp({ host: "127.0.0.1", port: fleet.port, agent, method: "POST", path, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode ?? 0));
    });
    sent.on("error", reject);
    sent.end(payload);
  });

type RatedLink = { order: string; path: string };

const newLink = async (): Promise<RatedLink> => {
  const order = await placeLabOrder(app, lab, { customer_phone: `+1 555 7${String(Math.floor(Math.random() * 1e6)).padStart(6, "0")}` });
  return { order, path: await sentLink(app, lab, { order }) };
};

/** The posts of one link, all different, at once. */
const postAll = (post: PostForm, { path }: RatedLink): Promise<number[]> =>
  Promise.all(Array.from({ length: POSTS_A_LINK }, (_, turn) => post(path, { rating: String((turn % 5) + 1), comment: `post ${turn}` })));

const guestOf = async (order: string): Promise<number> =>
  Number((await app.database.asOwner<{ guest_id: string }>("select guest_id from orders where id = $1", [order]))[0]?.guest_id);

/** Orders with another number of reviews or of events than one, and reviews of an erased guest with a text. */
const faults = (orders: readonly string[]): Promise<{ order_id: string; reviews: number; events: number }[]> =>
  app.database.asOwner(
    `select o.id as order_id, r.reviews, e.events, r.texts
     from orders o
     cross join lateral (select count(*)::integer as reviews, count(*) filter (where o.customer_name is null and (comment is not null or guest_name is not null))::integer as texts
       from reviews where order_id = o.id) r
     cross join lateral (select count(*)::integer as events from events
       where type = 'review.created' and body::jsonb #>> '{data,review,order_id}' = o.id::text) e
     where o.id = any($1::uuid[]) and (r.reviews > 1 or e.events <> r.reviews or r.texts > 0 or (r.reviews = 0 and o.customer_name is not null))`,
    [orders],
  );

test(`${POSTS} posts, ${POSTS_A_LINK} for each link at once over two processes: one review, one event; an erased guest leaves no text`, {
  timeout: POSTS * 100 + 120_000,
}, async () => {
  const statuses = new Map<number, number>();
  const signatures: string[] = [];
  let stored = 0;
  for (let sent = 0; sent < POSTS; sent += POSTS_A_LINK * LINKS_A_ROUND) {
    const links = await Promise.all(Array.from({ length: LINKS_A_ROUND }, newLink));
    signatures.push(...links.map(({ path }) => path.split(".")[1] ?? ""));
    const erased = links[0] ? await guestOf(links[0].order) : 0;
    const [answers] = await Promise.all([
      Promise.all(links.map((link) => postAll(overFleet, link))),
      repeatOnContention(() => forVenue(app.deps, lab.slug, (ctx) => eraseGuest(ctx, erased))),
    ]);
    for (const [turn, ofLink] of answers.entries()) {
      const winners = ofLink.filter((status) => status === 303).length;
      stored += winners;
      if (turn === 0) expect(winners).toBeLessThanOrEqual(1);
      else expect(winners, String(ofLink)).toBe(1);
      for (const status of ofLink) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(await faults(links.map(({ order }) => order))).toEqual([]);
  }
  // A busy machine answers 503 to some, who would try again.
  expect([...statuses.keys()].filter((status) => ![303, 409, 410, 503].includes(status))).toEqual([]);
  const [counted] = await app.database.asOwner<{ deadlocks: string; reviews: number; events: number }>(
    `select (select deadlocks from pg_stat_database where datname = current_database()) as deadlocks,
       (select count(*)::integer from reviews) as reviews, (select count(*)::integer from events where type = 'review.created') as events`,
  );
  expect(counted).toMatchObject({ reviews: stored, events: stored });
  expect(Number(counted?.deadlocks)).toBe(0);
  const logs = processes.map((server) => server.output()).join("\n");
  expect(logs).toContain("/r/:token");
  expect(signatures.filter((signature) => logs.includes(signature))).toEqual([]);
  console.log(`reviews: ${posted} posts, ${stored} stored, answers ${JSON.stringify([...statuses].sort(([a], [b]) => a - b))}`);
});

test("planted: without the lock of the request and the unique key of orders, the same check finds a second review", async () => {
  await app.database.asOwner("drop index app.reviews_order");
  const careless = faultInjectingPool(({ text, ...rest }) =>
    / from review_requests .*for update$/s.test(text) ? { ...rest, text: text.replace(/ for update$/, "") } : null,
  );
  const faulty = await startApp({ database: app.database, pool: careless, environment: { ENCRYPTION_KEYS, TRUSTED_PROXIES: "127.0.0.1" } });
  faulty.clock.set(new Date().toISOString());
  const inProcess: PostForm = async (path, form) =>
    (await postReview(faulty, path, form, { "x-forwarded-for": `10.99.${(posted >> 8) & 255}.${posted++ & 255}` })).statusCode;
  const found = await repeatUntilDetected(
    async () => {
      const link = await newLink();
      await postAll(inProcess, link);
      return faults([link.order]);
    },
    (wrong) => wrong.length > 0,
  );
  await faulty.close();
  expect(found[0]?.reviews).toBeGreaterThan(1);
});
