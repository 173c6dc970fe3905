import type { BookingTrial, DayBooking } from "@comanda/contract/console/bookings.ts";
import type { Reservation } from "@comanda/contract/venue/reservations.ts";
import { formatInstant } from "#lib/time-zone.ts";
import type { BookingRefusals } from "./rules/refusals.ts";
import type { ReservationRow } from "./store.ts";

export const presentReservation = (row: ReservationRow, zone: string): Reservation => ({
  id: row.id,
  status: row.status,
  name: row.name,
  phone: row.phone,
  email: row.email,
  party_size: row.party_size,
  date: row.date,
  time: row.time,
  table_id: row.table_id,
  note: row.note,
  deposit_minor: row.deposit_minor,
  deposit_status: row.deposit_status,
  created_at: formatInstant(zone, row.created_at),
  updated_at: formatInstant(zone, row.updated_at),
});

const instantOf = (at: Date | null): string | null => at?.toISOString() ?? null;

export type BookingFacts = { tableIds: number[]; paidMinor: number; visits: number };

export const presentDayBooking = (row: ReservationRow, zone: string, { tableIds, paidMinor, visits }: BookingFacts): DayBooking => ({
  reservation: presentReservation(row, zone),
  version: row.version,
  branch_id: row.branch_id,
  table_ids: tableIds,
  starts_at: row.starts_at.toISOString(),
  ends_at: row.ends_at.toISOString(),
  is_walk_in: row.is_walk_in,
  arrived_at: instantOf(row.arrived_at),
  seated_at: instantOf(row.seated_at),
  left_at: instantOf(row.left_at),
  no_show_at: instantOf(row.no_show_at),
  paid_minor: paidMinor,
  guest_id: row.guest_id,
  visits_count: visits,
});

export const presentRefusals = (refusals: BookingRefusals): BookingTrial["refusals"] =>
  Object.entries(refusals).map(([field, { reason, values }]) => ({ field, reason, values }));
