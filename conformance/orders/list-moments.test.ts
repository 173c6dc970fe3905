/** GET /orders: filters on when an order was placed or changed. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Order } from "@comanda/contract/venue/orders.ts";
import { beforeAll, describe, expect, test } from "vitest";
import type { Query } from "../client.ts";
import { call } from "../client.ts";
import { expectInvalid } from "../expectations.ts";
import { activeVenues, lab, type Venue } from "../target.ts";
import { allOrders, idsOf, listOrders, moveOrder, orderPageOf, placeOrder, shifted } from "./orders.ts";

/** The channel keeps the lists short: few tests place orders on it. */
const channel = "whatsapp";

const selects = async (venue: Venue, { id }: Order, query: Query): Promise<boolean> =>
  idsOf(await allOrders(venue, { channel, ...query })).includes(id);

/** A moment is printed on the restaurant's clock, so its first ten characters are the day there. */
const dayOf = (moment: string, shift = 0): string =>
  new Date(Date.parse(`${moment.slice(0, 10)}T00:00:00Z`) + shift * 86_400_000).toISOString().slice(0, 10);

describe("placed_from and placed_to", () => {
  for (const venue of activeVenues)
    test(`R4.2-05 ${venue.slug}: a date is that whole day on the restaurant's clock, at both ends`, async () => {
      const order = await placeOrder(venue, { channel });
      const [yesterday, today, tomorrow] = [-1, 0, 1].map((shift) => dayOf(order.placed_at, shift)) as [string, string, string];
      expect(await selects(venue, order, { placed_from: today, placed_to: today })).toBe(true);
      expect(await selects(venue, order, { placed_from: today })).toBe(true);
      expect(await selects(venue, order, { placed_to: today })).toBe(true);
      expect(await selects(venue, order, { placed_from: yesterday, placed_to: tomorrow })).toBe(true);
      expect(await selects(venue, order, { placed_from: tomorrow })).toBe(false);
      expect(await selects(venue, order, { placed_to: yesterday })).toBe(false);
    });

  test("R4.2-05 a date-time is that second, at both ends", async () => {
    const order = await placeOrder(lab, { channel });
    const [before, moment, after] = [-1, 0, 1].map((seconds) => shifted(order.placed_at, seconds)) as [string, string, string];
    expect(await selects(lab, order, { placed_from: moment, placed_to: moment })).toBe(true);
    expect(await selects(lab, order, { placed_from: order.placed_at, placed_to: order.placed_at })).toBe(true);
    expect(await selects(lab, order, { placed_from: before, placed_to: after })).toBe(true);
    expect(await selects(lab, order, { placed_from: after })).toBe(false);
    expect(await selects(lab, order, { placed_to: before })).toBe(false);
  });

  test("R4.2-05 a date and a date-time may stand at the two ends", async () => {
    const order = await placeOrder(lab, { channel });
    expect(await selects(lab, order, { placed_from: dayOf(order.placed_at), placed_to: order.placed_at })).toBe(true);
    expect(await selects(lab, order, { placed_from: order.placed_at, placed_to: dayOf(order.placed_at, 1) })).toBe(true);
  });

  test("R4.2-05 RX-28 Z, any offset, a fraction, and a plus that was sent as a space name the same second", async () => {
    const order = await placeOrder(lab, { channel });
    const moment = shifted(order.placed_at, 0);
    const bare = moment.replace("Z", "");
    const inRome = `${shifted(moment, 2 * 3600).replace("Z", "")}+02:00`;
    const written = [
      moment,
      `${bare}.75Z`,
      `${bare}%2B00:00`,
      `${bare}+00:00`,
      inRome,
      inRome.replace("+", "%20"),
      encodeURIComponent(inRome),
    ];
    for (const name of ["placed_from", "placed_to"])
      for (const text of written) {
        const other = name === "placed_from" ? "placed_to" : "placed_from";
        const answer = await call(lab.tokens.full, "GET", "/orders", {
          query: `${name}=${text}&${other}=${moment}&channel=${channel}&per_page=100`,
        });
        expect(answer.status, `${name}=${text}: ${answer.text.slice(0, 300)}`).toBe(200);
        const { data } = orderPageOf(answer);
        expect(idsOf(data), `${name}=${text}`).toContain(order.id);
        for (const { placed_at } of data) expect(placed_at).toBe(order.placed_at);
      }
  });

  test("R4.2-06 R7.1-07 422 placed_to where the range is turned round, with dates, date-times or both", async () => {
    const { placed_at } = await placeOrder(lab);
    const ranges: [string, string][] = [
      ["2026-02-02", "2026-02-01"],
      [placed_at, shifted(placed_at, -1)],
      [placed_at, dayOf(placed_at, -1)],
      [dayOf(placed_at, 1), placed_at],
    ];
    for (const [placed_from, placed_to] of ranges)
      expectInvalid(await call(lab.tokens.full, "GET", "/orders", { query: { placed_from, placed_to } }), "placed_to");
    expect((await listOrders(lab, { placed_from: placed_at, placed_to: placed_at })).data.length).toBeGreaterThan(0);
  });

  test("R4.2-05 the ends of the calendar are dates like any other", async () => {
    for (const day of ["0001-01-01", "1970-01-01", "9999-12-31"])
      for (const name of ["placed_from", "placed_to", "updated_since"])
        for (const text of [day, `${day}T23:59:59Z`]) expect((await listOrders(lab, { [name]: text, per_page: 1 })).meta.per_page).toBe(1);
    expect((await listOrders(lab, { placed_from: "9999-12-31" })).data).toEqual([]);
    expect((await listOrders(lab, { placed_to: "0001-01-01" })).data).toEqual([]);
  });
});

