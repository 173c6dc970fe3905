/** Status transitions of a reservation (contract §3.2, open points D112, D113), and which statuses occupy its tables. */
import type { ReservationStatus } from "@comanda/contract/venue/reservations.ts";

export const RESERVATION_TRANSITIONS: Record<ReservationStatus, readonly ReservationStatus[]> = {
  pending: ["confirmed", "declined", "cancelled"],
  confirmed: ["seated", "no_show", "cancelled"],
  declined: [],
  cancelled: [],
  seated: [],
  no_show: [],
};

export const canMove = (from: ReservationStatus, to: ReservationStatus): boolean => RESERVATION_TRANSITIONS[from].includes(to);

export const occupiesTable = (status: ReservationStatus): boolean => ["pending", "confirmed", "seated"].includes(status);
