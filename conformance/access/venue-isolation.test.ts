/** A restaurant cannot read or change another's data, whatever ids it sends. */
import { pathParameters } from "@comanda/contract/operation.ts";
import { operationEntries } from "@comanda/contract/operations.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { exampleOf, pathOf, unknownPath } from "../examples.ts";
import { expectInvalid, expectRefused, uniqueName } from "../expectations.ts";
import { addDish, allItems, createDish, dishBody, listCategories, listMenus, patchDish, readDish } from "../menu/dishes.ts";
import { categoryFor, found, labFloor, openedMenus } from "../menu/floor.ts";
import { lab, neighbour } from "../target.ts";

for (const [id, operation] of operationEntries)
  if (pathParameters(operation.path).length > 0)
    test(`RX-13 ${id}: 404 for the neighbour's id, the same body as for an unknown id`, async () => {
      const { params, body } = await exampleOf(id, neighbour);
      const foreign = await call(lab.tokens.full, operation.method, pathOf(operation, params), { body });
      const nobodys = await call(lab.tokens.full, operation.method, unknownPath(operation), { body });
      expectRefused(foreign, "not_found");
      expect(foreign.body).toEqual(nobodys.body);
      expectRefused(nobodys, "not_found");
    });

describe("the neighbour", () => {
  let neighbourCategory: number;
  let neighbourGroup: number;

  beforeAll(async () => {
    neighbourCategory = await categoryFor(neighbour);
    const menus = await openedMenus(neighbour);
    const dishes = menus.flatMap(({ data }) => data.categories).flatMap(({ items }) => items);
    const grouped = found("a dish of the neighbour with modifiers", dishes, (dish) => dish.modifier_groups.length > 0);
    neighbourGroup = found("its first group", grouped.modifier_groups, () => true).id;
  });

  test("RX-14 is in none of our lists", async () => {
    const dish = await addDish(neighbour, neighbourCategory, { name: uniqueName("Neighbour") });
    const ours = await allItems(lab);
    expect(ours.map(({ name }) => name)).not.toContainEqual(dish.name);
    expect(ours.map(({ id }) => id)).not.toContain(dish.id);
    const theirMenus = (await listMenus(neighbour)).data.map(({ id }) => id);
    const theirCategories = (await listCategories(neighbour)).data.map(({ id }) => id);
    for (const { id } of (await listMenus(lab)).data) expect(theirMenus).not.toContain(id);
    for (const { id } of (await listCategories(lab)).data) expect(theirCategories).not.toContain(id);
    expect(await allItems(lab, { category_id: neighbourCategory })).toEqual([]);
  });

  test("RX-14 is not changed by our writes", async () => {
    const before = await addDish(neighbour, neighbourCategory);
    expectRefused(await patchDish(lab, before.id, { name: "Taken", price_minor: 1 }), "not_found");
    const body = { is_available: false };
    expectRefused(await call(lab.tokens.full, "PUT", `/items/${before.id}/availability`, { body }), "not_found");
    expect(await readDish(neighbour, before.id)).toEqual(before);
  });

  test("RX-15 422 for the neighbour's category and groups in a new dish, as if unknown", async () => {
    const { home } = await labFloor();
    expectInvalid(await createDish(lab, dishBody(neighbourCategory)), "category_id");
    const foreign = dishBody(home.id, { modifier_group_ids: [neighbourGroup] });
    expectInvalid(await createDish(lab, foreign), "modifier_group_ids.0");
  });

  test("RX-15 422 for the neighbour's category in a changed dish, which stays where it was", async () => {
    const { home } = await labFloor();
    const before = await addDish(lab, home.id);
    expectInvalid(await patchDish(lab, before.id, { category_id: neighbourCategory, name: "Moved" }), "category_id");
    expect(await readDish(lab, before.id)).toEqual(before);
  });
});
