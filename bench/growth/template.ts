/** One venue and a few dozen orders made by the service itself: what is multiplied has the shape that it writes. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import type pg from "pg";
import { ALL_SCOPES } from "../../contract/src/scopes.ts";
import type { VenueFile } from "../../contract/src/venue-file/venue-file.ts";
import { forVenue } from "../../server/src/admin/command-context.ts";
import { buildApp } from "../../server/src/compose/api.ts";
import { importVenue } from "../../server/src/compose/import-venue.ts";
import { readConfig } from "../../server/src/config.ts";
import { openDeps, openLog } from "../../server/src/deps.ts";
import { addEndpoint } from "../../server/src/platform/events/webhooks/service/endpoints.ts";
import { parseVenueFile } from "../../server/src/venue/setup/venue-file/service.ts";
import { random } from "../../server/test/support/seeded-random.ts";
import { TABLES } from "./scale.ts";

const CARTS = 64;
const LINES_MAX = 5;
export const SLUG = "grown-0";
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Every venue's token has its own id and this secret, so that a bench can be any of them. */
export const secretOf = (seed: number): string => {
  const digest = createHash("sha512").update(`grown ${seed}`).digest();
  const body = `svc_${Array.from(digest.subarray(0, 40), (byte) => BASE62.charAt(byte % 62)).join("")}`;
  return body + crc32(body).toString(16).padStart(8, "0");
};

export const encryptionKeysOf = (seed: number): string => `grown:${createHash("sha256").update(`keys ${seed}`).digest("base64")}`;

/** The trattoria, always open, with many tables and no guests. */
const venueFile = (): VenueFile => {
  const file = parseVenueFile(readFileSync(new URL("../../server/samples/trattoria.json", import.meta.url), "utf8"));
  file.restaurant.slug = SLUG;
  const closing_days = ["01-01", "08-15", "12-25"].map((day) => ({ date: `2027-${day}`, reason: "Holiday" }));
  for (const branch of file.branches) Object.assign(branch, { hours: null, closing_days });
  for (const menu of file.menus) {
    Object.assign(menu, { hours: null, is_active: true });
    for (const category of menu.categories) Object.assign(category, { hours: null, is_active: true });
  }
  const branch = file.branches.find(({ is_default }) => is_default)?.key ?? "";
  file.tables = Array.from({ length: TABLES }, (_, index) => {
    const number = index + 1;
    return {
      key: `t${number}`,
      branch,
      name: `Tavolo ${number}`,
      code: `T${number}`,
      seats: [2, 4, 4, 6][index % 4] ?? 4,
      is_active: true,
    };
  });
  file.table_combinations = [{ tables: ["t1", "t2"], seats: 6 }];
  file.guests = [];
  return file;
};

type TemplateDish = { id: number; price_minor: number | null; variants: { id: number }[]; modifier_groups: { min_select: number }[] };

/** Places the carts through HTTP, and keeps of each what differs from order to order as places to be filled in. */
export const makeTemplate = async (appUrl: string, owner: pg.Client, seed: number): Promise<void> => {
  const config = readConfig({ DATABASE_URL: appUrl, ENCRYPTION_KEYS: encryptionKeysOf(seed), LOG_LEVEL: "fatal", SHUTDOWN_GRACE_MS: "0" });
  const evening = new Date("2026-11-14T19:00:00Z");
  const clock = { now: () => evening, ofChange: () => evening, ofDatabase: () => evening };
  const deps = await openDeps(config, { clock, log: openLog(config.logLevel) });
  const app = await buildApp(deps);
  await importVenue(deps, venueFile());
  const wanted = { url: "https://till.example/events", events: ["order.created", "order.status_changed"], description: null };
  await forVenue(deps, SLUG, (ctx) => addEndpoint(ctx, wanted, deps.config.encryptionKeys));
  const secret = secretOf(seed);
  const { rows } = await owner.query<{ id: string }>(
    `insert into tokens (restaurant_id, kind, name, hash, last_characters, scopes, rate_per_minute, created_by, created_at)
     select id, 'api', 'Bench', sha256(convert_to($1, 'UTF8')), right($1, 4), $2, 100000000, 'bench', created_at from restaurants returning id`,
    [secret, ALL_SCOPES],
  );
  const bearer = `${rows[0]?.id}|${secret}`;
  const call = async (method: "GET" | "POST", url: string, body?: object): Promise<{ data: TemplateDish[] }> => {
    const headers = { authorization: `Bearer ${bearer}` };
    const answer = await app.http.inject({ method, url: `/api/v1${url}`, headers, ...(body && { payload: body }) });
    if (answer.statusCode >= 300) throw new Error(`${method} ${url} answered ${answer.statusCode}: ${answer.payload}`);
    return answer.json();
  };
  const dishes = (await call("GET", "/items?per_page=100&available=true")).data;
  for (const cart of cartsOf(dishes, random(seed))) await call("POST", "/orders", cart);
  await app.stop();
  await deps.close();
  await storeCarts(owner);
};

