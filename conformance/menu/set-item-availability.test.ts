/** PUT /items/{item}/availability: sold out, and back on. */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { expectInvalid, expectRefused } from "../expectations.ts";
import { lab, neighbour } from "../target.ts";
import { addDish, itemOf, putAvailability, readDish } from "./dishes.ts";
import { categoryFor, labFloor } from "./floor.ts";

let category_id: number;

beforeAll(async () => {
  category_id = (await labFloor()).home.id;
});

describe("PUT /items/{item}/availability", () => {
  test("R4.1-38 sold out and back on, with nothing else changed", async () => {
    const before = await addDish(lab, category_id);
    for (const is_available of [false, true]) {
      const after = itemOf(await putAvailability(lab, before.id, { is_available }));
      expect({ ...after, updated_at: null }).toEqual({ ...before, is_available, updated_at: null });
      expect(await readDish(lab, before.id)).toEqual(after);
    }
  });

  test("R4.1-39 422 is_available when it is missing or no boolean, and the dish stays as it was", async () => {
    const before = await addDish(lab, category_id);
    for (const body of [{}, { is_available: null }, { is_available: "false" }, { is_available: 0 }, { available: false }])
      expectInvalid(await putAvailability(lab, before.id, body), "is_available");
    expect(await readDish(lab, before.id)).toEqual(before);
  });

  test("R4.1-39 404 for a dish that is unknown or the neighbour's, whatever is sent", async () => {
    const foreign = await addDish(neighbour, await categoryFor(neighbour));
    for (const id of [9_007_199_254_740_991, foreign.id])
      for (const body of [{ is_available: false }, {}])
        expectRefused(await call(lab.tokens.full, "PUT", `/items/${id}/availability`, { body }), "not_found");
    expect((await readDish(neighbour, foreign.id)).is_available).toBe(true);
  });

  test("R4.1-40 the same value twice: 200 both times, and the second changes nothing", async () => {
    const { id } = await addDish(lab, category_id);
    const first = itemOf(await putAvailability(lab, id, { is_available: false }));
    await sleep(1100);
    expect(itemOf(await putAvailability(lab, id, { is_available: false }))).toEqual(first);
    const back = itemOf(await putAvailability(lab, id, { is_available: true }));
    expect(Date.parse(back.updated_at ?? "")).toBeGreaterThan(Date.parse(first.updated_at ?? ""));
  });
});
