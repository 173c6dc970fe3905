/** Every area of a venue is changed in the console, exported, imported into another venue, and exported from there: both files are equal. */
import { randomUUID } from "node:crypto";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";

let app: TestApp;
let lab: TestVenue;
let other: TestVenue;
let owner: TestUser;
let receiver: TestUser;

beforeAll(async () => {
  app = await startApp();
  app.clock.set("2026-11-20T18:00:00Z");
  lab = await app.venue("lab", (file) => {
    file.restaurant.slug = "from-lab";
  });
  // Another venue with one branch and nothing else.
  other = await app.venue("lab", (file) => {
    const [branch] = file.branches;
    Object.assign(file, { tables: [], table_combinations: [], menus: [], modifier_groups: [], happy_hours: [], guests: [] });
    Object.assign(file, { branches: branch ? [{ ...branch, key: "elsewhere" }] : [] });
    file.restaurant.slug = "to-lab";
    file.charges = { taxes: [], service_charge: null, delivery_fee_tax: null, promotions: [] };
  });
  owner = await createUser(app, lab.slug, "owner", "olga@from-lab.example");
  receiver = await createUser(app, other.slug, "owner", "otto@to-lab.example");
});
afterAll(() => app.close());

const at = (path: string): string => `/venues/${lab.slug}${path}`;
const read = async (path: string) => (await owner.call("GET", at(path))).body.data;
const write = async (method: "PUT" | "POST", path: string, body: object): Promise<void> => {
  const done = await owner.call(method, at(path), { body, headers: { "idempotency-key": randomUUID() } });
  expect(done.status, `${path}: ${done.text}`).toBe(200);
};
const fileOf = async (who: TestUser, { slug }: TestVenue): Promise<VenueFile> =>
  (await who.call("GET", `/venues/${slug}/venue-file`)).body.data.file;

