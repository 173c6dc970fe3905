/** Fixtures: an evening of bookings. */
import type { BookingDay, BookingDetails, DayBooking } from "@comanda/contract/console/bookings.ts";
import { TABLE_SHAPES } from "@comanda/contract/venue-file/restaurant.ts";
import { ago, eveningZone, HOUR, MINUTE } from "./fixture-times.ts";

const id = (place: number): string => `0199f3c2-7d10-7a4b-9c11-00000000${String(2000 + place)}`;
const ZONE = eveningZone();
/** The day of service, which begins at 05:00. */
const today = new Intl.DateTimeFormat("en-CA", { timeZone: ZONE }).format(Date.now() - 5 * HOUR);

type BookingChanges = Omit<Partial<DayBooking>, "reservation"> & { reservation?: Partial<DayBooking["reservation"]>; startsIn: number };

const booking = (place: number, name: string, { startsIn, reservation, ...changes }: BookingChanges): DayBooking => ({
  reservation: {
    id: id(place),
    status: "confirmed",
    name,
    phone: "+39 333 123 4567",
    email: null,
    party_size: 2,
    date: today,
    time: "19:30",
    table_id: 11,
    note: null,
    deposit_minor: null,
    deposit_status: null,
    created_at: ago(HOUR),
    updated_at: ago(HOUR),
    ...reservation,
  },
  version: 1,
  branch_id: 1,
  table_ids: [11],
  starts_at: ago(-startsIn * MINUTE),
  ends_at: ago(-(startsIn + 90) * MINUTE),
  is_walk_in: false,
  arrived_at: null,
  seated_at: null,
  left_at: null,
  no_show_at: null,
  paid_minor: 0,
  guest_id: 2049,
  visits_count: 3,
  ...changes,
});

export const requested = booking(1, "Ida Request", { startsIn: 60, reservation: { status: "pending", party_size: 4 }, table_ids: [12] });
export const expected = booking(2, "Karim Haddad", {
  startsIn: 30,
  reservation: { note: "By the window, one high chair", party_size: 3, deposit_minor: 2000, deposit_status: "paid" },
  paid_minor: 2000,
});

export const bookingDay: BookingDay = {
  date: today,
  position: "1.1.1",
  is_whole: true,
  bookings: [
    requested,
    expected,
    booking(3, "Late Lina", { startsIn: -12, visits_count: 0, table_ids: [12] }),
    booking(4, "Arrived Aldo", { startsIn: 0, arrived_at: ago(4 * MINUTE), table_ids: [14] }),
    booking(5, "ضيف بلا حجز", {
      startsIn: -110,
      reservation: { status: "seated", party_size: 6 },
      seated_at: ago(110 * MINUTE),
      is_walk_in: true,
      guest_id: null,
      table_ids: [14, 15],
    }),
    booking(6, "Nadia No-Show", { startsIn: -20, reservation: { status: "no_show" }, no_show_at: ago(2 * MINUTE), table_ids: [] }),
    booking(7, "Gone Giulia", {
      startsIn: -130,
      reservation: { status: "seated" },
      seated_at: ago(130 * MINUTE),
      left_at: ago(30 * MINUTE),
    }),
  ],
  is_cut: false,
  waitlist: [
    {
      id: id(20),
      version: 1,
      branch_id: 1,
      guest_id: null,
      name: "Wanda Waits",
      phone: "+39 333 765 4321",
      party_size: 2,
      note: "Terrace if possible",
      quoted_minutes: 25,
      added_at: ago(14 * MINUTE),
      notified_at: null,
    },
  ],
  blocks: [
    {
      id: id(30),
      branch_id: 1,
      table_ids: [12],
      starts_at: ago(2 * HOUR),
      ends_at: ago(HOUR),
      reason: "A broken chair",
      blocked_by: "Nina",
    },
  ],
  table_orders: [{ order_id: id(40), number: 42, table_id: 13, since: ago(25 * MINUTE) }],
  tables: [11, 12, 13, 14, 15].map((table, place) => ({
    id: table,
    name: `T${place + 1}`,
    code: `T${place + 1}`,
    seats: 2 + place,
    branch_id: 1,
    place: place === 4 ? null : { x: 10 + place * 20, y: 30 },
    shape: TABLE_SHAPES[place % TABLE_SHAPES.length] ?? "square",
  })),
  branches: [
    { id: 1, name: { en: "Old town", ar: "البلدة القديمة" } },
    { id: 2, name: { en: "Harbour", ar: "الميناء" } },
  ],
  spans: [{ branch_id: 1, from: ago(3 * HOUR), to: ago(-4 * HOUR) }],
  slot_minutes: 30,
  party_size_max: 12,
  currency: "EUR",
  zone: ZONE,
  now: ago(0),
};

export const bookingDetails: BookingDetails = {
  booking: expected,
  steps: [
    {
      id: 1,
      at: ago(HOUR),
      actor_kind: "staff",
      actor_name: "Nina",
      action: "reservation.made",
      before: null,
      after: null,
      reason: null,
    },
  ],
  payments: [],
};

export const bookingTimes = ["18:00", "18:30", "19:00", "19:30", "20:00"].map((time, place) => ({
  time,
  is_free: place !== 2,
  table_ids: [11],
}));

export const walkInTables = [1, 2, 4].map((party_size, place) => ({ party_size, table_ids: [11 + place], until: ago(-90 * MINUTE) }));
