/** Valid writes for stock and shifts. Shifts that are copied or published have a week of their own. */
import type { PlannedShift } from "@comanda/contract/console/shifts.ts";
import type { DishRecipe } from "@comanda/contract/console/stock.ts";
import type { Scenarios, WritesWorld } from "./console-writes-world.ts";

const INGREDIENT = { name: { en: "Flour" }, sku: "", unit: "kg" as const, sells_out: false, par_levels: [] };

const added = async ({ stock, day }: WritesWorld): Promise<number> => (await stock.add({ name: { en: `Flour of ${day()}` }, sku: "" })).id;

const lines = async (world: WritesWorld) => {
  const id = await added(world);
  await world.stock.deliver(id, 10);
  return [{ ingredient_id: id, quantity: 2 }];
};

const shiftOf = ({ staff_id, date, from, to, role, note }: PlannedShift) => ({ staff_id, date, from, to, role, note });
const planned = ({ shifts, member, day }: WritesWorld): Promise<PlannedShift> => shifts.add(member.id, day());

type StockCalls =
  | "addIngredient"
  | "saveIngredient"
  | "removeIngredient"
  | "countIngredient"
  | "recordDelivery"
  | "recordWaste"
  | "saveRecipe"
  | "addShift"
  | "changeShift"
  | "removeShift"
  | "restoreShift"
  | "copyShiftWeek"
  | "publishShiftWeek"
  | "saveShiftRules";

export const stockScenarios: Scenarios<StockCalls> = {
  addIngredient: async () => ({ body: { ingredient: INGREDIENT } }),
  saveIngredient: async ({ stock }) => {
    const { id, version, value } = await stock.add({ name: { en: "Sugar" }, sku: "" });
    return { params: { id }, body: { seen_version: version, ingredient: { ...value, name: { en: "Brown sugar" } } } };
  },
  removeIngredient: async (world) => ({ params: { id: await added(world) } }),
  countIngredient: async (world) => {
    const id = await added(world);
    const { on_hand } = await world.stock.levelOf(id);
    return { params: { id }, body: { branch_id: world.stock.branchId, counted: 7, seen_on_hand: on_hand } };
  },
  recordDelivery: async (world) => ({ body: { branch_id: world.stock.branchId, lines: await lines(world), reason: null } }),
  recordWaste: async (world) => ({ body: { branch_id: world.stock.branchId, lines: await lines(world), reason: "fell down" } }),
  saveRecipe: async (world) => {
    const id = await world.dish("Twice-Cut Toast");
    const ingredient = await world.stock.keyOf(await added(world));
    const { version, key, recipes }: DishRecipe = await world.done("GET", `/stock/recipes/${id}`);
    const recipe = { item: key, variant: null, modifier_group: null, option: null, ingredients: [{ ingredient, quantity: 0.2 }] };
    return { params: { id }, body: { seen_version: version, recipes: [...recipes, recipe] } };
  },
  addShift: async ({ shifts, member, day }) => ({
    body: { branch_id: shifts.branchId, shift: { staff_id: member.id, date: day(), from: "10:00", to: "18:00", role: null, note: null } },
  }),
  changeShift: async (world) => {
    const shift = await planned(world);
    return { params: { id: shift.id }, body: { seen_version: shift.version, shift: { ...shiftOf(shift), to: "19:00" } } };
  },
  removeShift: async (world) => {
    const { id, version } = await planned(world);
    return { params: { id }, body: { seen_version: version } };
  },
  restoreShift: async (world) => {
    const shift = await planned(world);
    await world.shifts.publish(shift.date);
    const { id, version } = await world.shifts.remove(shift);
    return { params: { id }, body: { seen_version: version } };
  },
  copyShiftWeek: async ({ shifts, member }) => {
    await shifts.add(member.id, "2027-03-02");
    return { body: { branch_id: shifts.branchId, from_week: "2027-03-01", to_week: "2027-03-08" } };
  },
  publishShiftWeek: async ({ shifts, member }) => {
    await shifts.add(member.id, "2027-04-06");
    const { version } = await shifts.week("2027-04-05");
    return { body: { branch_id: shifts.branchId, week_start: "2027-04-05", seen_version: version } };
  },
  saveShiftRules: async ({ cafe, cafeOwner }) => {
    const { rules } = (await cafeOwner.call("GET", `/venues/${cafe.slug}/shifts`)).body.data;
    return {
      params: { venue: cafe.slug },
      body: { seen: rules, rules: { first_weekday: rules.first_weekday === "monday" ? "sunday" : "monday" } },
      by: { cookie: cafeOwner.cookie },
    };
  },
};
