/** Orders, bookings and tickets of a guest in one list, the newest first. */
import type { GuestProfile } from "@comanda/contract/console/guests.ts";

export type TimelineEntry =
  | { kind: "order"; at: string; order: GuestProfile["orders"][number] }
  | { kind: "booking"; at: string; booking: GuestProfile["reservations"][number] }
  | { kind: "tickets"; at: string; tickets: GuestProfile["experiences"][number] };

type GuestHistory = Pick<GuestProfile, "orders" | "reservations" | "experiences">;

export const timelineOf = ({ orders, reservations, experiences }: GuestHistory): TimelineEntry[] =>
  [
    ...orders.map((order): TimelineEntry => ({ kind: "order", at: order.placed_at, order })),
    ...reservations.map((booking): TimelineEntry => ({ kind: "booking", at: booking.starts_at, booking })),
    ...experiences.map((tickets): TimelineEntry => ({ kind: "tickets", at: tickets.starts_at, tickets })),
  ].toSorted((a, b) => b.at.localeCompare(a.at));
