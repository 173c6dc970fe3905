/** Which moves a booking may make (contract §3.2, open points D112, D113), and which of them free its table. */
import type { ReservationStatus } from "@comanda/contract/reservations.ts";

export const MOVES: Record<ReservationStatus, readonly ReservationStatus[]> = {
  pending: ["confirmed", "declined", "cancelled"],
  confirmed: ["seated", "no_show", "cancelled"],
  declined: [],
  cancelled: [],
  seated: [],
  no_show: [],
};

export const canMove = (from: ReservationStatus, to: ReservationStatus): boolean => MOVES[from].includes(to);

/** Pending, confirmed and seated parties hold their tables; the others have given them back. */
export const holdsTable = (status: ReservationStatus): boolean => ["pending", "confirmed", "seated"].includes(status);
