import type { Reservation } from "@comanda/contract/venue/reservations.ts";
import { formatInstant } from "#lib/time-zone.ts";
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
