/** Orders and bookings of a guest in one list, the newest first. */
import type { GuestProfile } from "@comanda/contract/console/guests.ts";

export type TimelineEntry =
  | { kind: "order"; at: string; order: GuestProfile["orders"][number] }
  | { kind: "booking"; at: string; booking: GuestProfile["reservations"][number] };

export const timelineOf = ({ orders, reservations }: Pick<GuestProfile, "orders" | "reservations">): TimelineEntry[] =>
  [
    ...orders.map((order): TimelineEntry => ({ kind: "order", at: order.placed_at, order })),
    ...reservations.map((booking): TimelineEntry => ({ kind: "booking", at: booking.starts_at, booking })),
  ].toSorted((a, b) => b.at.localeCompare(a.at));
