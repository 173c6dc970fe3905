/** GET and PATCH /items/{item}: only what is sent changes. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Item } from "@comanda/contract/venue/menu.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { expectInvalid, expectRefused, expectStatus, uniqueName } from "../expectations.ts";
import { lab, neighbour } from "../target.ts";
import { addDish, changeDish, itemOf, patchDish, readDish, threeSizes } from "./dishes.ts";
import { categoryFor, labFloor } from "./floor.ts";

const UNKNOWN = 9_007_199_254_740_991;

let category_id: number;
let otherCategory: number;
/** Made a second before the first test, so that a change shows in updated_at. */
let older: Item[];

const nextOlder = (): Item => {
  const dish = older.pop();
  if (!dish) throw new Error("Make more dishes beforehand.");
  return dish;
};

beforeAll(async () => {
  const { home, other } = await labFloor();
  category_id = home.id;
  otherCategory = other.id;
  older = [];
  for (let count = 0; count < 4; count++) older.push(await addDish(lab, category_id, { description: "Hot", allergens: ["milk"] }));
  await sleep(1100);
});

const labGroups = async (): Promise<number[]> => (await labFloor()).groupedDish.modifier_groups.map(({ id }) => id);

const timeless = ({ updated_at, ...dish }: Item): Omit<Item, "updated_at"> => dish;

describe("GET /items/{item}", () => {
  test("R4.1-27 200 for a dish, 404 for one that does not exist", async () => {
    const dish = await addDish(lab, category_id);
    expect(await readDish(lab, dish.id)).toEqual(dish);
    expectRefused(await call(lab.tokens.full, "GET", `/items/${UNKNOWN}`), "not_found");
  });
});

