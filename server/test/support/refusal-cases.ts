/** One request of the API for each reason that a client can meet, in a venue that refuses it. */

import type { RefusalReason } from "@comanda/contract/reasons.ts";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { DISHES_MAX } from "@comanda/contract/venue-limits.ts";
import { fillMenu } from "./large-menu.ts";
import type { TestApp, TestCallOptions } from "./test-app.ts";

export type RefusalCase = {
  reason: RefusalReason;
  field: string;
  params?: object;
  token?: string;
  method?: string;
  path: string;
  options?: TestCallOptions;
};

/** Reasons that no operation gives: of staff, of the venue file, of tool calls of agents, of a 429, and of an order that `too_large` refuses first. */
export const ELSEWHERE: readonly RefusalReason[] = [
  "too_many_waiting",
  "not_valid",
  "unknown_argument",
  "not_a_number",
  "tables_apart",
  "control_characters",
  "too_much",
];

const EVENINGS: VenueFile["branches"][number]["hours"] = [
  { days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], from: "18:00", to: "23:00" },
];

/** Saturday 14 November 2026, 13:00 in Rome. */
const NOW = "2026-11-14T12:00:00Z";
const LONG_TEXT = "x".repeat(501);

export const prepareRefusals = async (app: TestApp): Promise<RefusalCase[]> => {
  app.clock.set(NOW);
  const lab = await app.venue("lab");
  const strict = await app.venue("lab", (file) => {
    file.restaurant.slug = "strict";
    file.restaurant.zone = "Europe/Rome";
    for (const branch of file.branches) Object.assign(branch, { hours: EVENINGS, closing_days: [{ date: "2026-11-16", reason: null }] });
    file.ordering.types = file.ordering.types.filter(({ type }) => type !== "dine_in");
    file.ordering.schedule_days_max = 30;
    Object.assign(file.booking, { lead_minutes: 120, horizon_days: 200, party_size_max: 6 });
  });
  const night = await app.venue("lab", (file) => {
    file.restaurant.slug = "night";
    file.restaurant.zone = "Europe/Rome";
  });
  const shut = await app.venue("lab", (file) => {
    file.restaurant.slug = "shut";
    for (const branch of file.branches) branch.hours = [];
  });
  const rows = await app.database.asOwner<{ key: string; id: string; category_id: string; restaurant_id: string }>(
    "select key, id, category_id, restaurant_id from items where deleted_at is null",
  );
  const rowOf = (key: string, venue = lab.id) => {
    const row = rows.find((one) => one.key === key && Number(one.restaurant_id) === venue);
    if (!row) throw new Error(`There is no dish ${key}`);
    return { id: Number(row.id), category: Number(row.category_id) };
  };
  const world: World = {
    app,
    lab: lab.token,
    labId: lab.id,
    strict: strict.token,
    strictId: strict.id,
    night: night.token,
    shut: shut.token,
    rowOf,
  };
  return [
    ...shapeCases(world),
    ...bodyCases(world),
    ...(await dishCases(world)),
    ...(await orderCases(world)),
    ...(await bookingCases(world)),
    ...(await stateCases(world)),
  ];
};

type World = {
  app: TestApp;
  lab: string;
  labId: number;
  strict: string;
  strictId: number;
  night: string;
  shut: string;
  rowOf(key: string, venue?: number): { id: number; category: number };
};

const cart = (itemId: number, changes: object = {}) => ({
  type: "pickup",
  customer_name: "Ada",
  customer_phone: "+1 555 0100",
  lines: [{ item_id: itemId, quantity: 1 }],
  ...changes,
});

const table = (changes: object = {}) => ({
  name: "Ada",
  phone: "+1 555 0100",
  party_size: 2,
  date: "2026-11-20",
  time: "19:00",
  ...changes,
});

const post = (path: string, body: unknown) => ({ method: "POST", path, options: { body } });