const NO_MOMENTS = [
  "foo",
  "2026-02-30",
  "2026-13-01",
  "2026-1-1",
  "14.11.2026",
  "20261114",
  "2026-11-14T12:00:00",
  "2026-11-14 12:00:00",
  "2026-11-14T12:00Z",
  "2026-11-14T24:30:00Z",
  "2026-11-14T12:00:00+25:00",
  "1794650700",
  "now",
  "2026-11-14,2026-11-15",
];

for (const [id, name] of [
  ["R4.2-05", "placed_from"],
  ["R4.2-05", "placed_to"],
  ["R4.2-07", "updated_since"],
] as const)
  for (const text of NO_MOMENTS)
    test(`${id} RX-28 422 ${name} for ${text}`, async () => {
      expectInvalid(await call(lab.tokens.full, "GET", "/orders", { query: { [name]: text } }), name);
    });

describe("updated_since", () => {
  let older: Order;
  let newer: Order;

  beforeAll(async () => {
    older = await placeOrder(lab, { channel });
    await sleep(1100);
    newer = await placeOrder(lab, { channel });
  });

  test("R4.2-07 selects what was changed at that second or later, an older order that moved included", async () => {
    const since = newer.updated_at;
    expect(await selects(lab, newer, { updated_since: since })).toBe(true);
    expect(await selects(lab, older, { updated_since: since })).toBe(false);
    expect(await selects(lab, older, { updated_since: older.updated_at })).toBe(true);
    const moved = await moveOrder(lab, older.id, "accepted");
    const rows = await allOrders(lab, { channel, updated_since: since });
    expect(rows.find(({ id }) => id === older.id)).toEqual(moved);
    for (const { updated_at } of rows) expect(Date.parse(updated_at)).toBeGreaterThanOrEqual(Date.parse(since));
    expect(await selects(lab, older, { updated_since: moved.updated_at })).toBe(true);
    expect(await selects(lab, older, { updated_since: shifted(moved.updated_at, 1) })).toBe(false);
  });

  test("R4.2-07 may be a date: from the start of that day on the restaurant's clock", async () => {
    for (const venue of activeVenues) {
      const order = await placeOrder(venue, { channel });
      expect(await selects(venue, order, { updated_since: dayOf(order.updated_at) })).toBe(true);
      expect(await selects(venue, order, { updated_since: dayOf(order.updated_at, 1) })).toBe(false);
    }
  });

  test("R4.2-07 an order that was only placed counts as changed then", async () => {
    const order = await placeOrder(lab, { channel });
    expect(order.updated_at).toBe(order.placed_at);
    expect(await selects(lab, order, { updated_since: order.placed_at })).toBe(true);
  });

  test("R4.2-07 a client that asks again from the last updated_at it saw misses nothing", async () => {
    const mine = new Set<string>();
    const seen = new Set<string>();
    let since = (await placeOrder(lab, { channel })).updated_at;
    for (let turn = 0; turn < 6; turn++) {
      const placed = await Promise.all(Array.from({ length: 4 }, () => placeOrder(lab, { channel })));
      for (const { id } of placed) mine.add(id);
      for (const { id, updated_at } of await allOrders(lab, { channel, updated_since: since })) {
        seen.add(id);
        if (Date.parse(updated_at) > Date.parse(since)) since = updated_at;
      }
    }
    expect([...mine].filter((id) => !seen.has(id))).toEqual([]);
  });
});
