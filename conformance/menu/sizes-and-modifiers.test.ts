/** POST /items: a dish priced per size, and its modifier groups. */
import { beforeAll, describe, expect, test } from "vitest";
import { expectInvalid, expectInvalidAny } from "../expectations.ts";
import { lab, neighbour } from "../target.ts";
import { addDish, createDish, dishBody, readDish, threeSizes } from "./dishes.ts";
import { found, labFloor, openedMenus } from "./floor.ts";

let category_id: number;

beforeAll(async () => {
  category_id = (await labFloor()).home.id;
});

const create = (parts: Record<string, unknown>) => createDish(lab, dishBody(category_id, parts));
const size = (price_minor: unknown = 500, parts: object = {}) => ({ name: { en: "Small" }, price_minor, ...parts });

describe("sizes", () => {
  test("R4.1-17 R2.4-03 sizes in the order sent, no price of its own, the first the default", async () => {
    for (const price of [{}, { price_minor: null }]) {
      const variants = threeSizes();
      const { id } = await addDish(lab, category_id, { variants, ...price });
      const dish = await readDish(lab, id);
      expect(dish.price_minor).toBeNull();
      expect(dish.variants.map(({ name, price_minor }) => ({ name, price_minor }))).toEqual(variants);
      expect(dish.variants.map(({ is_default }) => is_default)).toEqual([true, false, false]);
      for (const variant of dish.variants) expect(Object.keys(variant).sort()).toEqual(["id", "is_default", "name", "price_minor"]);
    }
  });

  test("R4.1-17 the size marked as default is the default", async () => {
    const variants = threeSizes().map((entry, index) => ({ ...entry, is_default: index === 1 }));
    const dish = await addDish(lab, category_id, { variants });
    expect(dish.variants.map(({ is_default }) => is_default)).toEqual([false, true, false]);
    const none = threeSizes().map((entry) => ({ ...entry, is_default: false }));
    const unmarked = await addDish(lab, category_id, { variants: none });
    expect(unmarked.variants.map(({ is_default }) => is_default)).toEqual([true, false, false]);
  });

  test("R2.4-03 each dish of the lab that has sizes has exactly one default", async () => {
    const { menus } = await labFloor();
    const dishes = menus.flatMap(({ data }) => data.categories).flatMap(({ items }) => items);
    for (const { variants } of dishes.filter((dish) => dish.variants.length > 0))
      expect(variants.filter(({ is_default }) => is_default)).toHaveLength(1);
  });

  test("R4.1-18 20 sizes are taken, 21 are 422", async () => {
    const sizes = (count: number) => Array.from({ length: count }, (_, index) => size(index, { name: { en: `Size ${index}` } }));
    expect((await addDish(lab, category_id, { variants: sizes(20) })).variants).toHaveLength(20);
    expectInvalid(await create({ variants: sizes(21) }), "variants");
  });

  test("R4.1-19 422 in its place for a size without a name or a price, or with a wrong one", async () => {
    const second = (entry: unknown) => create({ variants: [size(), entry] });
    expectInvalid(await second({ price_minor: 500 }), "variants.1.name");
    expectInvalid(await second({ name: { en: "Big" } }), "variants.1.price_minor");
    expectInvalid(await second({}), "variants.1.name", "variants.1.price_minor");
    for (const wrong of [-1, null, 1.5, "500"]) expectInvalid(await second(size(wrong)), "variants.1.price_minor");
    for (const wrong of ["yes", 1, null]) expectInvalid(await second(size(500, { is_default: wrong })), "variants.1.is_default");
    for (const wrong of [{}, { en: " " }, { en: null }, null, 5])
      expectInvalid(await second(size(500, { name: wrong })), "variants.1.name");
    for (const wrong of [null, "Small", 5, []]) expectInvalidAny(await second(wrong), "variants.1", "variants.1.name");
  });

  test("R4.1-19 422 variants for what is no list", async () => {
    for (const wrong of [null, {}, "Small", 5]) expectInvalid(await create({ variants: wrong, price_minor: null }), "variants");
  });

  test("R4.1-20 422 for a size's name as a plain string", async () => {
    expectInvalid(await create({ variants: [size(500, { name: "Small" })] }), "variants.0.name");
  });

  test("R4.1-21 422 for two default sizes, at the second", async () => {
    const variants = [size(1, { is_default: true }), size(2), size(3, { is_default: true })];
    expectInvalid(await create({ variants }), "variants.2.is_default");
  });

  test("R4.1-22 422 price_minor for neither price nor sizes, and for both", async () => {
    const body = dishBody(category_id);
    const { price_minor: _, ...unpriced } = body;
    for (const parts of [{}, { price_minor: null }, { variants: [] }, { price_minor: null, variants: [] }])
      expectInvalid(await createDish(lab, { ...unpriced, ...parts }), "price_minor");
    expectInvalid(await create({ price_minor: 1000, variants: threeSizes() }), "price_minor");
    const dish = await addDish(lab, category_id, { price_minor: 1000, variants: [] });
    expect(dish).toMatchObject({ price_minor: 1000, variants: [] });
  });
});

describe("modifier groups", () => {
  test("R2.4-04 a group has its fields and options; one asks for exactly one, one for as many as one likes", async () => {
    const { menus } = await labFloor();
    const groups = menus
      .flatMap(({ data }) => data.categories)
      .flatMap(({ items }) => items)
      .flatMap((item) => item.modifier_groups);
    for (const group of groups) {
      expect(Object.keys(group).sort()).toEqual(["id", "max_select", "min_select", "name", "options"]);
      for (const option of group.options) expect(Object.keys(option).sort()).toEqual(["id", "is_available", "name", "price_minor"]);
    }
    expect(groups.some(({ min_select, max_select }) => min_select === 1 && max_select === 1)).toBe(true);
    expect(groups.some(({ min_select, max_select }) => min_select === 0 && max_select === null)).toBe(true);
  });

  test("R4.1-25 the groups named are on the dish with their options, in the order sent, each once", async () => {
    const [one, two] = (await labFloor()).groupedDish.modifier_groups;
    if (!one || !two) throw new Error("The lab's dish has fewer than two groups.");
    const dish = await addDish(lab, category_id, { modifier_group_ids: [two.id, one.id] });
    expect(dish.modifier_groups).toEqual([two, one]);
    expect((await readDish(lab, dish.id)).modifier_groups).toEqual([two, one]);
    const folded = await addDish(lab, category_id, { modifier_group_ids: [one.id, one.id] });
    expect(folded.modifier_groups).toEqual([one]);
    expect((await addDish(lab, category_id, { modifier_group_ids: [] })).modifier_groups).toEqual([]);
  });

  test("R4.1-25 422 in its place for a group that is unknown or the neighbour's, 422 for no list", async () => {
    const known = found("a group", (await labFloor()).groupedDish.modifier_groups, () => true).id;
    const theirs = (await openedMenus(neighbour))
      .flatMap(({ data }) => data.categories)
      .flatMap(({ items }) => items)
      .flatMap((item) => item.modifier_groups);
    const foreign = found("a group of the neighbour", theirs, () => true).id;
    for (const wrong of [999_999_999_999, foreign, "5", 1.5, null, 0])
      expectInvalid(await create({ modifier_group_ids: [known, wrong] }), "modifier_group_ids.1");
    for (const wrong of [known, String(known), null, {}]) expectInvalid(await create({ modifier_group_ids: wrong }), "modifier_group_ids");
  });
});
