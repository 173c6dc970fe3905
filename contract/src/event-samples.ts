/** One whole body of each type of event, as the developer screen and the reference show it: a few days of one made-up house. */
import type { EventBody, EventData, EventType } from "./events.ts";
import type { Guest } from "./guests.ts";
import type { Item } from "./menu.ts";
import type { Order } from "./orders.ts";
import type { Reservation } from "./reservations.ts";

const sample = <T extends EventType>(type: T, id: string, created_at: string, data: EventData[T]): EventBody<T> => ({
  id,
  type,
  created_at,
  restaurant: { id: 1025, slug: "trattoria-da-nino", currency: "EUR" },
  data,
});

const ORDER_ID = "01a1db39-58b8-75e1-8860-a981f2727a6a";
const RESERVATION_ID = "01a1cf0a-9660-7e1d-8ac4-896bed6b2f1b";
const BRANCH_ID = 2049;

const order: Order = {
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
  subtotal_minor: 2950,
  discount_minor: 0,
  service_charge_minor: 0,
  tax_added_minor: 0,
  delivery_fee_minor: 0,
  total_minor: 2950,
  tax_breakdown: [{ name: "IVA", rate: 10, inclusive: true, taxable_minor: 2682, tax_minor: 268 }],
  cancel_reason: null,
  items: [
    {
      id: 71681,
      item_id: 5121,
      name: { it: "Pizza Margherita", en: "Margherita pizza" },
      variant_name: null,
      quantity: 2,
      unit_price_minor: 900,
      line_total_minor: 2300,
      voided: false,
      modifiers: [{ name: { it: "Mozzarella di bufala", en: "Buffalo mozzarella" }, price_minor: 250 }],
    },
    {
      id: 72705,
      item_id: 6145,
      name: { it: "Tiramisù", en: "Tiramisu" },
      variant_name: null,
      quantity: 1,
      unit_price_minor: 650,
      line_total_minor: 650,
      voided: false,
      modifiers: [],
    },
  ],
  placed_at: "2026-11-14T19:02:11+01:00",
  scheduled_for: null,
  paid_at: null,
  updated_at: "2026-11-14T19:02:11+01:00",
};

const accepted: Order = { ...order, status: "accepted", updated_at: "2026-11-14T19:04:38+01:00" };
const paid: Order = { ...accepted, paid_at: "2026-11-14T19:31:05+01:00", updated_at: "2026-11-14T19:31:05+01:00" };

