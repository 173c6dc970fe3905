/** POST /items: a dish and its plain fields. */

import { PRICE_MAX } from "@comanda/contract/shared.ts";
import { ALLERGENS } from "@comanda/contract/venue/allergens.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { expectInvalid, expectStatus, uniqueName } from "../expectations.ts";
import { activeVenues, lab, neighbour } from "../target.ts";
import { addDish, allItems, createDish, dishBody, dishesNamed, itemOf, listItems, openMenu, readDish } from "./dishes.ts";
import { categoryFor, labFloor } from "./floor.ts";

let category_id: number;

beforeAll(async () => {
  category_id = (await labFloor()).home.id;
});

const create = (parts: Record<string, unknown> = {}) => createDish(lab, dishBody(category_id, parts));

describe("POST /items", () => {
  test("R4.1-10 201 with the values sent; reading it gives the same", async () => {
    const name = uniqueName("Soup");
    const answer = await create({ name, price_minor: 1250 });
    expectStatus(answer, 201);
    const dish = itemOf(answer);
    expect(dish).toMatchObject({ category_id, name: { [lab.default_language]: name }, price_minor: 1250 });
    expect(await readDish(lab, dish.id)).toEqual(dish);
  });

  test("R4.2-11 201 names the new dish in Location, which answers 200", async () => {
    const answer = await create();
    const location = answer.headers.get("location") ?? "";
    expect(location).toMatch(/^https?:\/\//);
    expect(location).toMatch(new RegExp(`/items/${itemOf(answer).id}$`));
    const read = await call(lab.tokens.full, "GET", location);
    expectStatus(read, 200);
    expect(itemOf(read)).toEqual(itemOf(answer));
  });

  test("R4.1-11 what is not said has its neutral value", async () => {
    const { id } = await addDish(lab, category_id);
    expect(await readDish(lab, id)).toMatchObject({
      description: null,
      is_available: true,
      show_online: true,
      dietary: "none",
      allergens: null,
      variants: [],
      modifier_groups: [],
    });
  });

  test("R4.1-12 422 naming what is missing, both when both are", async () => {
    expectInvalid(await createDish(lab, { name: "Soup", price_minor: 1 }), "category_id");
    expectInvalid(await createDish(lab, { category_id, price_minor: 1 }), "name");
    expectInvalid(await createDish(lab, { price_minor: 1 }), "category_id", "name");
  });

  test("R4.1-13 422 category_id for a string, a fraction, null, an unknown one and the neighbour's", async () => {
    const foreign = await categoryFor(neighbour);
    for (const wrong of [String(category_id), 1.5, null, 0, -1, 999_999_999_999, 2 ** 53, foreign, [category_id], true])
      expectInvalid(await create({ category_id: wrong }), "category_id");
  });

  test("R4.1-16 R1-02 a price is a whole number from 0, kept as it is in every currency", async () => {
    for (const wrong of [-1, 1.5, "10", PRICE_MAX + 1, 1e300, true]) expectInvalid(await create({ price_minor: wrong }), "price_minor");
    for (const price_minor of [0, 1, PRICE_MAX]) expect((await addDish(lab, category_id, { price_minor })).price_minor).toBe(price_minor);
    for (const venue of activeVenues) {
      const { id, price_minor } = await addDish(venue, await categoryFor(venue), { price_minor: 1250 });
      expect(price_minor).toBe(1250);
      expect((await readDish(venue, id)).price_minor).toBe(1250);
    }
  });

  test("R4.1-16 a price written 1000.0 or 1e3 is the whole number 1000", async () => {
    for (const written of ["1000.0", "1e3"]) {
      const rawBody = JSON.stringify(dishBody(category_id, { price_minor: 0 })).replace('"price_minor":0', `"price_minor":${written}`);
      const answer = await call(lab.tokens.full, "POST", "/items", { rawBody });
      expectStatus(answer, 201);
      expect(itemOf(answer).price_minor).toBe(1000);
    }
  });

  test("R2.1-01 each of the five diets is taken, any other is 422", async () => {
    for (const dietary of ["none", "veg", "non_veg", "egg", "vegan"])
      expect((await addDish(lab, category_id, { dietary })).dietary).toBe(dietary);
    for (const dietary of ["Vegan", "", "fish", 1, ["veg"]]) expectInvalid(await create({ dietary }), "dietary");
  });

  test("R2.1-02 all fourteen allergens together are taken, any other is 422 in its place", async () => {
    const { id } = await addDish(lab, category_id, { allergens: ALLERGENS });
    expect([...((await readDish(lab, id)).allergens ?? [])].sort()).toEqual([...ALLERGENS].sort());
    expectInvalid(await create({ allergens: ["milk", "wheat"] }), "allergens.1");
  });

  test("R4.1-23 allergens: null, none and some are kept apart; 422 for what is no list of them", async () => {
    for (const allergens of [null, [], ["milk"]]) expect((await addDish(lab, category_id, { allergens })).allergens).toEqual(allergens);
    expect((await addDish(lab, category_id, { allergens: ["milk", "eggs", "milk"] })).allergens).toHaveLength(2);
    for (const wrong of ["milk", { milk: true }, 5]) expectInvalid(await create({ allergens: wrong }), "allergens");
    for (const wrong of [["milch"], [null], [5], ["Milk"]]) expectInvalid(await create({ allergens: wrong }), "allergens.0");
  });

  test("R4.1-24 422 for a flag that is no boolean; false is stored", async () => {
    for (const field of ["is_available", "show_online"])
      for (const wrong of [null, "false", 0, []]) expectInvalid(await create({ [field]: wrong }), field);
    const { id } = await addDish(lab, category_id, { is_available: false, show_online: false });
    expect(await readDish(lab, id)).toMatchObject({ is_available: false, show_online: false });
  });

  test("R4.1-26 a new dish is the last of its category and of the list", async () => {
    const { open } = await labFloor();
    const before = await allItems(lab, { category_id });
    const { id } = await addDish(lab, category_id);
    const { data } = await openMenu(lab, open.data.id);
    const shown = data.categories.find((category) => category.id === category_id)?.items.map((item) => item.id) ?? [];
    const listed = (await allItems(lab, { category_id })).map((item) => item.id);
    for (const order of [shown, listed]) {
      expect(order).toContain(id);
      for (const earlier of before) expect(order.indexOf(earlier.id)).toBeLessThan(order.indexOf(id));
    }
  });

  test("R7.1-01 every field that is wrong is named at once, nested ones by their dotted path", async () => {
    const variants = [
      { name: { en: "S" }, price_minor: 1 },
      { name: "M", price_minor: -1 },
    ];
    const body = {
      category_id: "x",
      name: 5,
      variants,
      dietary: "fish",
      allergens: ["milk", "x"],
      is_available: 1,
      modifier_group_ids: ["x"],
    };
    expectInvalid(
      await createDish(lab, body),
      "category_id",
      "name",
      "variants.1.name",
      "variants.1.price_minor",
      "dietary",
      "allergens.1",
      "is_available",
      "modifier_group_ids.0",
    );
  });

  test("RX-23 a refused dish is not made", async () => {
    const { other } = await labFloor();
    const name = uniqueName("Refused");
    expectInvalid(await createDish(lab, dishBody(other.id, { name, variants: [{ name: {}, price_minor: 1 }] })));
    expectInvalid(await createDish(lab, dishBody(other.id, { name, modifier_group_ids: [999_999_999_999] })));
    expectInvalid(await createDish(lab, dishBody(other.id, { name, price_minor: -1 })));
    expect(await dishesNamed(lab, other.id, name)).toEqual([]);
  });

  test("R2.4-02 R2.4-05 R2.4-06 a dish with one price has no sizes; meta is the currency, links is empty", async () => {
    const answer = await create({ description: { en: "Hot" }, allergens: ["milk"] });
    expect(itemOf(answer)).toMatchObject({ price_minor: 1000, variants: [], description: { en: "Hot" }, allergens: ["milk"] });
    const { id } = itemOf(answer);
    const answers = [
      answer,
      await call(lab.tokens.full, "GET", `/items/${id}`),
      await call(lab.tokens.full, "PATCH", `/items/${id}`, { body: { name: "Broth" } }),
      await call(lab.tokens.full, "PUT", `/items/${id}/availability`, { body: { is_available: false } }),
    ];
    for (const { body } of answers) expect(body).toMatchObject({ meta: { currency: lab.currency }, links: {} });
    for (const { body } of answers) {
      const { meta, links } = body as { meta: object; links: object };
      expect([Object.keys(meta), Object.keys(links)]).toEqual([["currency"], []]);
    }
  });

  test("R2.4-02 R2.4-03 every dish of the list has one price or sizes, never both", async () => {
    for (const venue of activeVenues)
      for (const { price_minor, variants } of (await listItems(venue, { per_page: 100 })).data)
        expect(price_minor === null).toBe(variants.length > 0);
  });
});
