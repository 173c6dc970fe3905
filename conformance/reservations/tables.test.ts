/** Which table a booking gets, and when there is none. The lab's L1 seats 4, L2 seats 6, both together 10; a party stays 90 minutes. */
import { describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { shiftDay } from "../days.ts";
import { expectInvalid, expectStatus } from "../expectations.ts";
import { lab, neighbour } from "../target.ts";
import {
  type BookingFields,
  book,
  bookingBody,
  bookingOf,
  cancel,
  freeTimes,
  labTables,
  postBooking,
  quietDay,
  readDay,
} from "./bookings.ts";

describe("table_id", () => {
  test("R4.3-11 422 table_id for an unknown or malformed one", async () => {
    for (const table_id of [9007199254740991, 0, -1, "1", "L1", "", 1.5, true, [1]])
      expectInvalid(await postBooking(lab, { table_id }), "table_id");
  });

  test("R4.3-11 RX-15 422 table_id for another venue's, as for an unknown one", async () => {
    const { id, table_id } = await book(neighbour);
    expect(table_id).not.toBeNull();
    const [foreign, nobodys] = [await postBooking(lab, { table_id }), await postBooking(lab, { table_id: 9007199254740991 })];
    expectInvalid(foreign, "table_id");
    expect(foreign.text).toBe(nobodys.text);
    await cancel(neighbour, id);
  });

  test("R4.3-11 a table of any branch that is free is given and shown", async () => {
    const { first, second, ofOtherBranch } = await labTables();
    for (const table_id of [second, ofOtherBranch, first])
      expect((await book(lab, { table_id, date: quietDay(20), time: "12:00" })).table_id).toBe(table_id);
  });

  test("R4.3-11 422 table_id for one with too few seats; exactly enough will do", async () => {
    const { first, second } = await labTables();
    const at = { date: quietDay(21), time: "12:00" };
    expectInvalid(await postBooking(lab, { ...at, table_id: first, party_size: 5 }), "table_id");
    expectInvalid(await postBooking(lab, { ...at, table_id: second, party_size: 7 }), "table_id");
    expect((await book(lab, { ...at, table_id: first, party_size: 4 })).table_id).toBe(first);
    expect((await book(lab, { ...at, table_id: second, party_size: 6 })).table_id).toBe(second);
  });

  test("R4.3-11 422 table_id while another party sits there; before and after it is free", async () => {
    const { first: table_id } = await labTables();
    const date = quietDay(22);
    await book(lab, { date, time: "12:00", table_id, status: "pending" });
    for (const time of ["12:00", "10:31", "13:29", "12:45"]) expectInvalid(await postBooking(lab, { date, time, table_id }), "table_id");
    for (const time of ["10:30", "13:30"]) expect((await book(lab, { date, time, table_id })).table_id).toBe(table_id);
  });

  test("R4.3-11 null leaves the choice to the venue: the smallest that fits, and when it is taken the next", async () => {
    const { first, second } = await labTables();
    const at = { date: quietDay(23), time: "12:00", table_id: null };
    expect((await book(lab, { ...at, party_size: 5 })).table_id).toBe(second);
    expect((await book(lab, at)).table_id).toBe(first);
    expectInvalid(await postBooking(lab, at), "time");
    expect((await book(lab, { ...at, time: "15:00" })).table_id).toBe(first);
    expect((await book(lab, { ...at, time: "15:00" })).table_id).toBe(second);
  });
});

describe("a fully booked venue", () => {
  test("R4.3-13 R7.1-07 any minute will do; 422 time where no table is left; a cancel makes room", async () => {
    const at = { date: quietDay(24), time: "19:10" };
    const [one] = [await book(lab, at), await book(lab, at)];
    expectInvalid(await postBooking(lab, at), "time");
    expectInvalid(await postBooking(lab, { ...at, time: "20:39" }), "time");
    expectStatus(await postBooking(lab, { ...at, time: "20:40" }), 201);
    await cancel(lab, one.id);
    expectStatus(await postBooking(lab, at), 201);
  });

  test("R4.3-13 a party larger than all tables together is 422 time", async () => {
    const at = { date: quietDay(25), time: "12:00" };
    expectInvalid(await postBooking(lab, { ...at, party_size: 11 }), "time");
    expectStatus(await postBooking(lab, { ...at, party_size: 10 }), 201);
  });

  test("R4.3-13 of parties that ask at the same moment for the last table one gets it", async () => {
    const at = { date: quietDay(26), time: "20:00", party_size: 8 };
    const answers = await Promise.all(Array.from({ length: 8 }, () => postBooking(lab, at)));
    const taken = answers.filter(({ status }) => status === 201);
    expect(taken).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) expectInvalid(answer, "time");
    await Promise.all(taken.map((answer) => cancel(lab, bookingOf(answer).id)));
  });

  test("R4.3-13 overlapping times over midnight, asked at once, never share a table", async () => {
    const date = quietDay(27);
    const next = shiftDay(date, 1);
    const { first: table_id } = await labTables();
    const slots = [
      { date, time: "23:00" },
      { date, time: "23:45" },
      { date: next, time: "00:15" },
    ];
    // Half of the requests have a key, because a stored answer must not hide which request was first.
    const ask = async (slot: BookingFields, headers: Record<string, string>) =>
      call(lab.tokens.full, "POST", "/reservations", { body: await bookingBody(lab, { ...slot, table_id }), headers });
    const plainly = slots.map((slot) => ask(slot, {}));
    const answers = await Promise.all([...plainly, ...slots.map((slot) => ask(slot, { "idempotency-key": crypto.randomUUID() }))]);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) expectInvalid(answer, "table_id");
  });
});

