/** The restaurant, ordering rules and charges as people set them, over HTTP: what is stored and refused, and what the API then answers. */
import { randomUUID } from "node:crypto";
import type { SampleOrder, VenueSettingParts } from "@comanda/contract/console/venue-settings.ts";
import type { Charges } from "@comanda/contract/venue-file/charges.ts";
import type { OrderingRules } from "@comanda/contract/venue-file/ordering-rules.ts";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { importVenue } from "#compose/import-venue.ts";
import { collectVenueFile, parseVenueFile } from "#venue/setup/venue-file/service.ts";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";

const NOW = "2026-11-20T18:00:00Z";

let app: TestApp;
let lab: TestVenue;
let owner: TestUser;
let manager: TestUser;
let staff: TestUser;
let begun: VenueFile;
let dishes: Record<string, number>;

beforeAll(async () => {
  app = await startApp();
  app.clock.set(NOW);
  lab = await app.venue("lab", (file) => {
    file.restaurant.slug = "settings-lab";
    begun = file;
  });
  const user = (role: "owner" | "manager" | "staff", name: string) => createUser(app, lab.slug, role, `${name}@${lab.slug}.example`);
  [owner, manager, staff] = [await user("owner", "olga"), await user("manager", "max"), await user("staff", "sam")];
  begun.staff = (await exported()).staff;
  const { data } = (await app.call(lab.token, "GET", "/items?per_page=100")).body;
  dishes = Object.fromEntries(data.map(({ id, name }: { id: number; name: { en: string } }) => [name.en, id]));
});
afterAll(() => app.close());

beforeEach(async () => {
  app.clock.set(NOW);
  await importVenue(app.deps, structuredClone(begun));
  await app.database.asOwner("delete from audit_entries where restaurant_id = $1", [lab.id]);
});

const exported = () => forVenue(app.deps, lab.slug, collectVenueFile);
const venuePath = (path: string): string => `/venues/${lab.slug}${path}`;
const settings = async (): Promise<VenueSettingParts> => (await manager.call("GET", venuePath("/settings"))).body.data;

type PartName = "restaurant" | "ordering" | "charges";
const put = (who: TestUser, part: PartName, seen_version: string, value: object) =>
  who.call("PUT", venuePath(`/settings/${part}`), {
    body: { seen_version, [part]: value },
    headers: { "idempotency-key": randomUUID() },
  });
const changeOrdering = async (change: (ordering: OrderingRules) => void) => {
  const { version, value } = (await settings()).ordering;
  change(value);
  return put(manager, "ordering", version, value);
};
const changeCharges = async (change: (charges: Charges) => void) => {
  const { version, value } = (await settings()).charges;
  change(value);
  return put(manager, "charges", version, value);
};
const saveDetails = async (who: TestUser, changes: object) => {
  const { version, value } = (await settings()).restaurant;
  return put(who, "restaurant", version, { ...value, ...changes });
};
const order = (type: string, names: string[], changes: object = {}) =>
  app.call(lab.token, "POST", "/orders", {
    body: {
      type,
      customer_name: "Ada",
      customer_phone: "+1 555 0100",
      lines: names.map((name) => ({ item_id: dishes[name], quantity: 1 })),
      ...changes,
    },
  });
const delivery = (names: string[], city = "Labtown") =>
  order("delivery", names, { delivery_address: { line1: "1 Road", city, phone: "+1 555 0100" } });
const slots = async (date: string): Promise<unknown[]> =>
  (await app.call(lab.token, "GET", `/availability?date=${date}&party_size=2`)).body.data.slots;
const entries = () =>
  app.database.asOwner<{ action: string; actor_name: string; before: object; after: object }>(
    "select action, actor_name, before, after from audit_entries where restaurant_id = $1 and subject_kind <> 'order' order by id",
    [lab.id],
  );
const sample = (body: SampleOrder) => manager.call("POST", venuePath("/sample-receipts"), { body });

