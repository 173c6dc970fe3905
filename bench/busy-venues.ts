/** A few venues on a busy evening: dishes, orders, forty tables with bookings, a year of sales, an address that wants events. */
import { readFileSync } from "node:fs";
import type pg from "pg";
import { ALL_SCOPES } from "../contract/src/scopes.ts";
import { forVenue } from "../server/src/admin/command-context.ts";
import type { App } from "../server/src/compose/api.ts";
import { importVenue } from "../server/src/compose/import-venue.ts";
import type { Deps } from "../server/src/deps.ts";
import { addEndpoint } from "../server/src/platform/events/webhooks/service/endpoints.ts";
import { createToken } from "../server/src/platform/programs/tokens/service.ts";
import { parseVenueFile } from "../server/src/venue/setup/venue-file/service.ts";

const SAMPLE = readFileSync(new URL("../server/samples/lab.json", import.meta.url), "utf8");
const TABLES = 40;
const BOOKINGS = 120;
const ORDERS = 60;
/** A limiter that counts every request and refuses none. */
const RATE_PER_MINUTE = 100_000_000;

export type BusyVenue = { id: number; token: string; dishId: number; order: string; bookedDay: string };

type BenchDish = { id: number; price_minor: number | null; show_online: boolean; modifier_groups: unknown[] };

export const buildVenues = async (deps: Deps, { http }: App, owner: pg.Pool, count: number): Promise<BusyVenue[]> => {
  const call = async (token: string, method: "GET" | "POST", url: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, ...(body ? { "content-type": "application/json" } : {}) };
    const answer = await http.inject({ method, url: `/api/v1${url}`, headers, ...(body ? { payload: JSON.stringify(body) } : {}) });
    return { status: answer.statusCode, data: (answer.json() as { data: unknown }).data };
  };
  const venues: BusyVenue[] = [];
  for (let place = 0; place < count; place++) {
    const { id, token } = await open(deps, `venue-${place}`);
    const dishes = (await call(token, "GET", "/items?per_page=100&available=true")).data as BenchDish[];
    const dish = dishes.find(({ price_minor, show_online, modifier_groups }) => price_minor && show_online && modifier_groups.length === 0);
    if (!dish) throw new Error("The sample has no plain dish");
    const order = orderOf(dish.id);
    for (let n = 0; n < ORDERS; n++) await call(token, "POST", "/orders", JSON.parse(order) as object);
    const bookedDay = dayFromNow(7);
    if (place === 0) await book((body) => call(token, "POST", "/reservations", body), bookedDay);
    await owner.query(YEARS_OF_SALES, [id]);
    venues.push({ id, token, dishId: dish.id, order, bookedDay });
  }
  await owner.query("analyze");
  return venues;
};

const open = async (deps: Deps, slug: string): Promise<{ id: number; token: string }> => {
  const file = parseVenueFile(SAMPLE);
  file.restaurant.slug = slug;
  const [pattern] = file.tables ?? [];
  if (!pattern) throw new Error("The sample has no table");
  file.tables = Array.from({ length: TABLES }, (_none, n) => ({ ...pattern, key: `t${n}`, name: `Table ${n}`, code: `T${n}` }));
  file.table_combinations = [];
  const { restaurant_id: id } = await importVenue(deps, file);
  const { token } = await forVenue(deps, slug, async (ctx) => {
    await addEndpoint(
      ctx,
      { url: "https://receiver.example.com/events", events: ["order.created"], description: null },
      deps.config.encryptionKeys,
    );
    const wanted = { kind: "api" as const, name: "bench", scopes: [...ALL_SCOPES], ratePerMinute: RATE_PER_MINUTE, expiresAt: null };
    return createToken(ctx, wanted);
  });
  return { id, token };
};

const orderOf = (dishId: number): string => {
  const lines = Array.from({ length: 3 }, (_none, n) => ({ item_id: dishId, quantity: n + 1 }));
  return JSON.stringify({ type: "pickup", customer_name: "Ada", customer_phone: "+1 202-555-0101", lines });
};

const dayFromNow = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Books at every half hour until as many have found a table as wanted. */
const book = async (ask: (body: object) => Promise<{ status: number }>, date: string): Promise<void> => {
  let booked = 0;
  for (let n = 0; booked < BOOKINGS && n < 48 * TABLES; n++) {
    const minutes = (n % 48) * 30;
    const time = `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
    const party = { date, time, party_size: 2, name: "Ada", phone: `+1 202 555 ${1000 + n}` };
    if ((await ask(party)).status === 201) booked++;
  }
  if (booked < BOOKINGS) throw new Error(`Only ${booked} of ${BOOKINGS} bookings found a table`);
};

const YEARS_OF_SALES = `
  insert into daily_sales (restaurant_id, date, branch_id, orders, revenue_minor)
  select $1, current_date - n, 0, 150, 450000 from generate_series(1, 800) n on conflict do nothing`;
