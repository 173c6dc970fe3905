/** Dishes and options are sold out by themselves while an ingredient is missing, and come back with it if it was the stock that sold them out. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createUser, type TestUser } from "../../../test/support/console-client.ts";
import { type StockTools, stockTools } from "../../../test/support/stock.ts";
import { startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";
import { asSystem } from "../../compose/as-system.ts";
import { stockJobs } from "./jobs.ts";

let app: TestApp;
let lab: TestVenue;
let manager: TestUser;
let stock: StockTools;
let items: { id: number; name: { en: string }; modifier_groups: { options: { id: number; name: { en: string } }[] }[] }[];

beforeAll(async () => {
  app = await startApp({ environment: { CONSOLE_RATE_PER_MINUTE: "60000" } });
  lab = await app.venue("lab");
  manager = await createUser(app, lab.slug, "manager", "max@lab.example");
  stock = await stockTools(app, lab, manager);
  items = (await app.call(lab.token, "GET", "/items?per_page=100")).body.data;
});
afterAll(() => app.close());

const idOf = (name: string): number => items.find((item) => item.name.en === name)?.id ?? 0;
const api = async (id: number) => (await app.call(lab.token, "GET", `/items/${id}`)).body.data;
const isOnSale = async (id: number): Promise<boolean> => (await api(id)).is_available;
const jobs = async (): Promise<number> =>
  (await app.database.asOwner("select from jobs.job where name = 'follow-stock' and (data ->> 'restaurant_id')::bigint = $1", [lab.id]))
    .length;
const follow = () => stockJobs["follow-stock"](asSystem(app.deps, lab.id), {});
const toldOf = async (id: number): Promise<boolean[]> =>
  (
    await app.database.asOwner<{ body: string }>(
      "select body from events where type = 'menu.item_updated' and (body::jsonb -> 'data' -> 'item' ->> 'id')::bigint = $1 order by created_at, id",
      [id],
    )
  ).map(({ body }) => JSON.parse(body).data.item.is_available);
const accept = async (itemId: number): Promise<void> => {
  const { body, text } = await app.call(lab.token, "POST", "/orders", {
    body: { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100", lines: [{ item_id: itemId, quantity: 1 }] },
  });
  const { status } = await app.call(lab.token, "POST", `/orders/${body.data?.id}/status`, { body: { status: "accepted" } });
  expect(status, text).toBe(200);
};

beforeEach(async () => {
  for (const name of ["Plain Plate", "Sized Salad", "Optional Omelette"]) await stock.recipe(idOf(name), []);
});

test("the last of an ingredient sells its dishes out, tells and logs it once, and a delivery brings them back", async () => {
  const plain = idOf("Plain Plate");
  const { id } = await stock.add({ sells_out: true });
  await stock.recipe(plain, [{ ingredients: [{ ingredient: await stock.keyOf(id), quantity: 1 }] }]);
  // Nothing was counted: nothing is known, and nothing is sold out.
  await follow();
  expect(await isOnSale(plain)).toBe(true);
  await stock.count(id, 2);
  await accept(plain);
  await follow();
  expect(await isOnSale(plain)).toBe(true);
  const before = await jobs();
  await accept(plain);
  expect(await jobs()).toBe(before + 1);
  await Promise.all([follow(), follow()]);
  expect([await isOnSale(plain), await toldOf(plain)]).toEqual([false, [false]]);
  await stock.deliver(id, 5);
  await follow();
  expect([await isOnSale(plain), await toldOf(plain)]).toEqual([true, [false, true]]);
  const log = await app.database.asOwner(
    "select actor_kind, after from audit_entries where action = 'item.availability_changed' and subject_id = $1 order by id",
    [String(plain)],
  );
  expect(log).toEqual([
    { actor_kind: "system", after: { is_available: false, by_stock: true } },
    { actor_kind: "system", after: { is_available: true, by_stock: true } },
  ]);
});

test("what a person decides stands: sold out by hand stays, and on sale again is not sold out until it runs out again", async () => {
  const plain = idOf("Plain Plate");
  const { id } = await stock.add({ sells_out: true });
  await stock.recipe(plain, [{ ingredients: [{ ingredient: await stock.keyOf(id), quantity: 1 }] }]);
  const put = (is_available: boolean) => app.call(lab.token, "PUT", `/items/${plain}/availability`, { body: { is_available } });
  await stock.count(id, 3);
  await put(false);
  await stock.count(id, 0);
  await follow();
  await stock.count(id, 9);
  await follow();
  expect(await isOnSale(plain)).toBe(false);
  await put(true);
  await stock.count(id, 0);
  await follow();
  expect(await isOnSale(plain)).toBe(false);
  // Staff say until when: from then on it is theirs.
  const dish = (await stock.done("GET", "/menu-today")).dishes.find((one: { id: number }) => one.id === plain);
  await stock.done("POST", `/menu-today/dishes/${plain}`, { seen: dish.state, to: "today" });
  await stock.count(id, 9);
  await follow();
  expect(await isOnSale(plain)).toBe(false);
  await put(true);
});

test("a dish is short of what each of its sizes needs, not of what one needs; an option sells out alone", async () => {
  const [sized, optional] = [idOf("Sized Salad"), idOf("Optional Omelette")];
  const { id } = await stock.add({ sells_out: true });
  const ingredients = [{ ingredient: await stock.keyOf(id), quantity: 1 }];
  await stock.recipe(sized, [{ variant: "small", ingredients }]);
  await stock.recipe(optional, [{ item: null, modifier_group: "any", option: "pepper", ingredients }]);
  await stock.count(id, 0);
  await follow();
  const pepper = async (): Promise<boolean> => {
    const { modifier_groups } = (await api(optional)) as (typeof items)[number];
    const option = modifier_groups.flatMap(({ options }) => options).find(({ name }) => name.en.toLowerCase() === "pepper");
    return (option as { is_available?: boolean } | undefined)?.is_available ?? false;
  };
  expect([await isOnSale(sized), await isOnSale(optional), await pepper()]).toEqual([true, true, false]);
  await stock.recipe(
    sized,
    ["small", "medium", "large"].map((variant) => ({ variant, ingredients })),
  );
  await follow();
  expect(await isOnSale(sized)).toBe(false);
  // Another branch has some: the dish is sold there, and there is one flag for all.
  const annex = stock.branches.find(({ key }) => key === "annex")?.id ?? 0;
  await stock.done("POST", "/stock/deliveries", { branch_id: annex, lines: [{ ingredient_id: id, quantity: 1 }], reason: null });
  await follow();
  expect([await isOnSale(sized), await pepper()]).toEqual([true, true]);
});

test("the switch and the recipe count at once: off, or taken out of the recipe, brings the dish back", async () => {
  const plain = idOf("Plain Plate");
  const { id } = await stock.add({ sells_out: true });
  const recipe = [{ ingredients: [{ ingredient: await stock.keyOf(id), quantity: 1 }] }];
  await stock.count(id, 0);
  const before = await jobs();
  await stock.recipe(plain, recipe);
  expect(await jobs()).toBe(before + 1);
  await follow();
  expect(await isOnSale(plain)).toBe(false);
  const { version, value } = (await stock.done("GET", `/stock/ingredients/${id}`)) as { version: string; value: object };
  await stock.done("PUT", `/stock/ingredients/${id}`, { seen_version: version, ingredient: { ...value, sells_out: false } });
  expect(await jobs()).toBe(before + 2);
  await follow();
  expect(await isOnSale(plain)).toBe(true);
});
