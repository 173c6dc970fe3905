/** Fixtures: guests that were found, one profile, and the receipt of an erasure. */
import type { ErasureReceipt, FoundGuest, GuestProfile } from "@comanda/contract/console/guests.ts";
import { ago, DAY, HOUR } from "./fixture-times.ts";

export const foundGuests: FoundGuest[] = [
  {
    id: 2049,
    name: "Layla Haddad",
    phone: "+971 50 555 0199",
    email: "layla@example.com",
    visits_count: 14,
    last_visit_at: ago(3 * DAY),
    marketing_opted_in: true,
  },
  { id: 3073, name: "ليلى حداد", phone: null, email: null, visits_count: 1, last_visit_at: ago(90 * DAY), marketing_opted_in: false },
  {
    id: 4097,
    name: "Bartholomew Featherstonehaugh-Cholmondeley",
    phone: "+44 7700 900 321",
    email: null,
    visits_count: 0,
    last_visit_at: null,
    marketing_opted_in: false,
  },
];

export const guestProfile: GuestProfile = {
  id: 2049,
  version: "first",
  name: "Layla Haddad",
  phone: "+971 50 555 0199",
  email: "layla@example.com",
  locale: "ar",
  note: "Sits by the window. Allergic to nuts.",
  marketing_opted_in: true,
  marketing_opted_in_at: ago(20 * DAY),
  visits_count: 14,
  total_spend_minor: 128_450,
  currency: "EUR",
  last_visit_at: ago(3 * DAY),
  created_at: ago(400 * DAY),
  consents: [
    { id: 3, at: ago(20 * DAY), is_given: true, source: "in_person", recorded_by: "Max" },
    { id: 2, at: ago(200 * DAY), is_given: false, source: "phone", recorded_by: "Nina Ferrari" },
    { id: 1, at: ago(400 * DAY), is_given: true, source: "before", recorded_by: "" },
  ],
  other_contacts: [{ id: 5121, name: "L. Haddad", phone: "+971 4 555 0102", email: null }],
  orders: [
    {
      id: "01930000-0000-7000-8000-000000000001",
      number: 42,
      type: "delivery",
      status: "completed",
      total_minor: 4200,
      placed_at: ago(3 * DAY),
    },
    {
      id: "01930000-0000-7000-8000-000000000002",
      number: null,
      type: "dine_in",
      status: "cancelled",
      total_minor: 1850,
      placed_at: ago(30 * DAY),
    },
  ],
  reservations: [
    { id: "01930000-0000-7000-8000-000000000003", status: "confirmed", party_size: 4, starts_at: ago(-2 * DAY) },
    { id: "01930000-0000-7000-8000-000000000004", status: "no_show", party_size: 1, starts_at: ago(60 * DAY + HOUR) },
  ],
  experiences: [
    {
      id: 6145,
      session_id: 7169,
      name: { it: "Serata della pasta fresca", en: "Fresh pasta evening", ar: "أمسية المعكرونة الطازجة" },
      tickets: 2,
      state: "paid",
      starts_at: ago(-9 * DAY),
    },
  ],
  is_cut: true,
  zone: "Asia/Dubai",
};

export const erasureReceipt: ErasureReceipt = {
  guest_id: 2049,
  erased_at: ago(1000),
  erased_by: "Nina Ferrari",
  erased: {
    profiles: 2,
    orders: 14,
    reservations: 3,
    waitlist: 1,
    gift_cards: 1,
    reviews: 1,
    experience_bookings: 1,
    messages: 5,
    consents: 3,
    events: 41,
    reasons: 1,
  },
};
