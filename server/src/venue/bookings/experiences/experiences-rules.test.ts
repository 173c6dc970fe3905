import { expect, test } from "vitest";
import { random, SEED } from "../../../../test/support/seeded-random.ts";
import {
  additionErrors,
  arrivalErrors,
  capacityErrors,
  checkExperiences,
  closedBecause,
  firstStateOf,
  hasRunOut,
  holdEnd,
  holdErrors,
  momentsOf,
  planErrors,
  removalErrors,
  seatsLeft,
} from "./rules.ts";

const ROME = "Europe/Rome";
const NOW = new Date("2026-11-14T12:00:00Z");
const at = { zone: ROME, now: NOW };

const session = (changes: object = {}) => ({
  starts_at: new Date("2026-11-20T18:30:00Z"),
  capacity: 10,
  sold: 4,
  held: 3,
  cancelled_at: null,
  is_active: true,
  ...changes,
});

test("tickets are held for five minutes, and the last moment counts as run out", () => {
  const hold_ends_at = holdEnd(NOW);
  expect(hold_ends_at.toISOString()).toBe("2026-11-14T12:05:00.000Z");
  const runOutAt = (moment: Date) => hasRunOut({ state: "held", hold_ends_at }, moment);
  expect([runOutAt(new Date(hold_ends_at.getTime() - 1)), runOutAt(hold_ends_at)]).toEqual([false, true]);
  expect(hasRunOut({ state: "expired", hold_ends_at }, NOW)).toBe(true);
  for (const state of ["paid", "cancelled"] as const) expect(hasRunOut({ state, hold_ends_at }, new Date("2030-01-01"))).toBe(false);
});

test("as many tickets are held as seats are left, whatever is sold and held", () => {
  const draw = random(SEED);
  for (let turn = 0; turn < 2000; turn++) {
    const capacity = 1 + draw(50);
    const sold = draw(capacity + 1);
    const held = draw(capacity - sold + 1);
    const tickets = 1 + draw(50);
    const state = session({ capacity, sold, held });
    expect(holdErrors(state, tickets, at) === null, `seed ${SEED}`).toBe(sold + held + tickets <= capacity);
    expect(seatsLeft(state)).toBe(capacity - sold - held);
    const wanted = 1 + draw(50);
    expect(capacityErrors(wanted, state) === null, `seed ${SEED}`).toBe(wanted >= sold + held);
  }
  expect(holdErrors(session({ capacity: 7 }), 1, at)).toEqual({ tickets: ["No ticket is left."] });
  expect(holdErrors(session(), 4, at)).toEqual({ tickets: ["The session has 3 tickets left."] });
  expect(holdErrors(session({ capacity: 8 }), 2, at)).toEqual({ tickets: ["The session has 1 ticket left."] });
  expect(capacityErrors(6, session())).toEqual({ capacity: ["The session has 7 tickets sold or held, and needs as many seats."] });
  expect([arrivalErrors(2, { tickets: 2 }), arrivalErrors(2, { tickets: 1 })]).toEqual([null, { arrived: ["The party has 1 ticket."] }]);
});

test("no tickets are sold for a session that is cancelled, over or switched off; guests who come late are sold one", () => {
  expect(closedBecause(session(), at)).toBeNull();
  expect(closedBecause(session({ cancelled_at: NOW, is_active: false }), at)).toBe("cancelled");
  expect(closedBecause(session({ is_active: false }), at)).toBe("inactive");
  const lateOn = (moment: string) => closedBecause(session(), { zone: ROME, now: new Date(moment) });
  expect([lateOn("2026-11-20T22:00:00Z"), lateOn("2026-11-21T03:59:59Z"), lateOn("2026-11-21T04:00:00Z")]).toEqual([null, null, "over"]);
  expect(holdErrors(session({ cancelled_at: NOW }), 1, at)).toEqual({ session: ["The session is cancelled."] });
});

test("week by week at the same time on the venue's clock, also over a change of the clocks", () => {
  const moments = momentsOf({ date: "2026-10-22", time: "19:30", weeks: 3 }, ROME).map((moment) => moment.toISOString());
  expect(moments).toEqual(["2026-10-22T17:30:00.000Z", "2026-10-29T18:30:00.000Z", "2026-11-05T18:30:00.000Z"]);
  expect(momentsOf({ date: "2026-02-30", time: "19:30", weeks: 1 }, ROME)).toEqual([]);
});

test("tickets of a price are held first, free ones are sold at once", () => {
  expect([firstStateOf(1), firstStateOf(0)]).toEqual(["held", "paid"]);
});

test("a session is planned for a moment to come, at most two years ahead, and not without end", () => {
  const errors = (changes: object, planned: object = {}) =>
    planErrors({ date: "2026-12-01", time: "19:30", weeks: 1, ...changes }, at, { to_come: 0, cancelled: 0, ...planned });
  expect(errors({})).toEqual({});
  expect(errors({ date: "2026-11-31" })).toEqual({ date: ["The date is not a day of the calendar."] });
  expect(errors({ date: "2026-11-14", time: "13:00" })).toEqual({ date: ["The session lies in the past."] });
  expect(errors({ date: "2026-11-14", time: "13:01" })).toEqual({});
  const tooFar = { date: ["The last session is more than two years ahead."] };
  expect(errors({ date: "2028-11-15" })).toEqual(tooFar);
  expect(errors({ date: "2028-01-01", weeks: 52 })).toEqual(tooFar);
  expect(errors({ time: "24:30" })).toEqual({ time: ["The time is not a time of day."] });
  expect(errors({ weeks: 52 }, { to_come: 148, cancelled: 399 })).toEqual({});
  expect(errors({ weeks: 52 }, { to_come: 149 })).toEqual({ weeks: ["An experience has at most 200 sessions to come."] });
  expect(Object.keys(errors({}, { cancelled: 400 }))).toEqual(["weeks"]);
});

test("experiences of a venue are bounded, those that were removed too", () => {
  expect(additionErrors({ count: 199, removed_count: 399 })).toBeNull();
  expect(additionErrors({ count: 200, removed_count: 0 })).toEqual({ experience: ["A venue has at most 200 experiences."] });
  expect(Object.keys(additionErrors({ count: 0, removed_count: 400 }) ?? {})).toEqual(["experience"]);
});

test("an experience is removed when no tickets are to come or to be refunded; otherwise each reason is told", () => {
  expect([removalErrors(undefined), removalErrors({ to_come: 0, unrefunded: 0 })]).toEqual([null, null]);
  expect(removalErrors({ to_come: 1, unrefunded: 2 })?.sessions).toEqual([
    "Tickets are held or sold for a session to come. Cancel the session and refund them first.",
    "Tickets of a cancelled session are not refunded. Refund them first.",
  ]);
});

test("an experience of a file takes place in one of its branches", () => {
  const faults: [string, string][] = [];
  const experience = { key: "a", name: { en: "A" }, description: null, price_minor: 0, is_active: true };
  const branch = { key: "main" } as Parameters<typeof checkExperiences>[0]["branches"][number];
  checkExperiences(
    {
      branches: [branch],
      experiences: [
        { ...experience, branch: "main" },
        { ...experience, branch: "gone" },
      ],
    },
    (path, sentence) => faults.push([path, sentence]),
  );
  expect(faults).toEqual([["experiences.1.branch", "There is no branch gone."]]);
});
