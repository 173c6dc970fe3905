import type {
  ChangedTickets,
  ExperienceDetails,
  ExperienceSession,
  ListedExperience,
  SessionBooking,
} from "@comanda/contract/console/experiences.ts";
import type { EventData } from "@comanda/contract/events/envelope.ts";
import type { Ctx } from "#lib/context.ts";
import { formatDate } from "#lib/instant.ts";
import { formatInstant, wallClock } from "#lib/time-zone.ts";
import type { ExperienceBookingRow, WholeExperienceBookingRow } from "./store/bookings.ts";
import type { ExperienceRow } from "./store/experiences.ts";
import type { SessionRow, SoldSessionRow } from "./store/sessions.ts";

export const presentExperience = ({
  id,
  version,
  name,
  description,
  price_minor,
  branch,
  is_active,
}: ExperienceRow): ExperienceDetails => ({
  id,
  version,
  value: { name, description, price_minor, branch, is_active },
});

export const presentListed = (row: ExperienceRow): ListedExperience => ({
  id: row.id,
  version: row.version,
  name: row.name,
  price_minor: row.price_minor,
  branch: row.branch,
  is_active: row.is_active,
  is_removed: row.is_removed,
});

export const presentSession = (row: SessionRow): ExperienceSession => ({
  id: row.id,
  version: row.version,
  experience_id: row.experience_id,
  starts_at: row.starts_at.toISOString(),
  capacity: row.capacity,
  sold: row.sold,
  held: row.held,
  is_cancelled: row.cancelled_at !== null,
});

/** The answer has no personal data, because it is stored for repeated requests. */
export const presentTickets = (row: ExperienceBookingRow): ChangedTickets => ({
  id: row.id,
  version: row.version,
  state: row.state,
  tickets: row.tickets,
  arrived: row.arrived,
  amount_minor: row.amount_minor,
  hold_ends_at: row.hold_ends_at.toISOString(),
});

const presentBuyer = (row: ExperienceBookingRow): Omit<SessionBooking, "refundable_minor"> => ({
  ...presentTickets(row),
  name: row.name,
  phone: row.phone,
  email: row.email,
  guest_id: row.guest_id,
  paid_at: row.paid_at?.toISOString() ?? null,
  method: row.method,
  sold_by: row.sold_by,
});

/** `refundable`: what is left of each payment. */
export const presentBooking = (row: ExperienceBookingRow, refundable: ReadonlyMap<number, number>): SessionBooking => ({
  ...presentBuyer(row),
  refundable_minor: row.payment_id === null ? 0 : (refundable.get(row.payment_id) ?? 0),
});

/** Shows a booking as a guest's export has it. */
export const presentWholeBooking = (
  row: WholeExperienceBookingRow,
): Record<string, unknown> & { id: number; payment_id: number | null } => ({
  ...presentBuyer(row),
  payment_id: row.payment_id,
  experience: row.experience,
  starts_at: row.starts_at.toISOString(),
  created_at: row.created_at.toISOString(),
});

const two = (value: number): string => String(value).padStart(2, "0");

/** The event shows them so (open point D173): on the venue's clock. */
export const presentBooked = (
  { tenant }: Pick<Ctx, "tenant">,
  row: ExperienceBookingRow & { paid_at: Date },
  session: Pick<SoldSessionRow, "experience_id" | "name" | "starts_at">,
): EventData["experience.booked"] => {
  const clock = wallClock(tenant.zone, session.starts_at);
  return {
    experience_booking: {
      id: row.id,
      experience: { id: session.experience_id, name: session.name },
      date: formatDate(clock),
      time: `${two(clock.hour)}:${two(clock.minute)}`,
      tickets: row.tickets,
      amount_minor: row.amount_minor,
      currency: tenant.currency,
      guest: { name: row.name, phone: row.phone, email: row.email },
      paid_at: formatInstant(tenant.zone, row.paid_at),
    },
  };
};
