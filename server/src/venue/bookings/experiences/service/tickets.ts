/** Tickets of a party are held for five minutes; free ones are sold at once. The session counts them. Locks: guest, session, booking. */
import type { ChangedTickets } from "@comanda/contract/console/experiences.ts";
import type { Ctx } from "#lib/context.ts";
import { type ApiError, apiError, validationError } from "#lib/errors.ts";
import { recordAudit, recordAudits, stateChanged } from "#platform/activity/audit/service.ts";
import { emit } from "#platform/events/service.ts";
import { enqueue } from "#platform/jobs/service.ts";
import { createGuestIfNew, findGuestByContact } from "#venue/guests/service.ts";
import { presentBooked, presentTickets, presentWholeBooking } from "../present.ts";
import { firstStateOf, hasRunOut, holdEnd, holdErrors } from "../rules.ts";
import {
  type ExperienceBookingRow,
  endHolds,
  eraseTicketBuyers,
  findBooking,
  insertBooking,
  listBookingsOfGuests,
  listTicketsOfGuest,
  lockBooking,
  lockBookingAndOldHolds,
  setEnded,
  setHeld,
  updateTicketsGuest,
} from "../store/bookings.ts";
import { findSession, lockSession, type SoldSessionRow } from "../store/sessions.ts";

export const subjectOf = (id: number) => ({ kind: "experience_booking" as const, id });
export const bookingError = (sentence: string): Error => validationError({ booking: [sentence] });

type WantedTickets = { tickets: number; name: string; phone: string | null; email: string | null };

const planExpiry = (ctx: Ctx, { id, hold_ends_at }: ExperienceBookingRow): Promise<void> =>
  enqueue(ctx, "expire-ticket-hold", { booking_id: id, hold_ends_at: hold_ends_at.toISOString() }, { startAfter: hold_ends_at });

/** Holds that have run out are ended first, so that their seats do not wait for the job. The session is locked. */
const sessionWithoutOldHolds = async (ctx: Ctx, session: SoldSessionRow): Promise<SoldSessionRow> => {
  const expired = await endHolds(ctx, session.id, "expired");
  if (expired.length === 0) return session;
  recordAudits(
    ctx,
    expired.map(({ id, tickets }) => ({ action: "experience_booking.expired", subject: subjectOf(id), after: { tickets } })),
  );
  return { ...session, held: session.held - expired.reduce((sum, { tickets }) => sum + tickets, 0) };
};

const lockForSale = async (ctx: Ctx, sessionId: number, tickets: number): Promise<SoldSessionRow> => {
  const locked = await lockSession(ctx, sessionId);
  if (!locked) throw apiError("not_found");
  const session = await sessionWithoutOldHolds(ctx, locked);
  const errors = holdErrors(session, tickets, { zone: ctx.tenant.zone, now: ctx.now });
  if (errors) throw validationError(errors);
  return session;
};

export const tellOfSale = (ctx: Ctx, row: ExperienceBookingRow, session: SoldSessionRow): void =>
  emit(ctx, "experience.booked", presentBooked(ctx, { ...row, paid_at: row.paid_at ?? ctx.now }, session));

/** A guest is found by this contact. Null for a name alone. */
const contactOf = ({ name, phone, email }: WantedTickets) =>
  phone === null && email === null ? null : { name: name.trim(), phone, email };

/**
 * The phone number or e-mail address finds the guest, or the guest gets a profile; a sale that is refused creates none. The body is read
 * after the session was found.
 */
export const bookTickets = async (ctx: Ctx, sessionId: number, read: () => WantedTickets): Promise<ChangedTickets> => {
  if (!(await findSession(ctx, sessionId))) throw apiError("not_found");
  const wanted = read();
  const { tickets, phone, email } = wanted;
  const contact = contactOf(wanted);
  const guest = contact && (await findGuestByContact(ctx, contact));
  const session = await lockForSale(ctx, sessionId, tickets);
  if (contact && guest) createGuestIfNew(ctx, guest, contact);
  const amount_minor = session.price_minor * tickets;
  const state = firstStateOf(amount_minor);
  const row = await insertBooking(ctx, {
    session_id: sessionId,
    tickets,
    name: wanted.name.trim(),
    phone,
    email,
    guest_id: guest?.id ?? null,
    state,
    hold_ends_at: holdEnd(ctx.now),
    amount_minor,
    paid_at: state === "paid" ? ctx.now : null,
  });
  recordAudit(ctx, {
    action: state === "paid" ? "experience_booking.paid" : "experience_booking.held",
    subject: subjectOf(row.id),
    after: { tickets, amount_minor },
  });
  if (state === "paid") tellOfSale(ctx, row, session);
  else await planExpiry(ctx, row);
  return presentTickets(row);
};

