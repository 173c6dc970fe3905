/** Positions of the event feed reveal nothing but their venue, and one that this database did not give out is refused. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FeedKey, type FeedPosition, readFeedPosition, writeFeedPosition } from "#lib/feed-position.ts";
import { askFeed, listenFor, openFeedStream } from "../support/event-feed.ts";
import { plainDish } from "../support/operation-calls.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

let app: TestApp;
let lab: TestVenue;
let url: string;
let itemId: number;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  url = await listenFor(app.app);
  itemId = await plainDish(app.database, lab.id);
  // A number so long that no other text has it by chance.
  await app.database.asOwner(
    "insert into change_counters (restaurant_id, number) values ($1, 412345678) on conflict (restaurant_id) do update set number = excluded.number",
    [lab.id],
  );
});
afterAll(() => app.close());

const latest = async (token = lab.token): Promise<string> => (await askFeed(url, token, { after: "latest" })).body.meta.cursor;

const place = async (): Promise<void> => {
  const body = { type: "pickup", customer_name: "Ada", customer_phone: "+39 06 1", lines: [{ item_id: itemId, quantity: 1 }] };
  expect((await app.call(lab.token, "POST", "/orders", { body })).status).toBe(201);
};

const feedKey = (): FeedKey => ({ key: app.deps.cursorKey, tenantId: lab.id });
const positionOf = (cursor: string): FeedPosition => readFeedPosition(feedKey(), cursor) as FeedPosition;

test("410 for a position that this database did not give out: of another cell, of the earlier form, or changed", async () => {
  const cursor = await latest();
  const { epoch, number, position, at } = positionOf(cursor);
  const others = [
    writeFeedPosition({ ...feedKey(), key: Buffer.alloc(32, 1) }, positionOf(cursor)),
    `${lab.id}.${epoch}.${number}.${position}.${at.getTime()}`,
    `${cursor.slice(0, -1)}${cursor.endsWith("A") ? "B" : "A"}`,
  ];
  for (const after of others) {
    const { status, body } = await askFeed(url, lab.token, { after });
    expect([status, body.error.code]).toEqual([410, "cursor_expired"]);
    expect((await askFeed(url, lab.token, { after: (body.error.details as { latest: string }).latest })).status).toBe(200);
  }
});

describe("what a position tells", () => {
  /**
   * Two positions of a token that reads no event of the venue, with changes between them; and every number that could reveal their count.
   */
  const between = async (changes: number, write = (cursor: string): string => cursor): Promise<{ texts: string[]; numbers: string[] }> => {
    const token = await app.token(lab.slug, { scopes: ["menu:write"] });
    const before = await latest(token);
    for (let turn = 0; turn < changes; turn++) await place();
    const cursors = [before, await latest(token)];
    return { texts: cursors.map(write), numbers: cursors.map((cursor) => String(positionOf(cursor).number)) };
  };

  /** The numbers, and what could count: digits, the bytes of a text in the usual codes. */
  const isTold = ({ texts, numbers }: Awaited<ReturnType<typeof between>>): boolean =>
    texts.some((text, index) => {
      const rest = text.slice(text.indexOf(".") + 1);
      const number = numbers[index] ?? "";
      return rest.split(/\D+/).includes(number) || Buffer.from(rest, "base64url").toString("latin1").includes(number);
    });

  test("nothing of how much the venue does: positions are equally long and have no common start", async () => {
    const told = await between(3);
    expect(told.numbers[0]).not.toBe(told.numbers[1]);
    expect(isTold(told)).toBe(false);
    const rests = told.texts.map((text) => text.split(".")[1] ?? "");
    expect(new Set(rests.map(({ length }) => length))).toEqual(new Set([64]));
    expect(rests[0]?.slice(0, 6)).not.toBe(rests[1]?.slice(0, 6));
  });

  test("the same event has the same position in every answer", async () => {
    const after = await latest();
    await place();
    const [first, second] = [await askFeed(url, lab.token, { after, limit: 1 }), await askFeed(url, lab.token, { after, limit: 100 })];
    expect(first.body.meta.cursors[0]).toBe(second.body.meta.cursors[0]);
  });

  test("a stream of a token that reads no event does not stir when the venue works", async () => {
    const token = await app.token(lab.slug, { scopes: ["menu:write"] });
    const [blind, seeing] = [
      await openFeedStream(url, token, { after: "latest" }),
      await openFeedStream(url, lab.token, { after: "latest" }),
    ];
    await expect.poll(() => [blind, seeing].every((stream) => stream.text().includes("id: "))).toBe(true);
    const begun = blind.text();
    for (let turn = 0; turn < 3; turn++) {
      await place();
      await expect.poll(() => seeing.events().length, { timeout: 10_000 }).toBeGreaterThan(turn);
    }
    // The next sign of life comes after ten seconds.
    expect(blind.text().replaceAll(": waiting\n\n", "")).toBe(begun);
    for (const stream of [blind, seeing]) stream.close();
  });

  test("planted: positions with their numbers in them, as text or as bytes, are found", async () => {
    const plain = (cursor: string): string => {
      const { epoch, number, position, at } = positionOf(cursor);
      return `${lab.id}.${epoch}.${number}.${position}.${at.getTime()}`;
    };
    expect(isTold(await between(1, plain))).toBe(true);
    const coded = (cursor: string): string => `${lab.id}.${Buffer.from(String(positionOf(cursor).number)).toString("base64url")}`;
    expect(isTold(await between(1, coded))).toBe(true);
  });
});
