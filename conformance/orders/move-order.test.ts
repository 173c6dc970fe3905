/** POST /orders/{order}/status: how its body is read, and the answer. */
import { describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { expectInvalid, expectRefused, expectStatus } from "../expectations.ts";
import { lab, neighbour } from "../target.ts";
import { getOrder, moveOrder, orderOf, orderThatIs, placeOrder, postStatus, readOrder } from "./orders.ts";

const UNKNOWN = "00000000-0000-4000-8000-000000000000";

describe("POST /orders/{order}/status", () => {
  test("R4.2-37 422 status where it is missing, null, placed or unknown, and the order stays", async () => {
    const before = await placeOrder(lab);
    for (const body of [{}, { reason: "Because" }]) expectInvalid(await postStatus(lab, before.id, body), "status");
    for (const status of [null, "placed", "paid", "", "Accepted", "ACCEPTED", "accepted,ready", 1, true, ["accepted"], { to: "accepted" }])
      expectInvalid(await postStatus(lab, before.id, { status }), "status");
    expect(await readOrder(lab, before.id)).toEqual(before);
  });

  test("R4.2-37 422 reason where it is no text of 3 to 200 characters, and the order stays", async () => {
    const before = await placeOrder(lab);
    for (const status of ["cancelled", "accepted"])
      for (const reason of ["", " ", "ab", "🍜🍜", "  ab  ", "x".repeat(201), "🍜".repeat(201), 5, true, ["Because"], {}, "be\u0000cause"])
        expectInvalid(await postStatus(lab, before.id, { status, reason }), "reason");
    expect(await readOrder(lab, before.id)).toEqual(before);
  });

  test("R4.2-37 a reason of 3 and of 200 characters is accepted, counted in characters and after trimming", async () => {
    for (const reason of ["abc", "🍜🍜🍜", "x".repeat(200), "🍜".repeat(200), ` ${"x".repeat(200)} `])
      for (const status of ["cancelled", "rejected", "accepted"] as const) {
        const { id } = await placeOrder(lab);
        expect((await moveOrder(lab, id, status, { reason })).status).toBe(status);
      }
  });

  test("R4.2-37 R7.1-01 both faults are named at once", async () => {
    const { id } = await placeOrder(lab);
    expectInvalid(await postStatus(lab, id, { status: "placed", reason: "x" }), "status", "reason");
  });

  test("R4.2-38 RX-21 404 for an unknown order, also with an invalid body", async () => {
    for (const rawBody of ['{"status":"accepted"}', "{}", '{"status":"placed"}', '{"status":5,"reason":1}', "[]", "not json"])
      expectRefused(await call(lab.tokens.full, "POST", `/orders/${UNKNOWN}/status`, { rawBody }), "not_found");
  });

  test("R4.2-38 404 for an order of the neighbour, which stays as it was", async () => {
    const foreign = await placeOrder(neighbour);
    for (const body of [{ status: "accepted" }, { status: "placed" }, {}])
      expectRefused(await postStatus(lab, foreign.id, body), "not_found");
    expect(await readOrder(neighbour, foreign.id)).toEqual(foreign);
  });

  test("R4.2-38 RX-21 422 comes before 409: an invalid body on a finished order", async () => {
    for (const status of ["completed", "rejected", "cancelled"] as const) {
      const { id } = await orderThatIs(status, lab);
      expectInvalid(await postStatus(lab, id, {}), "status");
      expectInvalid(await postStatus(lab, id, { status: "placed" }), "status");
      expectInvalid(await postStatus(lab, id, { status: "cancelled", reason: "no" }), "reason");
      expectRefused(await postStatus(lab, id, { status: "cancelled", reason: "Too late" }), "invalid_transition");
    }
  });

  test("R4.2-39 200 with the whole order, which GET shows too", async () => {
    const { id } = await placeOrder(lab, { note: "No onions", customer_email: "ada@example.com" });
    for (const status of ["accepted", "ready", "completed"]) {
      const answer = await postStatus(lab, id, { status });
      expectStatus(answer, 200);
      expect(orderOf(answer).status).toBe(status);
      expect((await getOrder(lab, id)).body).toEqual(answer.body);
    }
  });

  test("R4.2-39 members it does not know change nothing else of the order", async () => {
    const before = await placeOrder(lab);
    const sly = { status: "accepted", total_minor: 1, items: [], note: "Sly", paid_at: "2020-01-01T00:00:00Z", customer: null };
    const answer = await postStatus(lab, before.id, sly);
    expectStatus(answer, 200);
    const { updated_at } = orderOf(answer);
    expect(orderOf(answer)).toEqual({ ...before, status: "accepted", updated_at });
  });

  test("R4.2-39 the id may be written in capitals, and is printed in small letters", async () => {
    const { id } = await placeOrder(lab);
    expect((await moveOrder(lab, id.toUpperCase(), "accepted")).id).toBe(id);
    expect((await readOrder(lab, id)).status).toBe("accepted");
  });
});
