/** A booking may be moved to some places of the timeline only. */
import type { BookingDay, DayBooking, FloorTable } from "@comanda/contract/console/bookings.ts";
import { describe, expect, test } from "vitest";
import { addDays, dateAndTimeAt, instantAt, momentOfDay, serviceDayAt, serviceDaySpan } from "#kit/dates.ts";
import {
  type BarPlace,
  changeBack,
  changeOfMove,
  lengthenedBy,
  movedBy,
  moveFactsOf,
  placeOfBar,
  problemOf,
  tableAfter,
  tablesAfter,
} from "./timeline-moves.ts";

const at = (time: string): number => Date.parse(`2026-11-20T${time}:00Z`);
/** A moment before all of these bookings. */
const BEFORE = at("12:00");
const iso = (time: string): string => new Date(at(time)).toISOString();

const table = (id: number, seats: number, branch_id = 1): FloorTable => ({
  id,
  name: `T${id}`,
  code: null,
  seats,
  branch_id,
  place: null,
  shape: "square",
});
const TABLES = [table(1, 2), table(2, 4), table(3, 4), table(4, 6, 2)];

const stay = (id: string, tableIds: number[], [from, to]: [string, string], changes: Partial<DayBooking> = {}): DayBooking => ({
  reservation: { id, status: "confirmed", date: "2026-11-20", time: from, party_size: 2, name: id } as DayBooking["reservation"],
  version: 1,
  branch_id: 1,
  table_ids: tableIds,
  starts_at: iso(from),
  ends_at: iso(to),
  is_walk_in: false,
  arrived_at: null,
  seated_at: null,
  left_at: null,
  no_show_at: null,
  paid_minor: 0,
  guest_id: null,
  visits_count: 0,
  ...changes,
});

const anna = stay("anna", [2], ["19:00", "20:30"]);
const bert = stay("bert", [3], ["19:30", "21:00"]);
const seated = stay("sven", [2], ["17:00", "18:15"], {
  reservation: { ...anna.reservation, id: "sven", status: "seated" },
});

const factsOf = (bookings: DayBooking[], changes: Partial<BookingDay> = {}, now = at("18:00")) =>
  moveFactsOf(
    {
      date: "2026-11-20",
      zone: "UTC",
      bookings,
      tables: TABLES,
      blocks: [],
      spans: [
        { branch_id: 1, from: iso("12:00"), to: iso("23:00") },
        { branch_id: 2, from: iso("12:00"), to: iso("23:00") },
      ],
      ...changes,
    } as BookingDay,
    now,
  );

const move = (booking: DayBooking, wanted: Partial<BarPlace>, facts = factsOf([anna, bert])) => {
  const start = placeOfBar(booking, booking.table_ids[0] ?? 0);
  return problemOf(booking, start, { ...start, ...wanted }, facts);
};

