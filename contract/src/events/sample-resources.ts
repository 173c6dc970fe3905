/** Resources of a fictional venue for the event samples. Plain data, no schema. */
import { minor } from "../minor.ts";
import type { Guest } from "../venue/guests.ts";
import type { Item } from "../venue/menu.ts";
import type { Order } from "../venue/orders.ts";
import type { Reservation } from "../venue/reservations.ts";

export const ORDER_ID = "01a1db39-58b8-75e1-8860-a981f2727a6a";
export const RESERVATION_ID = "01a1cf0a-9660-7e1d-8ac4-896bed6b2f1b";
export const BRANCH_ID = 2049;

export const order: Order = {
  id: ORDER_ID,
  status: "placed",
  type: "pickup",
  channel: "web",
  branch_id: BRANCH_ID,
  table: null,
  customer: { name: "Giulia Conti", phone: "+39 06 0555 0142", email: "giulia@example.com" },
  note: "No cutlery, please.",
  delivery_address: null,
  currency: "EUR",
  subtotal_minor: minor(2950),
  discount_minor: minor(0),
  service_charge_minor: minor(0),
  tax_added_minor: minor(0),
  delivery_fee_minor: minor(0),
  total_minor: minor(2950),
  tax_breakdown: [{ name: "IVA", rate: 10, inclusive: true, taxable_minor: minor(2950), tax_minor: minor(268) }],
  cancel_reason: null,
  items: [
    {
      id: 71681,
      item_id: 5121,
      name: { it: "Pizza Margherita", en: "Margherita pizza" },
      variant_name: null,
      quantity: 2,
      unit_price_minor: minor(900),
      line_total_minor: minor(2300),
      voided: false,
      modifiers: [{ name: { it: "Mozzarella di bufala", en: "Buffalo mozzarella" }, price_minor: minor(250) }],
    },
    {
      id: 72705,
      item_id: 6145,
      name: { it: "Tiramisù", en: "Tiramisu" },
      variant_name: null,
      quantity: 1,
      unit_price_minor: minor(650),
      line_total_minor: minor(650),
      voided: false,
      modifiers: [],
    },
  ],
  placed_at: "2026-11-14T19:02:11+01:00",
  scheduled_for: null,
  paid_at: null,
  updated_at: "2026-11-14T19:02:11+01:00",
};

export const accepted: Order = { ...order, status: "accepted", updated_at: "2026-11-14T19:04:38+01:00" };
export const paid: Order = { ...accepted, paid_at: "2026-11-14T19:31:05+01:00", updated_at: "2026-11-14T19:31:05+01:00" };

export const reservation: Reservation = {
  id: RESERVATION_ID,
  status: "pending",
  name: "Marco Ferri",
  phone: "+39 06 0555 0177",
  email: null,
  party_size: 4,
  date: "2026-11-14",
  time: "20:30",
  table_id: 9217,
  note: "One high chair.",
  deposit_minor: null,
  deposit_status: null,
  created_at: "2026-11-12T10:15:40+01:00",
  updated_at: "2026-11-12T10:15:40+01:00",
};

export const confirmed: Reservation = { ...reservation, status: "confirmed", updated_at: "2026-11-13T09:20:00+01:00" };
export const cancelled: Reservation = { ...confirmed, status: "cancelled", updated_at: "2026-11-14T08:45:12+01:00" };

export const soldOutItem: Item = {
  id: 6145,
  category_id: 3073,
  name: { it: "Tiramisù", en: "Tiramisu" },
  description: { it: "Con mascarpone e caffè.", en: "With mascarpone and coffee." },
  price_minor: minor(650),
  is_available: false,
  show_online: true,
  dietary: "egg",
  allergens: ["gluten", "eggs", "milk"],
  sort_order: 1,
  variants: [],
  modifier_groups: [],
  updated_at: "2026-11-14T21:10:03+01:00",
};

/** Without consent, phone and e-mail are null (open point D125). */
export const newGuest: Guest = {
  id: 12289,
  name: "Giulia Conti",
  phone: null,
  email: null,
  contact_shared: false,
  locale: "it",
  marketing_opted_in: false,
  marketing_opted_in_at: null,
  visits_count: 0,
  total_spend_minor: minor(0),
  last_visit_at: null,
  created_at: "2026-11-14T19:02:11+01:00",
};

export const agreedGuest: Guest = {
  ...newGuest,
  phone: "+39 06 0555 0142",
  email: "giulia@example.com",
  contact_shared: true,
  marketing_opted_in: true,
  marketing_opted_in_at: "2026-11-15T11:05:30+01:00",
  visits_count: 1,
  total_spend_minor: minor(2950),
  last_visit_at: "2026-11-14T19:31:05+01:00",
};
