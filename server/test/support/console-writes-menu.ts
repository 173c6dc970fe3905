/** Valid writes for the menu and for what is sold out today. Each has a dish of its own. */
import type { MenuPlan, PlanItem, ScheduledPrice } from "@comanda/contract/console/menu-editor.ts";
import type { MenuToday } from "@comanda/contract/console/menu-today.ts";
import type { Scenarios, WritesWorld } from "./console-writes-world.ts";

const dishOf = async ({ done }: WritesWorld, key: string): Promise<PlanItem> => {
  const plan: MenuPlan = await done("GET", "/menu-plan");
  const found = plan.items.find((item) => item.key === key);
  if (!found) throw new Error(`The menu has no dish ${key}`);
  return found;
};

const today = ({ done }: WritesWorld): Promise<MenuToday> => done("GET", "/menu-today");

const prices = (key: string) => [{ item: key, variant: null, price_minor: 1290 }];

type MenuCalls = "setDishToday" | "setOptionToday" | "saveMenu" | "schedulePrices" | "cancelScheduledPrices" | "putBackMenu";

export const menuScenarios: Scenarios<MenuCalls> = {
  setDishToday: async (world) => {
    const dish = (await today(world)).dishes.find(({ name }) => name.en === "Cut-Price Curry");
    if (!dish) throw new Error("The menu has no curry");
    return { params: { id: dish.id }, body: { seen: dish.state, to: "count", remaining: 12 } };
  },
  setOptionToday: async (world) => {
    const option = (await today(world)).options.find(({ name }) => name.en === "Chilli");
    if (!option) throw new Error("The menu has no chilli");
    return { params: { id: option.id }, body: { seen: option.state, to: "today" } };
  },
  saveMenu: async () => ({
    body: { menus: [{ key: "late", seen: null, value: { name: { en: "Late" }, is_active: true, hours: null } }] },
  }),
  schedulePrices: async ({ day }) => ({ body: { prices: prices("plain"), date: day(), time: "05:00" } }),
  cancelScheduledPrices: async ({ done, day }) => {
    await done("POST", "/scheduled-prices", { prices: prices("twice"), date: day(), time: "05:00" });
    const planned: ScheduledPrice[] = await done("GET", "/scheduled-prices");
    return { body: { ids: planned.filter(({ item }) => item === "twice").map(({ id }) => id) } };
  },
  putBackMenu: async (world) => {
    const { app, lab, done } = world;
    const { id, key, version, value } = await dishOf(world, "offline");
    await done("POST", "/menu-plan", { items: [{ key, seen: version, value: { ...value, price_minor: 950 } }] });
    const [entry] = await app.database.asOwner<{ id: string }>(
      "select max(id) as id from audit_entries where restaurant_id = $1 and subject_kind = 'item' and subject_id = $2::text",
      [lab.id, id],
    );
    return { body: { entries: [Number(entry?.id)] } };
  },
};