test("the settings are those of the file, each part with its version", async () => {
  const { restaurant, branches, ordering, charges } = await settings();
  const { slug, currency, plan: _, ...details } = begun.restaurant;
  expect(restaurant).toEqual({ version: expect.any(String), slug, currency, value: details });
  expect(branches.value.map(({ id: __, ...branch }) => branch)).toEqual(begun.branches);
  expect([ordering.value, charges.value]).toEqual([begun.ordering, begun.charges]);
});

test("the owner changes name, address, language and zone; bookings follow the new clock; slug, plan and currency stay", async () => {
  expect(await slots("2026-11-20")).not.toEqual([]);
  const changes = {
    name: { it: "Il Laboratorio", en: "Lab" },
    zone: "Pacific/Auckland",
    default_language: "it",
    email: null,
    phone: "+39 06 1",
  };
  const saved = await saveDetails(owner, { ...changes, slug: "other", currency: "EUR", plan: "free" });
  expect([saved.status, saved.body.data.value]).toEqual([200, changes]);
  const file = await exported();
  expect(file.restaurant).toEqual({ ...begun.restaurant, ...changes });
  // 07:00 of the 21st in Auckland.
  const { date } = (await staff.call("GET", venuePath("/bookings"))).body.data;
  expect(date).toBe("2026-11-21");
  expect(await slots("2026-11-20")).toEqual([]);
  expect(await entries()).toMatchObject([{ action: "restaurant.changed", actor_name: "olga", before: { zone: "UTC" }, after: changes }]);
  expect((await saveDetails(owner, {})).status).toBe(200);
  expect(await entries()).toHaveLength(1);
});

test("only the owner changes the restaurant; faults are under the path of the field", async () => {
  expect((await saveDetails(manager, { phone: "+1" })).status).toBe(403);
  const zone = await saveDetails(owner, { zone: "Europe/Atlantis" });
  expect([zone.status, zone.body.error.details]).toEqual([422, { "restaurant.zone": ["Is not a known time zone."] }]);
  const twin = await saveDetails(owner, { name: { en: "Lab", it: "Соmаndа" } });
  expect([twin.status, Object.keys(twin.body.error.details)]).toEqual([422, ["restaurant.name"]]);
  const wrong = await saveDetails(owner, { name: { en: "" }, email: "x", default_language: "?" });
  expect([wrong.status, Object.keys(wrong.body.error.details).sort()]).toEqual([
    422,
    ["restaurant.default_language", "restaurant.email", "restaurant.name"],
  ]);
  expect((await exported()).restaurant).toEqual(begun.restaurant);
});

test("ordering rules: types, minimum, fee and zones are those of the next order", async () => {
  const saved = await changeOrdering((ordering) => {
    ordering.types = [
      { type: "delivery", minimum_minor: 1000, preparation_minutes: 50 },
      { type: "dine_in", minimum_minor: 0 },
    ];
    ordering.delivery_zones = [{ name: "Town", cities: ["Labtown"], fee_minor: 450, minimum_minor: null }];
  });
  expect(saved.status, saved.text).toBe(200);
  const pickup = await order("pickup", ["Plain Plate"]);
  expect([pickup.status, Object.keys(pickup.body.error.details)]).toEqual([422, ["type"]]);
  const brought = await delivery(["Plain Plate"]);
  expect([brought.status, brought.body.data?.delivery_fee_minor]).toEqual([201, 450]);
  expect((await delivery(["Plain Plate"], "Farville")).status).toBe(422);
  expect((await delivery(["Hydrogen Fizz"])).status).toBe(422);
  expect((await exported()).ordering).toEqual(saved.body.data.value);
  expect(await entries()).toMatchObject([
    { action: "ordering.changed", actor_name: "max", before: begun.ordering, after: saved.body.data.value },
  ]);
});