describe("targets of a move", () => {
  test("a free table at the same time is allowed; one that another party has, that is blocked or too small is not", () => {
    expect(move(anna, { tableId: 1 })).toBeNull();
    expect(move(anna, { tableId: 3 })).toBe("taken");
    expect(move(anna, { tableId: 3, from: at("21:00"), to: at("22:30") })).toBeNull();
    const block = {
      id: "b",
      branch_id: 1,
      table_ids: [1],
      starts_at: iso("20:00"),
      ends_at: iso("21:00"),
      reason: "leak",
      blocked_by: "M",
    };
    expect(move(anna, { tableId: 1 }, factsOf([anna], { blocks: [block] }))).toBe("blocked");
    const four = { ...anna, reservation: { ...anna.reservation, party_size: 4 } };
    expect(move(four, { tableId: 1 }, factsOf([four]))).toBe("small");
  });

  test("a stay that ends when another begins is allowed, a minute more is not", () => {
    expect(move(anna, { tableId: 3, from: at("18:00"), to: at("19:30") })).toBeNull();
    expect(move(anna, { tableId: 3, from: at("18:01"), to: at("19:31") })).toBe("taken");
  });

  test("a time that is over, or outside the hours, is refused; the own time can stay although it has begun", () => {
    expect(move(anna, { from: at("17:45"), to: at("19:15") })).toBe("past");
    expect(move(anna, { from: at("23:00"), to: at("23:30") })).toBe("closed");
    expect(move(anna, { tableId: 1 }, factsOf([anna], {}, at("19:30")))).toBeNull();
  });

  test("a party at its table can get another table or more time, not another begin; it stays there past its end", () => {
    expect(move(seated, { tableId: 1 }, factsOf([seated]))).toBeNull();
    expect(move(seated, { from: at("17:30") }, factsOf([seated]))).toBe("past");
    expect(movedBy(seated, placeOfBar(seated, 2), 1, 40 * 60_000)).toEqual({ tableId: 1, from: at("17:00"), to: at("18:15") });
    const next = stay("next", [1], ["18:05", "19:30"]);
    expect(move(seated, { tableId: 1 }, factsOf([seated, next]))).toBe("taken");
    expect(move(next, { tableId: 2 }, factsOf([seated, next], {}, at("18:30")))).toBe("taken");
  });

  test("of joined tables one is replaced and the other stays; tables of two branches are not joined", () => {
    const joined = stay("joined", [1, 2], ["19:00", "20:30"], { reservation: { ...anna.reservation, party_size: 6 } });
    expect(tablesAfter(joined, 1, 3)).toEqual([3, 2]);
    expect(tablesAfter(joined, 1, 2)).toEqual([2]);
    expect(tablesAfter(stay("none", [], ["19:00", "20:30"]), 0, 3)).toEqual([3]);
    expect(move(joined, { tableId: 4 }, factsOf([joined]))).toBe("otherBranch");
    expect(move(joined, { tableId: 2 }, factsOf([joined]))).toBe("small");
    // Joined for more guests than they have seats apart: only new tables are judged by their seats.
    const large = { ...joined, reservation: { ...joined.reservation, party_size: 7 } };
    expect(move(large, { from: at("20:00"), to: at("21:30") }, factsOf([large]))).toBeNull();
  });

  test("a booking without a table can be moved in time; another day is refused, because its bookings are not known here", () => {
    const none = stay("none", [], ["19:00", "20:30"]);
    expect(move(none, { from: at("20:00"), to: at("21:30") }, factsOf([none]))).toBeNull();
    const night = { spans: [{ branch_id: 1, from: iso("12:00"), to: "2026-11-21T02:00:00.000Z" }] };
    expect(move(anna, { from: at("23:45"), to: at("23:59") }, factsOf([anna], night))).toBeNull();
    const midnight = Date.parse("2026-11-21T00:00:00Z");
    expect(move(anna, { from: midnight, to: midnight + 3_600_000 }, factsOf([anna], night))).toBeNull();
    const morning = Date.parse("2026-11-21T05:00:00Z");
    expect(move(anna, { from: morning, to: morning + 3_600_000 }, factsOf([anna], night))).toBe("otherDay");
  });
});

