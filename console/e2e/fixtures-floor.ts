/** Fixtures: the tables of a venue with two branches, and its booking rules. */
import type { BookingTrial } from "@comanda/contract/console/bookings.ts";
import type { BookingRuleSet, PlanTable, VenueFloor } from "@comanda/contract/console/floor.ts";
import { ago, HOUR } from "./fixture-times.ts";

const table = (id: number, name: string, changes: Partial<PlanTable> = {}): PlanTable => ({
  id,
  key: `t${id}`,
  branch_id: 1,
  name,
  code: name,
  seats: 4,
  is_active: true,
  place: null,
  shape: "square",
  ...changes,
});

export const floorPlan: VenueFloor = {
  branches: [
    { id: 1, name: { en: "Old town", ar: "البلدة القديمة" }, version: "v1" },
    { id: 2, name: { en: "Harbour", ar: "الميناء" }, version: "v2" },
  ],
  tables: [
    table(11, "T1", { place: { x: 0, y: 0 }, seats: 2, shape: "round" }),
    table(12, "T2", { place: { x: 100, y: 0 } }),
    table(13, "T3", { place: { x: 50, y: 45 }, seats: 8, shape: "long" }),
    table(14, "طاولة الشرفة", { place: { x: 100, y: 100 }, is_active: false }),
    table(15, "The long table beside the old bakery oven", { code: null, seats: 12, shape: "long" }),
    table(16, "T6"),
    table(21, "H1", { branch_id: 2 }),
  ],
  combinations: [
    { table_ids: [11, 12], seats: 6 },
    { table_ids: [11, 12, 13], seats: 14 },
  ],
};

export const bookingRuleSet: BookingRuleSet = {
  version: "v1",
  currency: "EUR",
  zone: "Europe/Rome",
  rules: {
    slot_minutes: 30,
    turn_times: [
      { party_size_max: 2, minutes: 75 },
      { party_size_max: 6, minutes: 105 },
      { party_size_max: null, minutes: 150 },
    ],
    service_periods: [
      { days: ["tue", "wed", "thu", "fri"], from: "12:00", to: "14:30" },
      { days: ["fri", "sat"], from: "18:30", to: "01:00" },
    ],
    party_size_max: 10,
    lead_minutes: 60,
    horizon_days: 90,
    allow_overbooking: false,
    waiting_list: true,
    guarantee: { type: "deposit", amount_minor: 1500, per_person: true, party_size_min: 6, hours: null },
  },
};

export const possibleTrial: BookingTrial = {
  is_possible: true,
  table_ids: [11, 12],
  is_unchecked: false,
  is_overbooked: false,
  ends_at: ago(-26 * HOUR),
  guarantee: {
    reason: "asked",
    asked: { type: "deposit", total_minor: 9000, amount_minor: 1500, per_person: true },
    party_size_min: 6,
    has_hours: true,
  },
  refusals: [],
};

export const refusedTrial: BookingTrial = {
  ...possibleTrial,
  is_possible: false,
  table_ids: [],
  ends_at: null,
  guarantee: null,
  refusals: [
    { field: "party_size", reason: "party_too_large", values: { party_size_max: 10 } },
    { field: "time", reason: "closed_then", values: {} },
  ],
};