/** One change by the call of each area. */
const CHANGES: Record<string, () => Promise<void>> = {
  async restaurant() {
    const { version, value } = (await read("/settings")).restaurant;
    const restaurant = { ...value, name: { en: "Moved Lab", it: "Laboratorio" }, phone: "+1 555 0142", zone: "Europe/Rome" };
    await write("PUT", "/settings/restaurant", { seen_version: version, restaurant });
  },
  async branches() {
    const { version, value } = (await read("/settings")).branches;
    const branches = value.map(({ id: _, ...branch }: { id: number }) => ({
      ...branch,
      hours: [{ days: ["fri"], from: "10:00", to: "23:00" }],
      closing_days: [{ date: "2026-12-24", reason: "holiday" }],
    }));
    const fresh = { key: null, name: { en: "Garden" }, is_default: false, address: "1 Road", hours: null, closing_days: [] };
    await write("PUT", "/settings/branches", { seen_version: version, branches: [...branches, fresh] });
  },
  async tables() {
    const { branches, tables } = await read("/floor");
    const [{ id: branch_id, version }] = branches;
    const own = tables.filter((table: { branch_id: number }) => table.branch_id === branch_id);
    const wanted = own.map(({ key: _, branch_id: __, ...table }: { key: string; branch_id: number }) => table);
    const fresh = { id: null, name: "Terrace", code: "TR1", seats: 6, is_active: true, place: { x: 20, y: 30 }, shape: "round" };
    const combinations = [{ tables: [0, wanted.length], seats: 9 }];
    await write("PUT", "/floor", { branch_id, seen_version: version, tables: [...wanted, fresh], combinations });
  },
  async menus() {
    const plan = await read("/menu-plan");
    const [item] = plan.items;
    await write("POST", "/menu-plan", {
      menus: [{ key: "late", seen: null, value: { name: { en: "Late" }, is_active: true, hours: null } }],
      categories: [
        { key: "late-bites", seen: null, value: { menu: "late", name: { en: "Bites" }, is_active: true, hours: null, station: "grill" } },
      ],
      items: [{ key: item.key, seen: item.version, value: { ...item.value, allergens: ["milk"], description: { en: "New words" } } }],
      modifier_groups: [
        {
          key: "dips",
          seen: null,
          value: {
            name: { en: "Dips" },
            min_select: 0,
            max_select: 2,
            options: [{ key: "aioli", name: { en: "Aioli" }, price_minor: 50 }],
          },
        },
      ],
      happy_hours: [
        {
          key: "early",
          seen: null,
          value: {
            name: { en: "Early" },
            is_active: true,
            hours: null,
            percent_off: 12.5,
            price_minor: null,
            categories: ["late-bites"],
            items: [item.key],
            variants: [],
          },
        },
      ],
    });
  },
  async ingredients() {
    const ingredient = { name: { en: "Flour" }, sku: "F-1", unit: "kg", sells_out: true, par_levels: [{ branch: "main", level: 2.5 }] };
    const added = await owner.call("POST", at("/stock/ingredients"), {
      body: { ingredient },
      headers: { "idempotency-key": randomUUID() },
    });
    expect(added.status, added.text).toBe(201);
  },
  async recipes() {
    const { items } = await read("/menu-plan");
    const { id } = items.find(({ key }: { key: string }) => key === "with-options");
    const { version, ingredients } = await read(`/stock/recipes/${id}`);
    const takes = (quantity: number) => ({ ingredients: [{ ingredient: ingredients[0].key, quantity }] });
    const recipes = [
      { item: "with-options", ...takes(0.2) },
      { modifier_group: "any", option: "salt", ...takes(0.005) },
    ];
    await write("PUT", `/stock/recipes/${id}`, { seen_version: version, recipes });
  },
  async experiences() {
    const experience = { name: { en: "Tasting" }, description: { en: "Six wines" }, price_minor: 4500, branch: "annex", is_active: false };
    const added = await owner.call("POST", at("/experiences"), { body: { experience }, headers: { "idempotency-key": randomUUID() } });
    expect(added.status, added.text).toBe(201);
  },
  async ordering() {
    const { version, value } = (await read("/settings")).ordering;
    const delivery_zones = [{ name: "Town", cities: ["Labtown"], fee_minor: 450, minimum_minor: 900 }];
    await write("PUT", "/settings/ordering", { seen_version: version, ordering: { ...value, schedule_days_max: 21, delivery_zones } });
  },
  async booking() {
    const { version, rules } = await read("/booking-rules");
    const guarantee = { type: "card", amount_minor: 500, per_person: true, party_size_min: 4, hours: null };
    await write("PUT", "/booking-rules", { seen_version: version, rules: { ...rules, slot_minutes: 20, guarantee } });
  },
  async charges() {
    const { version, value } = (await read("/settings")).charges;
    const taxes = [...value.taxes, { key: "city", name: "City tax", rate: 2.875, inclusive: false, is_default: false }];
    const service_charge = { percent: 12.5, types: ["delivery"], tax: "city" };
    await write("PUT", "/settings/charges", {
      seen_version: version,
      charges: { ...value, taxes, service_charge, delivery_fee_tax: "city" },
    });
  },
  async shifts() {
    await write("PUT", "/shift-rules", { seen: { first_weekday: "monday" }, rules: { first_weekday: "saturday" } });
  },
};

test("what the console changed in each area arrives in another venue by its file", async () => {
  const begun = await fileOf(owner, lab);
  for (const change of Object.values(CHANGES)) await change();
  const file = await fileOf(owner, lab);
  for (const area of [...Object.keys(CHANGES), "table_combinations", "modifier_groups", "happy_hours"] as (keyof VenueFile)[])
    expect(file[area], area).not.toEqual(begun[area]);
  const text = JSON.stringify(file);
  const path = `/venues/${other.slug}/venue-file`;
  const compared = await receiver.call("POST", `${path}/comparison`, { body: { text } });
  expect(compared.status, compared.text).toBe(200);
  const body = { seen_version: compared.body.data.version, text };
  const done = await receiver.call("PUT", path, { body, headers: { "idempotency-key": randomUUID() } });
  expect(done.status, done.text).toBe(200);
  const arrived = await fileOf(receiver, other);
  expect(arrived.restaurant.slug).toBe(other.slug);
  expect({ ...arrived, restaurant: { ...arrived.restaurant, slug: lab.slug } }).toEqual(file);
});