const shapeCases = ({ lab: token, rowOf }: World): RefusalCase[] => {
  const plain = rowOf("plain");
  const order = (changes: object) => ({ token, ...post("/orders", cart(plain.id, changes)) });
  const line = (changes: object) => order({ lines: [{ item_id: plain.id, quantity: 1, ...changes }] });
  const dish = (changes: object) => ({
    token,
    ...post("/items", { category_id: plain.category, name: "New", price_minor: 1, ...changes }),
  });
  const read = (path: string) => ({ token, method: "GET", path });
  return [
    { reason: "required", field: "customer_name", ...order({ customer_name: undefined }) },
    { reason: "not_an_integer", field: "lines.0.quantity", ...line({ quantity: 1.5 }) },
    { reason: "not_an_integer", field: "per_page", ...read("/items?per_page=some") },
    { reason: "not_a_text", field: "note", ...order({ note: 5 }) },
    { reason: "not_a_boolean", field: "is_available", ...dish({ is_available: "yes" }) },
    { reason: "not_a_list", field: "lines", ...order({ lines: 5 }) },
    { reason: "not_an_object", field: "delivery_address", ...order({ delivery_address: "here" }) },
    { reason: "wrong_type", field: "name", params: { allowed: ["string", "object"] }, ...dish({ name: 5 }) },
    { reason: "not_one_of", field: "type", params: { allowed: ["dine_in", "pickup", "delivery"] }, ...order({ type: "picnic" }) },
    { reason: "not_one_of", field: "status", ...read("/orders?status=placed,paid") },
    { reason: "too_low", field: "lines.0.quantity", params: { min: 1 }, ...line({ quantity: 0 }) },
    { reason: "too_high", field: "lines.0.quantity", params: { max: 99 }, ...line({ quantity: 100 }) },
    { reason: "blank", field: "customer_name", ...order({ customer_name: " " }) },
    { reason: "too_long", field: "note", params: { max: 500 }, ...order({ note: LONG_TEXT }) },
    { reason: "too_few_entries", field: "lines", params: { min: 1 }, ...order({ lines: [] }) },
    { reason: "too_many_entries", field: "lines", params: { max: 100 }, ...order({ lines: Array.from({ length: 101 }, () => ({})) }) },
    { reason: "too_many_entries", field: "name", params: { max: 20 }, ...dish({ name: Object.fromEntries(languages(21)) }) },
    { reason: "no_text", field: "name", ...dish({ name: { en: null } }) },
    { reason: "not_a_language", field: "name.EN!", ...dish({ name: { "EN!": "New" } }) },
    { reason: "wrong_pattern", field: "time", token, ...post("/reservations", table({ time: "noon" })) },
    { reason: "not_a_time", field: "time", token, ...post("/reservations", table({ time: "25:00" })) },
    { reason: "not_an_email", field: "customer_email", ...order({ customer_email: "ada" }) },
    { reason: "not_a_date", field: "date", ...read("/reservations?date=2026-02-30") },
    { reason: "not_a_date_time", field: "scheduled_for", ...order({ scheduled_for: "soon" }) },
    { reason: "not_a_date_or_date_time", field: "updated_since", ...read("/guests?updated_since=soon") },
    { reason: "not_a_date_or_date_time", field: "placed_from", ...read("/orders?placed_from=soon") },
    { reason: "nul_character", field: "note", ...order({ note: "a\0b" }) },
    { reason: "nul_character", field: "channel", ...read("/orders?channel=%00") },
    { reason: "not_unicode", field: "note", ...order({ note: "\ud800" }) },
    { reason: "repeated", field: "per_page", ...read("/items?per_page=1&per_page=2") },
    { reason: "unknown_cursor", field: "cursor", ...read("/items?cursor=made-up") },
    {
      reason: "reversed_range",
      field: "placed_to",
      params: { start: "placed_from" },
      ...read("/orders?placed_from=2026-11-02&placed_to=2026-11-01"),
    },
    { reason: "reversed_range", field: "to", params: { start: "from" }, ...read("/reservations?from=2026-11-02&to=2026-11-01") },
    { reason: "reversed_range", field: "to", params: { start: "from" }, ...read("/reports/sales-summary?from=2026-11-02&to=2026-11-01") },
    { reason: "period_too_long", field: "to", params: { days_max: 366 }, ...read("/reports/sales-summary?from=2025-01-01&to=2026-11-01") },
    { reason: "unknown_branch", field: "branch_id", ...read("/reports/sales-summary?branch_id=1") },
  ];
};

const languages = (count: number): [string, string][] =>
  Array.from({ length: count }, (_, index) => [`x${String.fromCodePoint(97 + index)}`, "Text"]);