const cartsOf = (dishes: TemplateDish[], draw: (limit: number) => number): object[] => {
  const plain = dishes.filter(
    (dish) => "show_online" in dish && dish.show_online && dish.modifier_groups.every(({ min_select }) => min_select === 0),
  );
  return Array.from({ length: CARTS }, (_, index) => {
    const lines = Array.from({ length: 1 + (index % LINES_MAX) }, () => {
      const dish = plain[draw(plain.length)] as TemplateDish;
      return { item_id: dish.id, variant_id: dish.variants.at(-1)?.id ?? null, quantity: 1 + draw(8) };
    });
    const type = ["dine_in", "pickup", "delivery", "pickup"][index % 4];
    return {
      type,
      customer_name: "Ada",
      customer_phone: "+39 06 1",
      ...(type === "dine_in" && { table_code: "T1" }),
      ...(type === "delivery" && { delivery_address: { line1: "Via Roma 1", city: "Roma", phone: "+39 06 1" } }),
      lines: type === "delivery" ? lines.map((line) => ({ ...line, quantity: line.quantity + 8 })) : lines,
    };
  });
};

/** `%1$s` to `%5$s` are ids of lines, `%6$s` to `%10$s` those of dishes; what the template's venue had of orders is taken away again. */
const storeCarts = async (owner: pg.Client): Promise<void> => {
  const { rows } = await owner.query<{ id: string; lines: { id: number; item_id: number }[] }>("select id, lines from orders order by id");
  for (const [index, { id, lines }] of rows.entries()) {
    const places = lines.map((line, place) => ({ ...line, id: `#${place + 1}#`, item_id: `#${place + 6}#` }));
    const text = JSON.stringify(places)
      .replaceAll("%", "%%")
      .replaceAll(/"#(\d+)#"/g, "%$1$$s");
    await owner.query(
      `insert into grown.carts select $1, o.type, o.channel, o.subtotal_minor, o.discount_minor, o.service_charge_minor, o.tax_added_minor,
         o.delivery_fee_minor, o.total_minor, o.tax_breakdown, o.delivery_address, $3, $4::bigint[],
         (select array_agg(t.station order by t.id) from tickets t where t.order_id = o.id),
         (select array_agg(t.lines order by t.id) from tickets t where t.order_id = o.id)
       from orders o where o.id = $2`,
      [index, id, text, Array.from({ length: LINES_MAX }, (_, place) => lines[place]?.item_id ?? 0)],
    );
  }
  await owner.query(`truncate sandbox_faults, delivery_attempts, deliveries, events, stock_entries, experience_bookings, gift_card_entries, gift_cards, reviews, review_requests, venue_openings, refunds, payments, tickets, orders,
    daily_sales, sales_rollups,
    audit_entries, idempotency_keys, notifications, waitlist_entries, reservation_tables, reservations, guest_consents, guests, request_log, hourly_token_usage, availability_changes`);
};