describe("steps of a move", () => {
  const odd = stay("odd", [2], ["19:10", "20:40"]);
  const start = placeOfBar(odd, 2);

  test("a bar moves in quarters of an hour and keeps its length; unmoved it keeps its odd minute", () => {
    expect(movedBy(odd, start, 3, 60_000)).toEqual({ tableId: 3, from: at("19:10"), to: at("20:40") });
    expect(movedBy(odd, start, 3, 22 * 60_000)).toEqual({ tableId: 3, from: at("19:30"), to: at("21:00") });
  });

  test("a stay is a quarter of an hour at least and twelve hours at most", () => {
    expect(lengthenedBy(start, -200 * 60_000).to).toBe(at("19:25"));
    expect(lengthenedBy(start, 2000 * 60_000).to - start.from).toBe(720 * 60_000);
  });

  test("rows end at the first and the last table", () => {
    expect([tableAfter(TABLES, 1, -1), tableAfter(TABLES, 1, 1), tableAfter(TABLES, 4, 1), tableAfter(TABLES, 0, 1)]).toEqual([1, 2, 4, 1]);
  });

  test("only what differs is written, on the venue's clock, and only that is taken back", () => {
    const from = placeOfBar(anna, 2);
    const toTable = changeOfMove(anna, from, { ...from, tableId: 1 }, "Europe/Rome");
    expect([toTable, changeBack(anna, toTable, BEFORE)]).toEqual([{ table_ids: [1] }, { table_ids: [2] }]);
    const toTime = changeOfMove(anna, from, { tableId: 2, from: at("23:30"), to: at("23:30") + 90 * 60_000 }, "Europe/Rome");
    expect(toTime).toEqual({ date: "2026-11-21", time: "00:30" });
    expect(changeBack(anna, toTime, BEFORE)).toEqual({ date: "2026-11-20", time: "19:00" });
    // Its old time is over: the server would refuse it.
    expect(changeBack(anna, toTime, at("19:05"))).toBeNull();
    const longer = changeOfMove(anna, from, { ...from, to: at("21:00") }, "Europe/Rome");
    expect([longer, changeBack(anna, longer, BEFORE)]).toEqual([{ minutes: 120 }, { minutes: 90 }]);
    expect(changeBack(stay("none", [], ["19:00", "20:30"]), { table_ids: [1] }, BEFORE)).toBeNull();
  });

  test("the stay of a party at its table is counted from when it sat down, without parts of a minute", () => {
    const late = { ...seated, seated_at: iso("17:25"), ends_at: new Date(at("18:15") + 20_000).toISOString() };
    const from = placeOfBar(late, 2);
    const longer = changeOfMove(late, from, { ...from, to: at("18:45") }, "UTC");
    expect(longer).toEqual({ minutes: 80 });
    expect(changeBack(late, longer, BEFORE)).toEqual({ minutes: 50 });
  });
});

test("a time after midnight belongs to the night that began on the day", () => {
  expect(momentOfDay("2026-11-20", "00:30", "UTC")).toBe(Date.parse("2026-11-21T00:30:00Z"));
  expect(momentOfDay("2026-11-20", "05:00", "UTC")).toBe(at("05:00"));
  expect(serviceDayAt(Date.parse("2026-11-21T03:59:00Z"), "Europe/Rome")).toBe("2026-11-20");
  expect(serviceDayAt(Date.parse("2026-11-21T04:00:00Z"), "Europe/Rome")).toBe("2026-11-21");
  // The night in which the clocks go back has an hour more.
  const { from, to } = serviceDaySpan("2026-10-24", "Europe/Rome");
  expect((to - from) / 3_600_000).toBe(25);
});

test("a moment and its time on the venue's clock agree all year round, except for those that the clocks repeat", () => {
  const [yearMs, stepMs] = [366 * 24 * 60 * 60_000, 225 * 60_000];
  for (const zone of ["Europe/Rome", "Asia/Kathmandu", "America/St_Johns", "Africa/Cairo"]) {
    const moments = Array.from({ length: yearMs / stepMs }, (_, step) => Date.parse("2026-01-01T00:00:00Z") + step * stepMs);
    const found = moments.map((moment) => {
      const { date, time } = dateAndTimeAt(moment, zone);
      return instantAt(date, time, zone);
    });
    expect(found.map((moment) => dateAndTimeAt(moment, zone))).toEqual(moments.map((moment) => dateAndTimeAt(moment, zone)));
    expect(found.filter((moment, place) => moment !== moments[place]).length).toBeLessThanOrEqual(1);
  }
  expect(addDays("2026-02-28", 1)).toBe("2026-03-01");
});
