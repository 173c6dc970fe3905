/** POST /orders: the size and the options of a dish, and the price that a happy hour charges now. */
import type { Item } from "@comanda/contract/venue/menu.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { expectInvalid } from "../expectations.ts";
import { changeDish, openMenu, putAvailability, threeSizes } from "../menu/dishes.ts";
import { found, labFloor, openedMenus } from "../menu/floor.ts";
import { lab, neighbour } from "../target.ts";
import { expectLines, readPriceBook } from "./bill.ts";
import { type Choices, choicesOf, labDishes, nth, ownDish, sellableDish } from "./counter.ts";
import { getOrder, type OrderFields, placeOrder, postOrder } from "./orders.ts";

const UNKNOWN = 999_999_999_999;

let plain: Item;
let sized: Item;
let choices: Choices;

beforeAll(async () => {
  plain = await sellableDish(lab);
  sized = await ownDish({ variants: threeSizes() });
  choices = await choicesOf();
});

/** The fault must be named at the second line, where it is. */
const refused = async (line: OrderFields, field: string) => {
  const lines = [
    { item_id: plain.id, quantity: 1 },
    { quantity: 1, ...line },
  ];
  expectInvalid(await postOrder(lab, { lines }), `lines.1.${field}`);
};

describe("variant_id", () => {
  test("R4.2-21 each size has its own name and price on the line", async () => {
    const lines = sized.variants.map(({ id }) => ({ item_id: sized.id, variant_id: id, quantity: 2 }));
    const { items } = await placeOrder(lab, { lines });
    const shown = items.map(({ variant_name, unit_price_minor }) => ({ variant_name, unit_price_minor }));
    expect(shown).toEqual(sized.variants.map(({ name, price_minor }) => ({ variant_name: name, unit_price_minor: price_minor })));
  });

  test("R4.2-21 R7.1-07 422 for a dish of sizes without one: the venue does not assume the default", async () => {
    for (const line of [{}, { variant_id: null }]) await refused({ item_id: sized.id, ...line }, "variant_id");
  });

  test("R4.2-21 422 for a size of another dish, or an unknown one", async () => {
    const other = await ownDish({ variants: threeSizes() });
    for (const variant_id of [other.variants[0]?.id, UNKNOWN, Number.MAX_SAFE_INTEGER])
      await refused({ item_id: sized.id, variant_id }, "variant_id");
  });

  test("R4.2-21 422 for a size on a dish with one price; null is none", async () => {
    for (const variant_id of [sized.variants[0]?.id, UNKNOWN]) await refused({ item_id: plain.id, variant_id }, "variant_id");
    expect((await placeOrder(lab, { lines: [{ item_id: plain.id, variant_id: null, quantity: 1 }] })).items[0]?.variant_name).toBeNull();
  });

  test("R4.2-21 RX-25 422 for what is no id", async () => {
    for (const variant_id of [String(sized.variants[0]?.id), 1.5, 0, -1, true, [], {}])
      await refused({ item_id: sized.id, variant_id }, "variant_id");
  });

  test("R4.2-21 RX-15 422 for a size of the neighbour, as if unknown", async () => {
    const dishes = (await openedMenus(neighbour)).flatMap(({ data }) => data.categories).flatMap(({ items }) => items);
    const foreign = found("a size of the neighbour", dishes, ({ variants }) => variants.length > 0).variants[0];
    await refused({ item_id: sized.id, variant_id: foreign?.id }, "variant_id");
  });
});