test("422 for ordering rules that a file could not have", async () => {
  const twice = await changeOrdering(({ types }) =>
    types.splice(0, 3, { type: "pickup", minimum_minor: 0 }, { type: "pickup", minimum_minor: 1 }),
  );
  expect([twice.status, twice.body.error.details]).toEqual([422, { "ordering.types": ["pickup occurs twice."] }]);
  const bounds = await changeOrdering((ordering) => {
    Object.assign(ordering, { schedule_days_max: 731, delivery_zones: [{ name: "", cities: [], fee_minor: -1 }] });
  });
  expect([bounds.status, Object.keys(bounds.body.error.details).sort()]).toEqual([
    422,
    [
      "ordering.delivery_zones.0.cities",
      "ordering.delivery_zones.0.fee_minor",
      "ordering.delivery_zones.0.name",
      "ordering.schedule_days_max",
    ],
  ]);
});

test("charges: tax, service charge and promotion are in the next order, and the sample receipt had the same amounts", async () => {
  const { value } = (await settings()).charges;
  const charges: Charges = {
    taxes: value.taxes.map((tax) => ({ ...tax, rate: tax.key === "added" ? 8.875 : tax.rate })),
    service_charge: { percent: 12.5, types: ["delivery"], tax: "added" },
    delivery_fee_tax: "included",
    promotions: [
      {
        key: "evening",
        name: { en: "Evening" },
        is_active: true,
        hours: [{ days: ["fri"], from: "17:00", to: "19:00" }],
        types: ["delivery"],
        subtotal_min_minor: 1500,
        percent_off: 10,
        amount_off_minor: null,
      },
    ],
  };
  const lines = [
    { amount_minor: 1000, tax: null },
    { amount_minor: 1000, tax: "added" },
  ];
  const tried = await sample({ charges, type: "delivery", lines, delivery_fee_minor: 200 });
  expect(tried.status, tried.text).toBe(200);
  expect((await settings()).charges.value).toEqual(value);
  const saved = await changeCharges((stored) => Object.assign(stored, charges));
  expect(saved.status, saved.text).toBe(200);
  const placed = (await delivery(["Plain Plate", "Taxed Tart"])).body.data;
  expect(placed).toMatchObject(tried.body.data);
  expect(placed).toMatchObject({ subtotal_minor: 2000, discount_minor: 200, service_charge_minor: 225, delivery_fee_minor: 200 });
  expect(placed.tax_breakdown.map(({ name, rate }: { name: string; rate: number }) => [name, rate])).toEqual([
    ["VAT", 10],
    ["Sales tax", 8.875],
  ]);
  expect((await exported()).charges).toEqual(saved.body.data.value);
  const later = await sample({ charges, type: "delivery", lines, at: "2026-11-20T20:00:00Z" });
  expect(later.body.data).toMatchObject({ discount_minor: 0, delivery_fee_minor: 300 });
  expect((await sample({ charges, type: "pickup", lines })).body.data).toMatchObject({ delivery_fee_minor: 0, service_charge_minor: 0 });
});

test("a tax that dishes have is not removed, and the sentence says how many; without them it is", async () => {
  const removeAdded = (charges: Charges) => {
    charges.taxes = charges.taxes.filter(({ key }) => key !== "added");
  };
  const refused = await changeCharges(removeAdded);
  expect([refused.status, refused.body.error.details]).toEqual([422, { "removed.added": ["1 dish has the tax Sales tax."] }]);
  const plan = (await manager.call("GET", venuePath("/menu-plan"))).body.data;
  const taxed = plan.items.filter(({ value }: { value: { tax: string | null } }) => value.tax === "added");
  const items = taxed.map(({ key, version, value }: { key: string; version: string; value: object }) => ({
    key,
    seen: version,
    value: { ...value, tax: null },
  }));
  const freed = await manager.call("POST", venuePath("/menu-plan"), { body: { items }, headers: { "idempotency-key": randomUUID() } });
  expect(freed.status, freed.text).toBe(200);
  expect((await changeCharges(removeAdded)).status).toBe(200);
});

