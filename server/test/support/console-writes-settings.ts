/** Valid writes for what a venue is set to, for its till and its file, and for a venue that is being opened. */
import type { BookingRuleSet, VenueFloor } from "@comanda/contract/console/floor.ts";
import type { VenueSettingParts } from "@comanda/contract/console/venue-settings.ts";
import { connectPos } from "../../src/venue/kitchen/pos/service.ts";
import type { ConsoleCallOptions } from "./console-client.ts";
import type { Scenarios, WritesWorld } from "./console-writes-world.ts";
import { openVenue } from "./opened-venue.ts";
import { forVenue } from "./test-app.ts";

const settings = ({ done }: WritesWorld): Promise<VenueSettingParts> => done("GET", "/settings");

const opened = async ({ app }: WritesWorld, name: string): Promise<{ params: { venue: string }; by: ConsoleCallOptions }> => {
  const { slug, cookie } = await openVenue(app, `${name}@example.com`, name);
  return { params: { venue: slug }, by: { cookie } };
};

const TILL = "https://pos.example/orders";

type SettingCalls =
  | "saveFloor"
  | "saveBookingRules"
  | "saveRestaurant"
  | "saveBranches"
  | "closeBranchOn"
  | "openBranchOn"
  | "saveOrdering"
  | "saveCharges"
  | "disconnectTill"
  | "importVenueFile"
  | "placeTestOrder"
  | "goLive";

export const settingScenarios: Scenarios<SettingCalls> = {
  saveFloor: async ({ done }) => {
    const { branches, tables }: VenueFloor = await done("GET", "/floor");
    const branch = branches.find(({ id }) => id === tables[0]?.branch_id) ?? branches[0];
    const kept = tables.filter(({ branch_id }) => branch_id === branch?.id).map(({ key: _, branch_id: __, ...table }) => table);
    const added = { id: null, name: "New table", code: "new", seats: 2, is_active: true, place: null, shape: "square" as const };
    const body = { branch_id: branch?.id ?? 0, seen_version: branch?.version ?? "", tables: [...kept, added], combinations: [] };
    return { body };
  },
  saveBookingRules: async ({ done }) => {
    const { version, rules }: BookingRuleSet = await done("GET", "/booking-rules");
    return { body: { seen_version: version, rules: { ...rules, horizon_days: 300 } } };
  },
  saveRestaurant: async (world) => {
    const { version, value } = (await settings(world)).restaurant;
    return { body: { seen_version: version, restaurant: { ...value, name: { en: "The other lab" } } } };
  },
  saveBranches: async (world) => {
    const { version, value } = (await settings(world)).branches;
    const [first] = value;
    if (!first) throw new Error("The lab has no branch");
    const { id: _, ...like } = first;
    const added = { ...like, key: null, name: { en: "New branch" }, is_default: false };
    return { body: { seen_version: version, branches: [...value.map(({ id: __, ...branch }) => branch), added] } };
  },
  closeBranchOn: async ({ stock, day }) => ({ body: { branch_id: stock.branchId, date: day(), reason: "holiday" } }),
  openBranchOn: async ({ stock, day, done }) => {
    const body = { branch_id: stock.branchId, date: day() };
    await done("POST", "/closing-days", { ...body, reason: "holiday" });
    return { body };
  },
  saveOrdering: async (world) => {
    const { version, value } = (await settings(world)).ordering;
    return { body: { seen_version: version, ordering: { ...value, delivery_fee_minor: 350 } } };
  },
  saveCharges: async (world) => {
    const { version, value } = (await settings(world)).charges;
    return { body: { seen_version: version, charges: { ...value, taxes: value.taxes.map((tax) => ({ ...tax, rate: tax.rate + 1 })) } } };
  },
  disconnectTill: async ({ app, lab }) => {
    await forVenue(app.deps, lab.slug, (ctx) => connectPos(ctx, TILL, app.deps.config.encryptionKeys));
    return { body: { seen_url: TILL } };
  },
  importVenueFile: async ({ cafe, cafeOwner }) => {
    const { version, file } = (await cafeOwner.call("GET", `/venues/${cafe.slug}/venue-file`)).body.data;
    const text = JSON.stringify({ ...file, restaurant: { ...file.restaurant, name: { ar: "بيت آخر", en: "Another restaurant" } } });
    return { params: { venue: cafe.slug }, body: { seen_version: version, text }, by: { cookie: cafeOwner.cookie } };
  },
  placeTestOrder: (world) => opened(world, "tested"),
  goLive: (world) => opened(world, "live"),
};
