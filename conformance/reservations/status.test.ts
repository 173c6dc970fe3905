/** The statuses a booking begins with, and its cancel. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { CheckedAnswer } from "../answer-check.ts";
import { type ConformanceCall, call } from "../client.ts";
import { errorOf, expectInvalid, expectRefused, expectStatus } from "../expectations.ts";
import { callRaw } from "../raw-client.ts";
import { lab } from "../target.ts";
import { allBookings, type BookingFields, book, bookingBody, bookingOf, cancel, postBooking, postCancel, readBooking } from "./bookings.ts";

const newKey = (): string => crypto.randomUUID();
const replayed = ({ headers }: CheckedAnswer): string | null => headers.get("idempotent-replayed");

const post = (path: string, key: string, options: ConformanceCall = {}): Promise<CheckedAnswer> =>
  call(lab.tokens.full, "POST", path, { ...options, headers: { "idempotency-key": key } });

const expectReplay = (first: CheckedAnswer, second: CheckedAnswer): void => {
  expect(replayed(first)).toBeNull();
  expect(replayed(second)).toBe("true");
  expect([second.status, second.text]).toEqual([first.status, first.text]);
};

describe("a new booking", () => {
  test("R3.2-01 is what its status says, and confirmed where nothing is said", async () => {
    for (const status of ["pending", "confirmed"]) expect((await book(lab, { status })).status).toBe(status);
    expect((await book(lab)).status).toBe("confirmed");
  });

  for (const status of ["declined", "cancelled", "seated", "no_show", "foo", "CONFIRMED", "", null, 1, ["pending"]])
    test(`R3.2-02 422 status for ${JSON.stringify(status)}`, async () => {
      expectInvalid(await postBooking(lab, { status }), "status");
    });
});

describe("POST /reservations/{reservation}/cancel", () => {
  for (const status of ["pending", "confirmed"])
    test(`R3.2-03 R4.3-19 a ${status} booking is cancelled, and nothing else about it changes`, async () => {
      const before = await book(lab, { status, note: "By the window", email: "ada@example.com" });
      await sleep(1100);
      const after = await cancel(lab, before.id);
      expect(after).toEqual({ ...before, status: "cancelled", updated_at: after.updated_at });
      expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
      expect(await readBooking(lab, before.id)).toEqual(after);
    });

  test("R3.2-04 R7.1-06 409 invalid_transition for one that is cancelled, which stays as it is", async () => {
    const before = await cancel(lab, (await book(lab)).id);
    const refused = await postCancel(lab, before.id);
    expectRefused(refused, "invalid_transition");
    expect(errorOf(refused).details).toEqual({ from: "cancelled", to: "cancelled" });
    expect(await readBooking(lab, before.id)).toEqual(before);
  });

  test("R3.2-04 of simultaneous cancels one is served", async () => {
    const { id } = await book(lab);
    const answers = await Promise.all(Array.from({ length: 5 }, () => postCancel(lab, id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectRefused(answer, "invalid_transition");
  });

  for (const rawBody of ["{}", '{"status":"seated","reason":"x"}', "[]", '"no"', "null", '{"name":', "not json"])
    test(`R4.3-19 the body ${rawBody} makes no difference`, async () => {
      const answer = await call(lab.tokens.full, "POST", `/reservations/${(await book(lab)).id}/cancel`, { rawBody });
      expectStatus(answer, 200);
      expect(answer.body).toMatchObject({ data: { status: "cancelled" }, meta: {}, links: {} });
    });

  test("R4.3-19 nor does its type, or an empty one that calls itself JSON", async () => {
    for (const contentType of ["text/plain", "application/xml", null]) {
      const { id } = await book(lab);
      expectStatus(await call(lab.tokens.full, "POST", `/reservations/${id}/cancel`, { rawBody: "<x/>", contentType }), 200);
    }
    const { id } = await book(lab);
    const empty = { headers: { "content-type": "application/json" }, body: "" };
    expectStatus(await callRaw(lab.tokens.full, "POST", `/reservations/${id}/cancel`, empty), 200);
  });

  test("R4.3-19 404 for an unknown id, whatever the body", async () => {
    for (const rawBody of [undefined, "{}", "not json"])
      expectRefused(await call(lab.tokens.full, "POST", `/reservations/${newKey()}/cancel`, { rawBody }), "not_found");
  });
});

describe("one key", () => {
  const bookings = async ({ name, date }: BookingFields) =>
    (await allBookings(lab, { date: String(date) })).filter((row) => row.name === name);

  test("R8-05 R8-06 three bookings with it are one, which holds one table", async () => {
    const body = await bookingBody(lab);
    const key = newKey();
    const [first, second, third] = [
      await post("/reservations", key, { body }),
      await post("/reservations", key, { body }),
      await post("/reservations", key, { body }),
    ];
    expectStatus(first, 201);
    expectReplay(first, second);
    expectReplay(first, third);
    expect(await bookings(body)).toHaveLength(1);
  });

  test("R8-06 a cancel that is sent again is 200, not 409", async () => {
    const { id } = await book(lab);
    const key = newKey();
    const first = await post(`/reservations/${id}/cancel`, key);
    expectStatus(first, 200);
    expectReplay(first, await post(`/reservations/${id}/cancel`, key));
    expectRefused(await post(`/reservations/${id}/cancel`, newKey()), "invalid_transition");
  });

  test("R8-10 a 409 of a cancel and a 422 of a booking are answers too", async () => {
    const { id } = await cancel(lab, (await book(lab)).id);
    const [key, other] = [newKey(), newKey()];
    const refused = await post(`/reservations/${id}/cancel`, key);
    expectRefused(refused, "invalid_transition");
    expectReplay(refused, await post(`/reservations/${id}/cancel`, key));
    const body = await bookingBody(lab, { party_size: 21 });
    const wrong = await post("/reservations", other, { body });
    expectInvalid(wrong, "party_size");
    expectReplay(wrong, await post("/reservations", other, { body }));
  });

  test("R8-07 422 for another body or another path, and nothing is made or cancelled", async () => {
    const [body, other] = [await bookingBody(lab), await bookingBody(lab)];
    const key = newKey();
    const { id } = bookingOf(await post("/reservations", key, { body }));
    expectRefused(await post("/reservations", key, { body: other }), "idempotency_key_reused");
    expectRefused(await post(`/reservations/${id}/cancel`, key), "idempotency_key_reused");
    expect(await bookings(other)).toEqual([]);
    expect((await readBooking(lab, id)).status).toBe("confirmed");
  });

  test("R8-09 of simultaneous bookings with it one is made", async () => {
    const body = await bookingBody(lab);
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 6 }, () => post("/reservations", key, { body })));
    for (const answer of answers.filter(({ status }) => status !== 201)) expectRefused(answer, "idempotency_key_in_use");
    expect(new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text)).size).toBe(1);
    expect(await bookings(body)).toHaveLength(1);
  });
});