describe("free times", () => {
  test("R4.3-17 the booking that takes the last table turns its slots off, and its cancel turns them on again", async () => {
    const date = quietDay(30);
    expect((await readDay(lab, date, 2)).engine).toBe(true);
    const all = await freeTimes(lab, date, 2);
    const { id } = await book(lab, { date, time: "12:00", party_size: 8 });
    const taken = ["11:00", "11:30", "12:00", "12:30", "13:00"];
    for (const party of [1, 2, 6, 10]) expect(await freeTimes(lab, date, party)).toEqual(all.filter((time) => !taken.includes(time)));
    await cancel(lab, id);
    expect(await freeTimes(lab, date, 2)).toEqual(all);
  });

  test("R4.3-17 while one table is left, the parties that fit there can still come", async () => {
    const { second } = await labTables();
    const date = quietDay(31);
    const { id } = await book(lab, { date, time: "12:00", table_id: second });
    const at = async (party: number) => (await freeTimes(lab, date, party)).includes("12:00");
    expect([await at(1), await at(4), await at(5), await at(7)]).toEqual([true, true, false, false]);
    await book(lab, { date, time: "12:00" });
    expect(await at(1)).toBe(false);
    await cancel(lab, id);
    expect([await at(1), await at(6), await at(7)]).toEqual([true, true, false]);
  });

  test("R4.3-17 a party that stays past midnight takes the first times of the next day", async () => {
    const date = quietDay(33);
    await book(lab, { date, time: "23:30", party_size: 8 });
    const next = await freeTimes(lab, shiftDay(date, 1), 2);
    expect(next.slice(0, 2)).toEqual(["01:00", "01:30"]);
    expect(await freeTimes(lab, date, 2)).not.toContain("22:30");
    expect(await freeTimes(lab, date, 2)).toContain("22:00");
  });

  test("R4.3-17 what is offered can be booked, and what is not cannot", async () => {
    const date = quietDay(35);
    await book(lab, { date, time: "12:00", party_size: 8 });
    for (const { time, available } of (await readDay(lab, date, 10)).slots.filter((_, index) => index % 3 === 0)) {
      const answer = await postBooking(lab, { date, time, party_size: 10 });
      if (available) expectStatus(answer, 201);
      else expectInvalid(answer, "time");
      if (answer.status === 201) await cancel(lab, bookingOf(answer).id);
    }
  });
});