const reservation: Reservation = {
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

const confirmed: Reservation = { ...reservation, status: "confirmed", updated_at: "2026-11-13T09:20:00+01:00" };
const cancelled: Reservation = { ...confirmed, status: "cancelled", updated_at: "2026-11-14T08:45:12+01:00" };

const soldOutDish: Item = {
  id: 6145,
  category_id: 3073,
  name: { it: "Tiramisù", en: "Tiramisu" },
  description: { it: "Con mascarpone e caffè.", en: "With mascarpone and coffee." },
  price_minor: 650,
  is_available: false,
  show_online: true,
  dietary: "egg",
  allergens: ["gluten", "eggs", "milk"],
  sort_order: 1,
  variants: [],
  modifier_groups: [],
  updated_at: "2026-11-14T21:10:03+01:00",
};

/** Nobody has asked this guest yet, so there is nothing to write to (open point D125). */
const newGuest: Guest = {
  id: 12289,
  name: "Giulia Conti",
  phone: null,
  email: null,
  contact_shared: false,
  locale: "it",
  marketing_opted_in: false,
  marketing_opted_in_at: null,
  visits_count: 0,
  total_spend_minor: 0,
  last_visit_at: null,
  created_at: "2026-11-14T19:02:11+01:00",
};

const agreedGuest: Guest = {
  ...newGuest,
  phone: "+39 06 0555 0142",
  email: "giulia@example.com",
  contact_shared: true,
  marketing_opted_in: true,
  marketing_opted_in_at: "2026-11-15T11:05:30+01:00",
  visits_count: 1,
  total_spend_minor: 2950,
  last_visit_at: "2026-11-14T19:31:05+01:00",
};

const giftCard: EventData["giftcard.issued"]["gift_card"] = {
  id: 15361,
  code_last4: "7QXM",
  initial_minor: 5000,
  balance_minor: 5000,
  currency: "EUR",
  source: "sale",
  expires_at: "2027-11-10T23:59:59+01:00",
  issued_at: "2026-11-10T16:22:09+01:00",
};

export const EVENT_SAMPLES: { [T in EventType]: EventBody<T> } = {
  ping: sample("ping", "01a1bf52-3c00-78d3-828e-0c997c900718", "2026-11-09T09:00:00+01:00", {
    message: "This is a test. Your address received it.",
  }),
  "order.created": sample("order.created", "01a1db39-5ca0-7a62-8a44-b3c62a0a18d7", order.placed_at, { order }),
  "order.status_changed": sample("order.status_changed", "01a1db3b-96f0-7458-81a3-8cb88b0dab7d", accepted.updated_at, {
    order: accepted,
    previous_status: "placed",
  }),
  "order.paid": sample("order.paid", "01a1db53-ce28-7b20-80b9-f72cde08d47d", paid.updated_at, { order: paid }),
  "reservation.created": sample("reservation.created", "01a1cf0a-9a48-74be-8ed1-4b04993bd5a2", reservation.created_at, { reservation }),
  "reservation.updated": sample("reservation.updated", "01a1d3fd-fb80-7cbe-815d-8ccb9f08e957", confirmed.updated_at, {
    reservation: confirmed,
    changed: ["status"],
  }),
  "reservation.cancelled": sample("reservation.cancelled", "01a1d904-7b40-77fc-846a-29c063108153", cancelled.updated_at, {
    reservation: cancelled,
    cancelled_by: "restaurant",
  }),
  "menu.item_updated": sample("menu.item_updated", "01a1dbae-6978-77d9-8fe5-6e9d233ecf21", "2026-11-14T21:10:03+01:00", {
    item: soldOutDish,
    changed: ["is_available"],
  }),
  "payment.refunded": sample("payment.refunded", "01a1db7e-83c0-704d-854f-a1e652d74778", "2026-11-14T20:17:44+01:00", {
    refund: { id: 20481, amount_minor: 650, currency: "EUR", reason: "Tiramisu was missing", refunded_at: "2026-11-14T20:17:44+01:00" },
    payment: { id: 18433, order_id: ORDER_ID, reservation_id: null, method: "card", amount_minor: 1950, refunded_total_minor: 650 },
  }),
  "guest.created": sample("guest.created", "01a1db39-6088-7049-89ff-a8699474f657", newGuest.created_at, { guest: newGuest, erased: false }),
  "guest.updated": sample("guest.updated", "01a1deab-4a10-7a0b-868f-17eca063d5af", "2026-11-15T11:05:30+01:00", {
    guest: agreedGuest,
    erased: false,
  }),
  "giftcard.issued": sample("giftcard.issued", "01a1c60d-64e8-7818-879a-e6471ad26312", giftCard.issued_at, { gift_card: giftCard }),
  "giftcard.redeemed": sample("giftcard.redeemed", "01a1db53-d210-7d40-83be-7ea24503e5ba", "2026-11-14T19:31:05+01:00", {
    gift_card: { ...giftCard, balance_minor: 4000 },
    redemption: { order_id: ORDER_ID, amount_minor: 1000, redeemed_at: "2026-11-14T19:31:05+01:00" },
  }),
  "review.created": sample("review.created", "01a1df09-e8b8-7ae3-8744-1bfb102bbe91", "2026-11-15T12:48:51+01:00", {
    review: {
      id: 22529,
      rating: 4,
      comment: "Lovely pizza, and the refund came at once.",
      order_id: ORDER_ID,
      reservation_id: null,
      guest_name: "Giulia Conti",
      created_at: "2026-11-15T12:48:51+01:00",
    },
  }),
  "stock.below_par": sample("stock.below_par", "01a1db25-72f8-7a32-8f85-9061a1bbdb9d", "2026-11-14T18:40:27+01:00", {
    stock: {
      ingredient: { id: 24577, name: "Mozzarella di bufala", sku: "MOZ-BUF-1KG", unit: "kg" },
      branch_id: BRANCH_ID,
      on_hand: 4.75,
      par_level: 5,
      previous_on_hand: 5.25,
    },
  }),
  "shift.published": sample("shift.published", "01a1d098-3b40-702d-8ab8-739f3547e2c4", "2026-11-12T17:30:00+01:00", {
    branch_id: BRANCH_ID,
    week_start: "2026-11-16",
    week_end: "2026-11-22",
    shifts: [
      {
        id: 26625,
        staff: { id: 4097, name: "Sara Greco" },
        role: "Waiter",
        starts_at: "2026-11-16T17:00:00+01:00",
        ends_at: "2026-11-16T23:30:00+01:00",
      },
      {
        id: 27649,
        staff: { id: 7169, name: "Paolo Riva" },
        role: null,
        starts_at: "2026-11-20T18:00:00+01:00",
        ends_at: "2026-11-21T01:00:00+01:00",
      },
    ],
  }),
  "experience.booked": sample("experience.booked", "01a1cab4-a1f0-7ced-8c79-788979bed444", "2026-11-11T14:03:18+01:00", {
    experience_booking: {
      id: 29697,
      experience: { id: 30721, name: { it: "Serata della pasta fresca", en: "Fresh pasta evening" } },
      date: "2026-11-27",
      time: "19:30",
      tickets: 2,
      amount_minor: 13000,
      currency: "EUR",
      guest: { name: "Marco Ferri", phone: "+39 06 0555 0177", email: null },
      paid_at: "2026-11-11T14:03:18+01:00",
    },
  }),
};
