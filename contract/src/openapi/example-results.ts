/** What the examples of operations create: a dish, an order and a booking. */

import { BRANCH_ID, biscuit, order, reservation, SAMPLE_DAY } from "../sandbox/sandbox-sample.ts";
import { ALL_SCOPES, FEATURES } from "../scopes.ts";
import type { Item } from "../venue/menu.ts";
import type { QuoteAnswer } from "../venue/order-quote.ts";
import type { Order } from "../venue/orders.ts";
import type { Reservation } from "../venue/reservations.ts";
import type { RestaurantContext } from "../venue/restaurant.ts";

export const NOW = `${SAMPLE_DAY}T12:00:00+01:00`;
/** Two days on: ahead of today in every time zone. */
export const BOOKING_DAY = "2026-11-16";

export const jam: Item = {
  ...biscuit,
  id: 5120,
  name: { en: "Jam tart" },
  description: { en: "With plums from the garden." },
  price_minor: 350,
  dietary: "none",
  allergens: ["gluten", "eggs", "milk"],
  sort_order: 2,
  updated_at: NOW,
};

export const placed: Order = {
  ...order,
  id: "01a1d9ed-c200-700e-9d6d-fa742e22b485",
  type: "pickup",
  table: null,
  customer: { name: "Ada Lovelace", phone: "+44 7700 900555", email: null },
  note: "No cutlery, please.",
  subtotal_minor: 1700,
  service_charge_minor: 0,
  total_minor: 1700,
  tax_breakdown: [{ name: "Tax 10%", rate: 10, inclusive: true, taxable_minor: 1700, tax_minor: 155 }],
  items: [
    ...order.items.slice(0, 1).map((line) => ({ ...line, id: 74753 })),
    {
      id: 75777,
      item_id: biscuit.id,
      name: biscuit.name,
      variant_name: null,
      quantity: 1,
      unit_price_minor: 200,
      line_total_minor: 200,
      voided: false,
      modifiers: [],
    },
  ],
  placed_at: NOW,
  updated_at: NOW,
};

export const booked: Reservation = {
  ...reservation,
  id: "01a1d9ed-c200-7012-8ac4-896bed6b2f1b",
  name: "Ada Lovelace",
  phone: "+44 7700 900555",
  email: null,
  date: BOOKING_DAY,
  time: "20:30",
  note: "One high chair.",
  created_at: NOW,
  updated_at: NOW,
};

export const restaurantContext: RestaurantContext = {
  token: { id: 1025, kind: "sandbox", name: "sandbox", scopes: ALL_SCOPES, expires_at: null, rate_per_minute: 60 },
  restaurant: {
    id: 2048,
    slug: "trattoria-sandbox",
    name: { en: "The Blue Kettle" },
    zone: "Europe/Rome",
    currency: "EUR",
    default_language: "it",
    languages: ["it", "ar", "en"],
    is_sandbox: true,
    is_suspended: false,
  },
  features: [...FEATURES],
  order_types: [
    { type: "delivery", minimum_minor: 1000, fee_minor: 300, service_charge_percent: 0, preparation_minutes: 40, paused_until: null },
  ],
  delivery_zones: [],
  schedule_days_max: 365,
  branches: [
    {
      id: BRANCH_ID,
      name: { en: "Canal side" },
      is_default: true,
      address: "3 Lock Lane",
      hours: [{ days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], from: "00:00", to: "24:00" }],
      closing_days: [],
      tables: [{ id: BRANCH_ID, name: "1 · Window", code: "T1", seats: 2 }],
    },
  ],
  bookings: { party_size_max: 12, lead_minutes: 0, horizon_days: 365, service_periods: null },
};

export const quote: QuoteAnswer = {
  ok: false,
  currency: "EUR",
  branch_id: BRANCH_ID,
  scheduled_for: null,
  held_until: null,
  promised_at: `${SAMPLE_DAY}T12:40:00+01:00`,
  lines: [
    {
      index: 0,
      item_id: biscuit.id,
      list_price_minor: 200,
      unit_price_minor: 200,
      options_minor: 0,
      quantity: 2,
      line_total_minor: 400,
      happy_hour_id: null,
    },
  ],
  happy_hours: [],
  promotion: null,
  delivery_zone: null,
  amounts: {
    subtotal_minor: 400,
    discount_minor: 0,
    service_charge_minor: 0,
    tax_added_minor: 0,
    delivery_fee_minor: 300,
    total_minor: 700,
    tax_breakdown: [{ name: "Tax 10%", rate: 10, inclusive: true, taxable_minor: 700, tax_minor: 64 }],
  },
  rules: [
    {
      rule: "minimum",
      passes: false,
      refusals: [
        {
          field: "lines",
          reason: "below_minimum",
          params: { minimum_minor: 1000 },
          message: "The order must come to at least 1000 in minor units; its dishes come to 400.",
          to_pass: { field: "lines", change: "add_minor", value: 600 },
        },
      ],
    },
  ],
};