const bodyCases = ({ lab: token }: World): RefusalCase[] => {
  const sent = (raw: string | Buffer, headers: Record<string, string> = {}) => ({
    field: "body",
    token,
    method: "POST",
    path: "/orders",
    options: { raw, headers: { "content-type": "application/json", ...headers } },
  });
  return [
    { reason: "not_json_type", ...sent("{}", { "content-type": "text/plain" }) },
    { reason: "compressed", ...sent(Buffer.from([0x1f, 0x8b, 0x08])) },
    { reason: "not_utf8", ...sent(Buffer.from([0x7b, 0xff, 0x7d])) },
    { reason: "not_json", ...sent("{") },
    { reason: "not_an_object", ...sent("[]") },
    { reason: "wrong_length", ...sent("{}", { "content-length": "5" }) },
    { reason: "too_deep", params: { max: 20 }, ...sent("[".repeat(30) + "]".repeat(30)) },
    { reason: "too_many_members", params: { max: 10_000 }, ...sent(`{${Array.from({ length: 10_001 }, (_, n) => `"${n}":1`).join()}}`) },
    { reason: "too_many_values", params: { max: 50_000 }, ...sent(`[${"1,".repeat(50_001)}1]`) },
    { reason: "too_long", params: { max: 255 }, ...sent("{}", { "idempotency-key": "k".repeat(256) }), field: "Idempotency-Key" },
  ];
};

const dishCases = async ({ app, lab: token, labId, rowOf }: World): Promise<RefusalCase[]> => {
  const { category } = rowOf("plain");
  const full = rowOf("hydrogen").category;
  await app.database.asOwner(
    `insert into items (restaurant_id, key, category_id, name, price_minor, is_available, show_online, dietary, sort_order)
     select $1, 'many-' || n, $2, '{"en": "Many"}', 100, true, true, 'none', n from generate_series(1, 2000) n`,
    [labId, full],
  );
  const dish = (changes: object) => ({ token, ...post("/items", { category_id: category, name: "New", price_minor: 1, ...changes }) });
  const crowded = await app.venue("lab", (file) => Object.assign(file.restaurant, { slug: "crowded" }));
  await fillMenu(app, crowded, DISHES_MAX);
  const [{ id: ofCrowded }] = (await app.call(crowded.token, "GET", "/categories")).body.data;
  const another = { ...post("/items", { category_id: ofCrowded, name: "New", price_minor: 1 }), token: crowded.token };
  const sizes = [1, 2].map((price_minor) => ({ name: { en: `Size ${price_minor}` }, price_minor, is_default: true }));
  const polyglot = await app.call(token, "POST", "/items", {
    body: { category_id: category, name: Object.fromEntries(languages(20)), price_minor: 1 },
  });
  const patch = (id: number, body: object) => ({ token, method: "PATCH", path: `/items/${id}`, options: { body } });
  return [
    { reason: "unknown_category", field: "category_id", ...dish({ category_id: 1 }) },
    { reason: "unknown_category", field: "category_id", ...patch(rowOf("plain").id, { category_id: 1 }) },
    { reason: "category_full", field: "category_id", params: { dishes_max: 2000 }, ...dish({ category_id: full }) },
    { reason: "menus_full", field: "category_id", params: { dishes_max: DISHES_MAX }, ...another },
    { reason: "unknown_modifier_group", field: "modifier_group_ids.0", ...dish({ modifier_group_ids: [1] }) },
    { reason: "price_and_sizes", field: "price_minor", ...dish({ variants: sizes.slice(1) }) },
    { reason: "price_required", field: "price_minor", ...dish({ price_minor: null }) },
    { reason: "second_default", field: "variants.1.is_default", ...dish({ price_minor: null, variants: sizes }) },
    { reason: "priced_per_size", field: "price_minor", ...patch(rowOf("sized").id, { price_minor: 5 }) },
    { reason: "too_many_languages", field: "name", params: { max: 20 }, ...patch(polyglot.body.data.id, { name: "One more" }) },
  ];
};