test("a tax that is removed while a dish is given it: one of the two is refused", async () => {
  const { version, value } = (await settings()).charges;
  const spare = { key: "spare", name: "Spare", rate: 1, inclusive: true, is_default: false };
  const added = await put(manager, "charges", version, { ...value, taxes: [...value.taxes, spare] });
  const plan = (await manager.call("GET", venuePath("/menu-plan"))).body.data;
  const plain = plan.items.find(({ key }: { key: string }) => key === "plain");
  const items = [{ key: "plain", seen: plain.version, value: { ...plain.value, tax: "spare" } }];
  const [removed, given] = await Promise.all([
    put(manager, "charges", added.body.data.version, value),
    owner.call("POST", venuePath("/menu-plan"), { body: { items }, headers: { "idempotency-key": randomUUID() } }),
  ]);
  expect([removed.status, given.status].sort((a, b) => a - b)).toEqual([200, 422]);
});

test("422 for charges that a file could not have, when they are saved and when they are tried", async () => {
  const { value } = (await settings()).charges;
  const wrong: Charges = {
    taxes: value.taxes.map((tax) => ({ ...tax, is_default: false })),
    service_charge: { percent: 10, types: ["dine_in"], tax: "none" },
    delivery_fee_tax: "nothing",
    promotions: value.promotions.map((promotion) => ({ ...promotion, amount_off_minor: 5 })),
  };
  const faults = {
    "charges.taxes": ["Exactly one tax is the default."],
    "charges.service_charge.tax": ["There is no tax none."],
    "charges.delivery_fee_tax": ["There is no tax nothing."],
    "charges.promotions.0": ["Set either percent_off or amount_off_minor."],
  };
  const saved = await changeCharges((charges) => Object.assign(charges, wrong));
  expect([saved.status, saved.body.error.details]).toEqual([422, faults]);
  const tried = await sample({ charges: wrong, type: "pickup", lines: [{ amount_minor: 1, tax: "gone" }] });
  expect([tried.status, tried.body.error.details]).toEqual([422, { ...faults, "lines.0.tax": ["There is no tax gone."] }]);
  const bounds = await changeCharges((charges) => Object.assign(charges.taxes[0] ?? {}, { rate: 100.5, key: "A" }));
  expect([bounds.status, Object.keys(bounds.body.error.details).sort()]).toEqual([422, ["charges.taxes.0.key", "charges.taxes.0.rate"]]);
});

const EDITS: Record<PartName, (parts: VenueSettingParts) => object> = {
  restaurant: ({ restaurant }) => ({ ...restaurant.value, phone: "+1 202-555-0199" }),
  ordering: ({ ordering }) => ({ ...ordering.value, delivery_fee_minor: 350 }),
  charges: ({ charges }) => ({ ...charges.value, service_charge: null }),
};
const PARTS = Object.keys(EDITS) as PartName[];

test.each(PARTS)("%s: of two who save at once one is stored, and the other is told who was faster", async (part) => {
  const before = await settings();
  const other = await createUser(app, lab.slug, "owner", `otto-${part}@${lab.slug}.example`);
  const answers = await Promise.all([owner, other].map((who) => put(who, part, before[part].version, EDITS[part](before))));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
  const lost = answers.find(({ status }) => status === 409)?.body.error;
  const made = (await entries()).filter(({ action }) => action === `${part}.changed`);
  expect(made).toHaveLength(1);
  expect(lost.code).toBe("state_changed");
  expect(lost.details).toMatchObject({ [part]: (await settings())[part], changed_by: made[0]?.actor_name });
});

