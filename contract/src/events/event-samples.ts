/** One complete body of each event type, for the developer screen and the API reference. */
import { minor } from "../minor.ts";
import type { EventBody, EventData, EventType } from "./envelope.ts";
import {
  accepted,
  agreedGuest,
  BRANCH_ID,
  cancelled,
  confirmed,
  newGuest,
  ORDER_ID,
  order,
  paid,
  reservation,
  soldOutItem,
} from "./sample-resources.ts";

const sample = <T extends EventType>(type: T, id: string, created_at: string, data: EventData[T]): EventBody<T> => ({
  id,
  type,
  created_at,
  restaurant: { id: 1025, slug: "trattoria-da-nino", currency: "EUR" },
  data,
});

const giftCard: EventData["giftcard.issued"]["gift_card"] = {
  id: 15361,
  code_last4: "7QXM",
  initial_minor: minor(5000),
  balance_minor: minor(5000),
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
    item: soldOutItem,
    changed: ["is_available"],
  }),
  "payment.refunded": sample("payment.refunded", "01a1db7e-83c0-704d-854f-a1e652d74778", "2026-11-14T20:17:44+01:00", {
    refund: {
      id: 20481,
      amount_minor: minor(650),
      currency: "EUR",
      reason: "Tiramisu was missing",
      refunded_at: "2026-11-14T20:17:44+01:00",
    },
    payment: {
      id: 18433,
      order_id: ORDER_ID,
      reservation_id: null,
      method: "card",
      amount_minor: minor(1950),
      refunded_total_minor: minor(650),
    },
  }),
  "guest.created": sample("guest.created", "01a1db39-6088-7049-89ff-a8699474f657", newGuest.created_at, { guest: newGuest, erased: false }),
  "guest.updated": sample("guest.updated", "01a1deab-4a10-7a0b-868f-17eca063d5af", "2026-11-15T11:05:30+01:00", {
    guest: agreedGuest,
    erased: false,
  }),
  "giftcard.issued": sample("giftcard.issued", "01a1c60d-64e8-7818-879a-e6471ad26312", giftCard.issued_at, { gift_card: giftCard }),
  "giftcard.redeemed": sample("giftcard.redeemed", "01a1db53-d210-7d40-83be-7ea24503e5ba", "2026-11-14T19:31:05+01:00", {
    gift_card: { ...giftCard, balance_minor: minor(4000) },
    redemption: { order_id: ORDER_ID, amount_minor: minor(1000), redeemed_at: "2026-11-14T19:31:05+01:00" },
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
      amount_minor: minor(13000),
      currency: "EUR",
      guest: { name: "Marco Ferri", phone: "+39 06 0555 0177", email: null },
      paid_at: "2026-11-11T14:03:18+01:00",
    },
  }),
};