const orderCases = async (world: World): Promise<RefusalCase[]> => {
  const { app, lab, labId, strict, strictId, shut, rowOf } = world;
  const plain = rowOf("plain").id;
  const counted = async (key: string, remaining: number): Promise<number> => {
    const { id } = rowOf(key);
    const insert = "insert into item_counts (restaurant_id, item_id, remaining, counted_from) values ($1, $2, $3, now())";
    await app.database.asOwner(insert, [labId, id, remaining]);
    return id;
  };
  await app.database.asOwner(
    "insert into order_pauses (restaurant_id, type, paused_until) values ($1, 'delivery', '2026-11-14T22:00:00Z')",
    [strictId],
  );
  const sized = (await app.call(lab, "GET", `/items/${rowOf("sized").id}`)).body.data;
  const choices = (await app.call(lab, "GET", `/items/${rowOf("with-options").id}`)).body.data;
  const [oneOf] = choices.modifier_groups;
  const [red, green] = oneOf.options.map(({ id }: { id: number }) => id);
  await app.database.asOwner("update modifier_options set is_available = false where id = $1", [green]);
  const long = await app.call(lab, "POST", "/items", {
    body: {
      category_id: rowOf("plain").category,
      name: Object.fromEntries(languages(20).map(([code]) => [code, "y".repeat(180)])),
      price_minor: 1,
    },
  });
  const order = (itemId: number, changes: object = {}) => ({ token: lab, ...post("/orders", cart(itemId, changes)) });
  const line = (itemId: number, changes: object) => order(itemId, { lines: [{ item_id: itemId, quantity: 1, ...changes }] });
  const late = (scheduled_for: string) => ({ token: strict, ...post("/orders", cart(rowOf("plain", strictId).id, { scheduled_for })) });
  const address = { line1: "1 Test Street", city: "Labtown" };
  const onStrict = (changes: object) => ({ token: strict, ...post("/orders", cart(rowOf("plain", strictId).id, changes)) });
  return [
    { reason: "past", field: "scheduled_for", ...late("2026-11-13T19:00:00Z") },
    { reason: "too_far_ahead", field: "scheduled_for", params: { days_max: 30 }, ...late("2027-02-01T19:00:00Z") },
    { reason: "closed_then", field: "scheduled_for", params: { opens_at: "2026-11-15T17:00:00.000Z" }, ...late("2026-11-15T09:00:00Z") },
    { reason: "no_opening", field: "scheduled_for", token: shut, ...post("/orders", cart(plain)) },
    {
      reason: "paused",
      field: "type",
      params: { ends_at: "2026-11-14T22:00:00.000Z" },
      ...onStrict({ type: "delivery", delivery_address: address }),
    },
    { reason: "not_offered", field: "type", ...onStrict({ type: "dine_in" }) },
    { reason: "table_required", field: "table_code", ...order(plain, { type: "dine_in" }) },
    { reason: "unknown_table", field: "table_code", ...order(plain, { type: "dine_in", table_code: "none" }) },
    { reason: "delivery_required", field: "delivery_address", ...order(plain, { type: "delivery" }) },
    {
      reason: "not_delivered_there",
      field: "delivery_address.city",
      ...order(plain, { type: "delivery", delivery_address: { line1: "1", city: "Elsewhere" } }),
    },
    {
      reason: "below_minimum",
      field: "lines",
      params: { minimum_minor: 1500 },
      ...order(plain, { type: "delivery", delivery_address: address }),
    },
    { reason: "unknown_dish", field: "lines.0.item_id", ...order(1) },
    { reason: "sold_out", field: "lines.0.item_id", ...order(rowOf("sold-out").id) },
    { reason: "one_left", field: "lines.0.item_id", params: { remaining: 1 }, ...line(await counted("helium", 1), { quantity: 2 }) },
    { reason: "few_left", field: "lines.0.item_id", params: { remaining: 3 }, ...line(await counted("lithium", 3), { quantity: 4 }) },
    { reason: "not_on_menu", field: "lines.0.item_id", ...order(rowOf("offline").id) },
    { reason: "not_served_then", field: "lines.0.item_id", ...order(rowOf("never-soup").id) },
    { reason: "no_sizes", field: "lines.0.variant_id", ...line(plain, { variant_id: 1 }) },
    { reason: "size_required", field: "lines.0.variant_id", ...order(sized.id) },
    { reason: "unknown_size", field: "lines.0.variant_id", ...line(sized.id, { variant_id: 1 }) },
    { reason: "unknown_option", field: "lines.0.option_ids.0", ...line(choices.id, { option_ids: [1] }) },
    { reason: "option_sold_out", field: "lines.0.option_ids.0", ...line(choices.id, { option_ids: [green] }) },
    { reason: "option_twice", field: "lines.0.option_ids.1", ...line(choices.id, { option_ids: [red, red] }) },
    { reason: "too_few_options", field: "lines.0.option_ids", params: { min_select: 1 }, ...order(choices.id) },
    {
      reason: "too_many_options",
      field: "lines.0.option_ids",
      params: { max_select: 1 },
      ...line(choices.id, { option_ids: oneOf.options.map(({ id }: { id: number }) => id) }),
    },
    {
      reason: "too_large",
      field: "lines",
      ...order(plain, { lines: Array.from({ length: 100 }, () => ({ item_id: long.body.data.id, quantity: 1 })) }),
    },
  ];
};