test.each(PARTS)("%s: a change reaches open pages of settings", async (part) => {
  const before = await settings();
  await put(owner, part, before[part].version, EDITS[part](before));
  const areas = await app.database.asOwner<{ area: string }>(
    "select area from changes where restaurant_id = $1 and number = (select max(number) from changes where restaurant_id = $1)",
    [lab.id],
  );
  expect(areas.map(({ area }) => area)).toContain("settings");
});

test("file, change in the console, export and import are equal", async () => {
  for (const part of PARTS) {
    const before = await settings();
    expect((await put(owner, part, before[part].version, EDITS[part](before))).status).toBe(200);
  }
  const [file, shown] = [await exported(), await settings()];
  expect(file).toMatchObject({
    restaurant: { phone: "+1 202-555-0199" },
    ordering: { delivery_fee_minor: 350 },
    charges: { service_charge: null },
  });
  await importVenue(app.deps, parseVenueFile(JSON.stringify(file)));
  expect([await exported(), await settings()]).toEqual([file, shown]);
});

test("staff may neither save nor try; a manager of another venue finds nothing", async () => {
  const outsider = await createUser(app, (await app.venue("lab")).slug, "owner", `eve@${lab.slug}.example`);
  const before = await settings();
  const body = { charges: before.charges.value, type: "pickup", lines: [{ amount_minor: 1, tax: null }] };
  for (const [who, status] of [
    [staff, 403],
    [outsider, 404],
  ] as const) {
    for (const part of PARTS) expect((await put(who, part, before[part].version, EDITS[part](before))).status).toBe(status);
    expect((await who.call("POST", venuePath("/sample-receipts"), { body })).status).toBe(status);
  }
  expect(await settings()).toEqual(before);
});

test("422 the zone does not change while bookings or planned prices are to come, or changes of shifts are not published", async () => {
  const zone = async () => {
    const { status, body } = await saveDetails(owner, { zone: "Asia/Tokyo" });
    return [status, body.error?.details];
  };
  const { data } = (await manager.call("GET", venuePath("/menu-plan"))).body;
  const item = data.items.find(({ value }: { value: { price_minor: number | null } }) => value.price_minor !== null).key;
  const send = (path: string, body: object) =>
    manager.call("POST", venuePath(path), { body, headers: { "idempotency-key": randomUUID() } });
  await send("/scheduled-prices", { date: "2026-12-01", time: "05:00", prices: [{ item, variant: null, price_minor: 1 }] });
  expect(await zone()).toEqual([422, { "restaurant.zone": ["The zone cannot change while prices are planned. Cancel them first."] }]);
  const planned = (await manager.call("GET", venuePath("/scheduled-prices"))).body.data;
  await send("/scheduled-prices/cancel", { ids: planned.map(({ id }: { id: string }) => id) });
  const { branch_id, people } = (await manager.call("GET", venuePath("/shifts"))).body.data;
  await send("/shifts", {
    branch_id,
    shift: { staff_id: people[0].id, date: "2026-11-16", from: "10:00", to: "18:00", role: null, note: null },
  });
  const unpublished = "The zone cannot change while changes of shifts are not published. Publish them first.";
  expect(await zone()).toEqual([422, { "restaurant.zone": [unpublished] }]);
  const { week_start, version } = (await manager.call("GET", venuePath("/shifts?week_start=2026-11-16"))).body.data;
  const published = await send("/shift-weeks/publications", { branch_id, week_start, seen_version: version });
  expect(published.status, published.text).toBe(200);
  const booking = { name: "Ada", phone: "+1 555 0191", party_size: 2, date: "2026-11-27", time: "19:00" };
  const booked = await app.call(lab.token, "POST", "/reservations", { body: booking });
  expect(booked.status, booked.text).toBe(201);
  expect(await zone()).toEqual([422, { "restaurant.zone": ["The zone cannot change while there are bookings to come."] }]);
  expect((await saveDetails(owner, { phone: "+39 06 2" })).status).toBe(200);
  app.clock.set("2026-11-30T12:00:00Z");
  expect((await zone())[0]).toBe(200);
});
