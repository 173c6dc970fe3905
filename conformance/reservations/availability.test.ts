/** GET /availability, and hours and days without free times. */
import { describe, expect, test } from "vitest";
import { clockOf, dayAhead, NO_DAYS } from "../days.ts";
import { expectInvalid } from "../expectations.ts";
import { lab, neighbour, type Venue } from "../target.ts";
import { askDay, freeTimes, postBooking, quietDay, readDay } from "./bookings.ts";

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const timeOf = (minute: number): string => `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
const timesOf = async (venue: Venue, date: string, party = 2): Promise<string[]> =>
  (await readDay(venue, date, party)).slots.map(({ time }) => time);

describe("the times of a day", () => {
  for (const venue of [lab, neighbour])
    test(`R4.3-14 ${venue.slug}: ascending, each once`, async () => {
      for (const days of [1, 12, 23, 34]) {
        const times = await timesOf(venue, dayAhead(venue, days));
        expect(times).toEqual([...new Set(times)].toSorted());
      }
    });

  test("R4.3-14 a venue that never closes offers every half hour", async () => {
    expect(await timesOf(lab, quietDay(40))).toEqual(Array.from({ length: 48 }, (_, index) => timeOf(index * 30)));
  });

  test("R4.3-14 the times are there for any party; too large a one finds none of them free", async () => {
    const date = quietDay(40);
    const times = await timesOf(lab, date);
    for (const party of [11, 20, 21, 1_000_000]) {
      expect(await timesOf(lab, date, party)).toEqual(times);
      expect(await freeTimes(lab, date, party)).toEqual([]);
    }
  });

  test("R4.3-14 times of today that are over are listed and not free", async () => {
    const { date, time } = clockOf(lab);
    const { slots } = await readDay(lab, date, 2);
    for (const slot of slots) if (slot.time < time) expect(slot.available, slot.time).toBe(false);
    expect(slots).toHaveLength(48);
  });
});

describe("date and party_size", () => {
  test("R4.3-15 422 date where it is missing, empty or no day", async () => {
    for (const query of ["party_size=2", "date=&party_size=2"]) expectInvalid(await askDay(lab, query), "date");
    for (const text of NO_DAYS) expectInvalid(await askDay(lab, { date: text, party_size: 2 }), "date");
  });

  test("R4.3-15 422 party_size where it is missing, empty or no whole number from 1 on", async () => {
    const date = dayAhead(lab, 20);
    for (const query of [`date=${date}`, `date=${date}&party_size=`]) expectInvalid(await askDay(lab, query), "party_size");
    for (const party_size of ["0", "-1", "abc", "1.5", "2e0", "true", "99999999999999999999"])
      expectInvalid(await askDay(lab, { date, party_size }), "party_size");
  });

  test("R4.3-15 where both are missing or wrong, both are named", async () => {
    expectInvalid(await askDay(lab, ""), "date", "party_size");
    expectInvalid(await askDay(lab, "date=x&party_size=0"), "date", "party_size");
  });
});

/** A day of the second venue without free times, between days that have some; the target need not have one. */
const closedDay = async (): Promise<string | undefined> => {
  const days = Array.from({ length: 84 }, (_, index) => dayAhead(neighbour, index + 2));
  const counts = await Promise.all(days.map(async (day) => (await timesOf(neighbour, day)).length));
  const last = counts.findLastIndex((count) => count > 0);
  return days.find((_, index) => index < last && counts[index] === 0);
};

describe("closed", () => {
  test("R4.3-16 no times on a day that is over or beyond the horizon, and no error", async () => {
    for (const days of [-1, -400, 366, 5000]) expect(await timesOf(lab, dayAhead(lab, days))).toEqual([]);
    for (const date of ["0001-01-01", "1900-01-01", "9999-12-31"]) expect(await timesOf(lab, date)).toEqual([]);
    expect(await timesOf(lab, dayAhead(lab, 365))).toHaveLength(48);
  });

  test("R4.3-16 R4.3-12 R7.1-07 a closing day has no times, and a booking on it is 422 date", async ({ skip }) => {
    const date = await closedDay();
    if (!date) return skip("the neighbour has no closing day in the days to come");
    for (const party_size of [1, 2, 8]) expect((await readDay(neighbour, date, party_size)).slots).toEqual([]);
    expectInvalid(await postBooking(neighbour, { date, time: "13:00" }), "date");
  });

  test("R4.3-13 R7.1-07 422 time while the venue is closed", async () => {
    const date = dayAhead(neighbour, 16);
    const times = (await timesOf(neighbour, date)).map(minuteOf);
    const gaps = times.map((minute, index) => ({ minute, length: (times[index + 1] ?? minute) - minute }));
    const widest = gaps.toSorted((a, b) => b.length - a.length)[0];
    expect(widest?.length ?? 0, "the neighbour closes at some hour").toBeGreaterThan(120);
    const time = timeOf((widest?.minute ?? 0) + Math.floor((widest?.length ?? 0) / 2));
    expectInvalid(await postBooking(neighbour, { date, time }), "time");
  });
});