export type LockedBooking = { session: SoldSessionRow; row: ExperienceBookingRow };

type BookingIds = Pick<ExperienceBookingRow, "id" | "session_id">;

/** The session before its booking. `lockMore`: what is locked between the two. */
export const lockSessionAndBooking = async (
  ctx: Ctx,
  ids: BookingIds,
  lockMore?: typeof lockBookingAndOldHolds,
): Promise<LockedBooking> => {
  const locking = lockSession(ctx, ids.session_id);
  lockMore?.(ctx, ids);
  const [session, row] = await Promise.all([locking, lockBooking(ctx, ids.id)]);
  if (!session || !row) throw apiError("not_found");
  return { session, row };
};

const bookingChanged = async (ctx: Ctx, row: ExperienceBookingRow): Promise<ApiError> =>
  stateChanged(ctx, { area: "experience_booking", subject: row.id }, { booking: presentTickets(row) });

/** Two people may act on the same tickets. The first one has the effect, and the second one gets the name of the first. */
export const lockSeenBooking = async <Body extends { seen_version: number }>(
  ctx: Ctx,
  id: number,
  read: () => Body,
  lockMore?: typeof lockBookingAndOldHolds,
): Promise<LockedBooking & { body: Body }> => {
  const found = await findBooking(ctx, id);
  if (!found) throw apiError("not_found");
  const body = read();
  const locked = await lockSessionAndBooking(ctx, found, lockMore);
  if (locked.row.version !== body.seen_version) throw await bookingChanged(ctx, locked.row);
  return { ...locked, body };
};

export type SeenVersion = { seen_version: number };

/** They keep their price. Holds that have run out are ended too: all of them are locked by id, as a merge of guests locks them. */
export const holdSeenAgain = async (ctx: Ctx, id: number, read: () => SeenVersion): Promise<ChangedTickets> => {
  const { session, row } = await lockSeenBooking(ctx, id, read, lockBookingAndOldHolds);
  if (!hasRunOut(row, ctx.now)) throw bookingError("The hold of these tickets has not run out.");
  await lockForSale(ctx, session.id, row.tickets);
  const held = await setHeld(ctx, id, holdEnd(ctx.now));
  recordAudit(ctx, { action: "experience_booking.held_again", subject: subjectOf(id), after: { tickets: row.tickets } });
  await planExpiry(ctx, held);
  return presentTickets(held);
};

export const releaseSeenTickets = async (ctx: Ctx, id: number, read: () => SeenVersion): Promise<ChangedTickets> => {
  const { row } = await lockSeenBooking(ctx, id, read);
  if (row.state !== "held") throw bookingError("These tickets are not held.");
  const released = await setEnded(ctx, id, "cancelled");
  recordAudit(ctx, { action: "experience_booking.released", subject: subjectOf(id), after: { tickets: row.tickets } });
  return presentTickets(released);
};

/** A second run, and one for a hold that was renewed, changes nothing. */
export const expireHold = async (ctx: Ctx, id: number, holdEndsAt: string): Promise<void> => {
  const isMeant = (row: ExperienceBookingRow | undefined): row is ExperienceBookingRow =>
    row?.state === "held" && row.hold_ends_at.toISOString() === holdEndsAt;
  const found = await findBooking(ctx, id);
  if (!isMeant(found)) return;
  const { row } = await lockSessionAndBooking(ctx, found);
  if (!isMeant(row)) return;
  if (!hasRunOut(row, ctx.now)) return planExpiry(ctx, row);
  await setEnded(ctx, id, "expired");
  recordAudit(ctx, { action: "experience_booking.expired", subject: subjectOf(id), after: { tickets: row.tickets } });
};

/** Tickets of a guest: on the profile, in an export, blanked by an erasure, moved by a merge. */
export { eraseTicketBuyers, listTicketsOfGuest, updateTicketsGuest };

export const readWholeTicketsOfGuests = async (ctx: Ctx, guestIds: readonly number[]) =>
  (await listBookingsOfGuests(ctx, guestIds)).map(presentWholeBooking);
