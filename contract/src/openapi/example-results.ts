/** What the examples of operations create: a dish, an order and a booking. */
import { biscuit, order, reservation, SAMPLE_DAY } from "../sandbox/sandbox-sample.ts";
import type { Item } from "../venue/menu.ts";
import type { Order } from "../venue/orders.ts";
import type { Reservation } from "../venue/reservations.ts";

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
