/** POST /orders: the time of an order. The lab is always open; the hours of other venues show only in orders. */
import { beforeAll, describe, expect, test } from "vitest";
import type { CheckedAnswer } from "../answer-check.ts";
import { errorOf, expectInvalid, expectStatus } from "../expectations.ts";
import { activeVenues, lab, neighbour, type Venue } from "../target.ts";
import { DAYS_AHEAD_MAX } from "./counter.ts";
import { orderOf, placeOrder, postOrder, readOrder, shifted } from "./orders.ts";

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

/** A whole minute some seconds from now. */
const ahead = (seconds: number): string => {
  const minute = Math.ceil(Date.now() / 60_000) * 60_000;
  return shifted(new Date(minute).toISOString(), seconds);
};

const at = (venue: Venue, scheduled_for: unknown): Promise<CheckedAnswer> => postOrder(venue, { scheduled_for });

/** Whether the answer says that the venue is closed then; errors about dishes do not count. */
const isClosed = ({ status, ...answer }: CheckedAnswer): boolean =>
  status === 422 && Object.keys(errorOf({ status, ...answer }).details).includes("scheduled_for");

describe("scheduled_for", () => {
  for (const seconds of [HOUR_S, DAY_S, 30 * DAY_S, (DAYS_AHEAD_MAX - 1) * DAY_S])
    test(`R4.2-31 ${seconds / HOUR_S} hours ahead is taken, and the same instant comes back`, async () => {
      const moment = ahead(seconds);
      const order = await placeOrder(lab, { scheduled_for: moment });
      expect(Date.parse(order.scheduled_for ?? "")).toBe(Date.parse(moment));
      expect(order.status).toBe("placed");
      expect(await readOrder(lab, order.id)).toEqual(order);
    });

  test("R4.2-31 RX-28 Z, any offset and fractions name the same instant", async () => {
    const moment = ahead(DAY_S);
    const bare = moment.replace("Z", "");
    const inRome = `${shifted(moment, 2 * HOUR_S).replace("Z", "")}+02:00`;
    const inKathmandu = `${shifted(moment, 5.75 * HOUR_S).replace("Z", "")}+05:45`;
    const inNewfoundland = `${shifted(moment, -3.5 * HOUR_S).replace("Z", "")}-03:30`;
    for (const written of [
      moment,
      `${bare}+00:00`,
      inRome,
      inKathmandu,
      inNewfoundland,
      `${bare}.5Z`,
      `${bare}.000001Z`,
      `${bare}.999+00:00`,
    ])
      expect(Date.parse((await placeOrder(lab, { scheduled_for: written })).scheduled_for ?? ""), written).toBe(Date.parse(moment));
  });

  test("R4.2-31 RX-28 422 without an offset", async () => {
    const bare = ahead(DAY_S).replace("Z", "");
    for (const written of [bare, `${bare}.5`, bare.slice(0, 16), bare.slice(0, 10)]) expectInvalid(await at(lab, written), "scheduled_for");
  });

  test("R4.2-31 RX-25 422 for what is no date-time, or one that no calendar and no clock shows", async () => {
    const year = new Date().getUTCFullYear() + 1;
    const impossible = [`${year}-02-30T12:00:00Z`, `${year}-13-01T12:00:00Z`, `${year}-06-01T24:30:00Z`, `${year}-06-01T12:60:00Z`];
    const unwritten = ["soon", "", "tomorrow 12:00", `${year}-06-01 12:00:00`, `${year}-06-01T12:00:00+2`, `01.06.${year}`];
    for (const wrong of [...impossible, ...unwritten, Date.now() + 86_400_000, true, [], {}])
      expectInvalid(await at(lab, wrong), "scheduled_for");
  });

  test("R4.2-31 R7.1-07 422 for the past", async () => {
    for (const seconds of [-120, -DAY_S, -400 * DAY_S]) expectInvalid(await at(lab, ahead(seconds)), "scheduled_for");
    expectInvalid(await at(lab, "1970-01-01T00:00:00Z"), "scheduled_for");
  });

  test("R4.2-31 R7.1-07 422 for further ahead than the venue takes orders", async () => {
    expectInvalid(await at(lab, ahead((DAYS_AHEAD_MAX + 2) * DAY_S)), "scheduled_for");
    expectInvalid(await at(lab, "9999-12-31T23:59:59Z"), "scheduled_for");
  });

  test("R4.2-31 RX-26 null or absent is for now, where the venue is open", async () => {
    expect((await placeOrder(lab, { scheduled_for: null })).scheduled_for).toBeNull();
    expect((await placeOrder(lab)).scheduled_for).toBeNull();
  });

  test("R4.2-31 R7.1-07 the neighbour is open at some hour and closed at another, for which it takes no order", async () => {
    const answers: CheckedAnswer[] = [];
    const seen = () => new Set(answers.map(isClosed));
    for (let hour = 1; hour <= 7 * 24 && seen().size < 2; hour++) answers.push(await at(neighbour, ahead(hour * HOUR_S)));
    expect(seen()).toEqual(new Set([true, false]));
  });
});

describe("outside opening hours", () => {
  let placed: { venue: Venue; answer: CheckedAnswer }[];

  beforeAll(async () => {
    placed = [];
    for (const venue of activeVenues) placed.push({ venue, answer: await postOrder(venue) });
  });

  test("R4.2-32 an order is taken at any time; what is not for now is for later, within two weeks", () => {
    for (const { answer } of placed) {
      expectStatus(answer, 201);
      const { status, scheduled_for, placed_at } = orderOf(answer);
      expect(status).toBe("placed");
      if (scheduled_for === null) continue;
      const waitS = (Date.parse(scheduled_for) - Date.parse(placed_at)) / 1000;
      expect(waitS).toBeGreaterThan(0);
      expect(waitS).toBeLessThanOrEqual(15 * DAY_S);
    }
  });

  test("R4.2-32 it is held for the next opening: open at that moment, closed the minute before", async () => {
    for (const { venue, answer } of placed) {
      const { scheduled_for } = orderOf(answer);
      if (scheduled_for === null || Date.parse(scheduled_for) < Date.now() + 120_000) continue;
      expect(isClosed(await at(venue, scheduled_for)), `${venue.slug} at ${scheduled_for}`).toBe(false);
      expect(isClosed(await at(venue, shifted(scheduled_for, -60))), `${venue.slug} before ${scheduled_for}`).toBe(true);
    }
  });
});