describe("PATCH /items/{item}", () => {
  test("R4.1-28 one field changes, all others stay, updated_at moves", async () => {
    const before = nextOlder();
    const after = await changeDish(lab, before.id, { price_minor: 1234 });
    expect(timeless(after)).toEqual({ ...timeless(before), price_minor: 1234 });
    expect(Date.parse(after.updated_at ?? "")).toBeGreaterThan(Date.parse(before.updated_at ?? ""));
    expect(await readDish(lab, before.id)).toEqual(after);
  });

  test("R4.1-28 the sizes and modifier groups of a dish stay when its name changes", async () => {
    const before = await addDish(lab, category_id, { variants: threeSizes(), modifier_group_ids: await labGroups() });
    expect(before.modifier_groups.length).toBeGreaterThan(0);
    const after = await changeDish(lab, before.id, { name: { en: "Renamed" } });
    expect(timeless(after)).toEqual({ ...timeless(before), name: { en: "Renamed" } });
  });

  test("R4.1-29 each field can be changed and read back", async () => {
    const { id } = await addDish(lab, category_id);
    const changes = {
      category_id: otherCategory,
      name: { en: uniqueName("Stew") },
      description: { en: "Slowly" },
      price_minor: 0,
      dietary: "vegan",
      allergens: ["nuts", "soybeans"],
      is_available: false,
      show_online: false,
    };
    for (const [field, value] of Object.entries(changes)) {
      const dish = await changeDish(lab, id, { [field]: value });
      expect(dish).toMatchObject({ [field]: value });
      expect(await readDish(lab, id)).toEqual(dish);
    }
    expect(await readDish(lab, id)).toMatchObject(changes);
  });

  test("R4.1-29 all fields can be changed at once; a moved dish keeps its place number", async () => {
    const before = await addDish(lab, category_id);
    const changes = { category_id: otherCategory, name: { en: "All" }, price_minor: 7, dietary: "egg", is_available: false };
    const after = await changeDish(lab, before.id, changes);
    expect(timeless(after)).toEqual({ ...timeless(before), ...changes });
  });

  test("R4.1-32 nothing sent, or nothing new: 200, and not even updated_at moves", async () => {
    const before = nextOlder();
    expect(await changeDish(lab, before.id, {})).toEqual(before);
    const { name, price_minor, description, dietary, allergens, is_available, show_online } = before;
    const same = { category_id, name, price_minor, description, dietary, allergens, is_available, show_online };
    expect(await changeDish(lab, before.id, same)).toEqual(before);
    expect(await readDish(lab, before.id)).toEqual(before);
  });

  test("R4.1-33 R7.1-07 RX-23 422 price_minor on a dish priced per size, and nothing else changes either", async () => {
    const before = await addDish(lab, category_id, { variants: threeSizes() });
    expectInvalid(await patchDish(lab, before.id, { price_minor: 500, name: "Cheaper", is_available: false }), "price_minor");
    expect(await readDish(lab, before.id)).toEqual(before);
  });

  test("R4.1-34 422 price_minor for null, a negative, a fraction and a string, on either kind of dish", async () => {
    const single = await addDish(lab, category_id);
    const sized = await addDish(lab, category_id, { variants: threeSizes() });
    for (const { id } of [single, sized])
      for (const price_minor of [null, -1, 1.5, "5", 2_147_483_648])
        expectInvalid(await patchDish(lab, id, { price_minor }), "price_minor");
  });

  test("R4.1-34 422 category_id for one that is unknown, the neighbour's or no id", async () => {
    const { id } = await addDish(lab, category_id);
    for (const wrong of [999_999_999_999, await categoryFor(neighbour), null, String(category_id), 0, 1.5])
      expectInvalid(await patchDish(lab, id, { category_id: wrong }), "category_id");
    expect((await readDish(lab, id)).category_id).toBe(category_id);
  });

  test("R4.1-34 RX-23 422 for a wrong diet, allergen or flag; what was right beside it is not applied", async () => {
    const before = await addDish(lab, category_id);
    const wrong: [string, unknown, string][] = [
      ["dietary", "fish", "dietary"],
      ["dietary", null, "dietary"],
      ["allergens", "milk", "allergens"],
      ["allergens", ["milk", "milch"], "allergens.1"],
      ["is_available", "true", "is_available"],
      ["is_available", null, "is_available"],
      ["show_online", 1, "show_online"],
    ];
    for (const [field, value, named] of wrong)
      expectInvalid(await patchDish(lab, before.id, { name: "Half", price_minor: 1, [field]: value }), named);
    expect(await readDish(lab, before.id)).toEqual(before);
  });

  test("R4.1-35 sizes and modifier groups sent are passed over", async () => {
    const before = nextOlder();
    const sent = { variants: threeSizes(), modifier_group_ids: [], modifier_groups: [], price_minor: 1300 };
    expect(timeless(await changeDish(lab, before.id, sent))).toEqual({ ...timeless(before), price_minor: 1300 });
    const sized = await addDish(lab, category_id, { variants: threeSizes(), modifier_group_ids: await labGroups() });
    expect(await changeDish(lab, sized.id, { variants: [], modifier_group_ids: [999_999_999_999] })).toEqual(sized);
    expect(await changeDish(lab, sized.id, { variants: "none", modifier_group_ids: 5 })).toEqual(sized);
  });

  test("R4.1-37 404 for a dish that is unknown or the neighbour's, also with an invalid body", async () => {
    const foreign = await addDish(neighbour, await categoryFor(neighbour));
    for (const id of [UNKNOWN, foreign.id])
      for (const rawBody of ['{"name":"Soup"}', "{}", '{"price_minor":-1}', "[]", "not json"])
        expectRefused(await call(lab.tokens.full, "PATCH", `/items/${id}`, { rawBody }), "not_found");
    expect(await readDish(neighbour, foreign.id)).toEqual(foreign);
  });

  test("R4.1-29 two changes at once of different fields both last", async () => {
    const { id } = await addDish(lab, category_id);
    const answers = await Promise.all([
      patchDish(lab, id, { price_minor: 4200 }),
      patchDish(lab, id, { dietary: "veg" }),
      patchDish(lab, id, { show_online: false }),
    ]);
    for (const answer of answers) expectStatus(answer, 200);
    for (const answer of answers) expect(itemOf(answer).id).toBe(id);
    expect(await readDish(lab, id)).toMatchObject({ price_minor: 4200, dietary: "veg", show_online: false });
  });
});