const bookingCases = async ({ app, lab, strict, night }: World): Promise<RefusalCase[]> => {
  const [l1] = await app.database.asOwner<{ id: string }>(
    "select t.id from dining_tables t join restaurants r on r.id = t.restaurant_id where r.slug = 'lab' and t.code = 'L1'",
  );
  const table_id = Number(l1?.id);
  const taken = table({ date: "2026-11-21", table_id });
  await app.call(lab, "POST", "/reservations", { body: taken });
  const big = { date: "2026-11-22", party_size: 10 };
  await app.call(lab, "POST", "/reservations", { body: table(big) });
  const book = (token: string, changes: object) => ({ token, ...post("/reservations", table(changes)) });
  return [
    { reason: "past", field: "date", ...book(lab, { date: "2026-11-01" }) },
    { reason: "too_far_ahead", field: "date", params: { days_max: 200 }, ...book(strict, { date: "2027-11-01" }) },
    { reason: "closing_day", field: "date", ...book(strict, { date: "2026-11-16" }) },
    { reason: "party_too_large", field: "party_size", params: { party_size_max: 6 }, ...book(strict, { party_size: 7 }) },
    { reason: "skipped_by_clocks", field: "time", ...book(night, { date: "2027-03-28", time: "02:30" }) },
    { reason: "too_soon", field: "time", params: { lead_minutes: 120 }, ...book(strict, { date: "2026-11-14", time: "14:00" }) },
    { reason: "closed_then", field: "time", params: {}, ...book(strict, { time: "12:00" }) },
    { reason: "no_free_table", field: "time", ...book(lab, big) },
    { reason: "unknown_table", field: "table_id", ...book(lab, { table_id: 1 }) },
    { reason: "table_too_small", field: "table_id", ...book(lab, { table_id, party_size: 9 }) },
    { reason: "table_taken", field: "table_id", ...book(lab, { ...taken, phone: "+1 555 0101" }) },
  ];
};

const stateCases = async ({ app, lab: token, rowOf }: World): Promise<RefusalCase[]> => {
  const order = (await app.call(token, "POST", "/orders", { body: cart(rowOf("plain").id) })).body.data;
  const booking = (await app.call(token, "POST", "/reservations", { body: table({ date: "2026-11-25" }) })).body.data;
  await app.call(token, "POST", `/reservations/${booking.id}/cancel`);
  const key = { "idempotency-key": "refusal-cases" };
  await app.call(token, "POST", "/orders", { body: cart(rowOf("plain").id), headers: key });
  return [
    {
      reason: "too_short",
      field: "reason",
      params: { min: 3 },
      token,
      ...post(`/orders/${order.id}/status`, { status: "cancelled", reason: "no" }),
    },
    {
      reason: "invalid_transition",
      field: "status",
      params: { from: "placed", to: "ready" },
      token,
      ...post(`/orders/${order.id}/status`, { status: "ready" }),
    },
    {
      reason: "invalid_transition",
      field: "status",
      params: { from: "cancelled", to: "cancelled" },
      token,
      method: "POST",
      path: `/reservations/${booking.id}/cancel`,
    },
    {
      reason: "idempotency_key_reused",
      field: "Idempotency-Key",
      token,
      method: "POST",
      path: "/orders",
      options: { body: {}, headers: key },
    },
  ];
};