describe("option_ids", () => {
  test("R4.2-22 each option is a modifier with its name and price, and counts for every piece", async () => {
    const { dish, oneOf, any } = choices;
    const lines = [
      { item_id: dish.id, quantity: 4, option_ids: [nth(oneOf, 2), ...any] },
      { item_id: dish.id, quantity: 1, option_ids: [nth(oneOf, 0)] },
    ];
    const order = await placeOrder(lab, { lines });
    expectLines(order, await readPriceBook(lab), lines);
    expect(order.items.map(({ modifiers }) => modifiers.length)).toEqual([1 + any.length, 1]);
    const [full, bare] = order.items;
    expect(full?.line_total_minor).toBeGreaterThan(4 * (bare?.line_total_minor ?? 0));
  });

  test("R4.2-22 RX-25 RX-26 422 for what is no list of ids", async () => {
    for (const option_ids of [null, "red", 5, {}, true]) await refused({ item_id: plain.id, option_ids }, "option_ids");
    for (const wrong of ["x", 1.5, null, 0, -1, true, []]) await refused({ item_id: plain.id, option_ids: [wrong] }, "option_ids.0");
  });

  test("R4.2-22 422 at its place for an option of no group of the dish", async () => {
    const { dish, oneOf } = choices;
    await refused({ item_id: plain.id, option_ids: [nth(oneOf, 0)] }, "option_ids.0");
    await refused({ item_id: dish.id, option_ids: [nth(oneOf, 0), UNKNOWN] }, "option_ids.1");
  });

  test("R4.2-22 422 at its place for an option that is sold out", async () => {
    const { dish, oneOf, any, soldOut } = choices;
    await refused({ item_id: dish.id, option_ids: [nth(oneOf, 0), nth(any, 0), soldOut] }, "option_ids.2");
  });

  test("R4.2-22 422 at its place for an option chosen twice", async () => {
    const { dish, oneOf, any } = choices;
    await refused({ item_id: dish.id, option_ids: [nth(any, 0), nth(oneOf, 0), nth(any, 0)] }, "option_ids.2");
  });

  test("R4.2-22 RX-15 422 for an option of the neighbour, as if unknown", async () => {
    const dishes = (await openedMenus(neighbour)).flatMap(({ data }) => data.categories).flatMap(({ items }) => items);
    const options = dishes.flatMap(({ modifier_groups }) => modifier_groups).flatMap((group) => group.options);
    const foreign = found("an option of the neighbour", options, () => true);
    await refused({ item_id: choices.dish.id, option_ids: [nth(choices.oneOf, 0), foreign.id] }, "option_ids.1");
  });

  test("R4.2-22 none is none: left out and empty are the same on a dish without groups", async () => {
    for (const parts of [{}, { option_ids: [] }])
      expect((await placeOrder(lab, { lines: [{ item_id: plain.id, quantity: 1, ...parts }] })).items[0]?.modifiers).toEqual([]);
  });

  test("R4.2-23 R7.1-07 422 for fewer options than a group asks for, also when nothing is said", async () => {
    const { dish, any } = choices;
    for (const parts of [{}, { option_ids: [] }, { option_ids: any }]) await refused({ item_id: dish.id, ...parts }, "option_ids");
  });

  test("R4.2-23 422 for more options than a group takes", async () => {
    const { dish, oneOf } = choices;
    await refused({ item_id: dish.id, option_ids: oneOf.slice(0, 2) }, "option_ids");
    await refused({ item_id: dish.id, option_ids: oneOf }, "option_ids");
  });

  test("R4.2-23 exactly as many as the group takes, and any number where it sets no bound", async () => {
    const { dish, oneOf, any } = choices;
    for (const one of oneOf)
      for (const some of [[], any.slice(0, 1), any]) {
        const { items } = await placeOrder(lab, { lines: [{ item_id: dish.id, quantity: 1, option_ids: [...some, one] }] });
        expect(items[0]?.modifiers).toHaveLength(1 + some.length);
      }
  });
});

describe("happy hour", () => {
  test("R4.2-24 every dish and size that meta.now lists is sold at the price it lists", async () => {
    const { open } = await labFloor();
    const { meta } = await openMenu(lab, open.data.id);
    expect(meta.now.prices.length).toBeGreaterThanOrEqual(3);
    const lines = meta.now.prices.map(({ item_id, variant_id }) => ({
      item_id,
      quantity: 3,
      ...(variant_id === null ? {} : { variant_id }),
    }));
    const order = await placeOrder(lab, { lines });
    expect(order.items.map(({ unit_price_minor }) => unit_price_minor)).toEqual(meta.now.prices.map(({ price_minor }) => price_minor));
    expectLines(order, await readPriceBook(lab), lines);
  });

  test("R4.2-24 the sizes beside a cut one are sold at their own price", async () => {
    const { open } = await labFloor();
    const { prices } = (await openMenu(lab, open.data.id)).meta.now;
    const cut = found("a size that a happy hour has cut", prices, ({ variant_id }) => variant_id !== null);
    const dish = found("its dish", await labDishes(), ({ id }) => id === cut.item_id);
    const others = dish.variants.filter(({ id }) => id !== cut.variant_id);
    const { items } = await placeOrder(lab, { lines: others.map(({ id }) => ({ item_id: dish.id, variant_id: id, quantity: 1 })) });
    expect(items.map(({ unit_price_minor }) => unit_price_minor)).toEqual(others.map(({ price_minor }) => price_minor));
  });
});

test("R4.2-25 an order stays as it was sold, whatever becomes of the dish", async () => {
  const dish = await ownDish({ name: "As sold", price_minor: 1234 });
  const big = await ownDish({ variants: threeSizes() });
  const lines = [
    { item_id: dish.id, quantity: 2 },
    { item_id: big.id, variant_id: big.variants[2]?.id, quantity: 1 },
  ];
  const { id } = await placeOrder(lab, { lines });
  const before = await getOrder(lab, id);
  await changeDish(lab, dish.id, { price_minor: 1, name: "Renamed", show_online: false, category_id: (await labFloor()).other.id });
  await changeDish(lab, big.id, { name: { it: "Tutto nuovo" } });
  for (const { item_id } of lines) await putAvailability(lab, item_id, { is_available: false });
  expect((await getOrder(lab, id)).text).toBe(before.text);
});
