/** Erases a guest from every module in one commit (contract §2.8, open point D126), or collects what an erasure would blank. */

import type { ErasureReceipt, GuestExport } from "@comanda/contract/console/guests.ts";
import { deleteAnswersAbout } from "#db/idempotency-keys.ts";
import type { Ctx } from "#lib/context.ts";
import { type ChangedSubject, recordChange } from "#lib/record-change.ts";
import { eraseReasons, listReasonsAbout, recordAudit } from "#platform/activity/audit/service.ts";
import { emit, listEventsAbout, setEventBodies } from "#platform/events/service.ts";
import { eraseAnswersTo, lockEndpointStates } from "#platform/events/webhook-deliveries/service/log.ts";
import { eraseMessages, listMessagesOf } from "#platform/messages/notifications/service.ts";
import { eraseTicketBuyers, readWholeTicketsOfGuests } from "#venue/bookings/experiences/service/tickets.ts";
import { eraseBooker, listHandedBookings, readWholeReservationsOfGuest } from "#venue/bookings/reservations/service/bookings.ts";
import { eraseWaiting, readWaitingOfGuests } from "#venue/bookings/waitlist/service.ts";
import { eraseReviewsOf, readReviewsOf } from "#venue/guest-records/reviews/service/inbox.ts";
import {
  eraseProfiles,
  keepFromMerges,
  listConsents,
  listMergedInto,
  lockGuests,
  type MergedRow,
  readProfile,
} from "#venue/guests/service.ts";
import { eraseGuestOnTickets, listVoidReasons } from "#venue/kitchen/service.ts";
import { listBillIds } from "#venue/orders/bills/service.ts";
import { eraseGuestOnCards, readCardsOfGuests } from "#venue/orders/gift-cards/service/cards.ts";
import { eraseRefundReasons, listRefundReasons, readPaymentIds } from "#venue/orders/payments/service.ts";
import { readWholeOrdersOfGuest } from "#venue/orders/service/reads.ts";
import { eraseCustomer } from "#venue/orders/service.ts";
import { createOwnEventCheck, ERASED_NAME, withoutGuest } from "./rules.ts";

const CONSENTS_MAX = 10_000;

/** Gets the guest and the profiles merged into it, which are locked. It throws when they must not be erased. */
export type CheckGuests = (guests: MergedRow[]) => Promise<void>;
const mayErase: CheckGuests = async () => {};

/**
 * Clears twice: first without, then with the locks on the guest and the profiles merged into it, for rows written in between. Order updates
 * lock the order before the guest, so locking the guest first could deadlock. A row that was written in between and is changed now still
 * can: the caller repeats.
 */
const eraseOrdersAndReservations = async (
  ctx: Ctx,
  guestId: number,
  check: CheckGuests,
): Promise<{ guestIds: number[]; orderIds: string[]; reservationIds: string[] }> => {
  keepFromMerges(ctx);
  const eraseBoth = () => Promise.all([eraseCustomer(ctx, guestId), eraseBooker(ctx, guestId, ERASED_NAME)]);
  await eraseBoth();
  const guests = await lockGuests(ctx, [guestId]);
  await check(guests);
  const [orderIds, reservationIds] = await eraseBoth();
  return { guestIds: guests.map(({ id }) => id), orderIds, reservationIds };
};

type HandedBookings = Awaited<ReturnType<typeof listHandedBookings>>;

/** Tickets of experiences, with their payments. */
type OwnTickets = readonly { id: number; payment_id: number | null }[];

type OwnSubjects = { guestIds: number[]; orderIds: string[]; reservationIds: string[]; tickets: OwnTickets };

const paymentsOf = (tickets: OwnTickets): number[] => tickets.flatMap(({ payment_id }) => payment_id ?? []);

/** Reads the events of these subjects and of bookings that were handed over, without what is about the other guest. */
const readOwnEvents = async (ctx: Ctx, { guestIds, orderIds, reservationIds: ownIds, tickets }: OwnSubjects, handed: HandedBookings) => {
  const reservationIds = [...new Set([...ownIds, ...handed.map(({ id }) => id)])];
  const ids = [...orderIds, ...reservationIds];
  const [paymentIds, reviews] = await Promise.all([readPaymentIds(ctx, ids), readReviewsOf(ctx, ids)]);
  const events = await listEventsAbout(ctx, {
    guestIds,
    orderIds,
    reservationIds,
    paymentIds: [...paymentIds, ...paymentsOf(tickets)],
    reviewIds: reviews.map(({ id }) => id),
    experienceBookingIds: tickets.map(({ id }) => id),
  });
  return events.filter(createOwnEventCheck(handed, guestIds));
};

type GuestSubjects = OwnSubjects & { paymentIds: number[]; waitingIds: string[]; cardIds: number[]; reviewIds: number[] };

const subjectsOf = ({
  guestIds,
  orderIds,
  reservationIds,
  paymentIds,
  waitingIds,
  cardIds,
  reviewIds,
  tickets,
}: GuestSubjects): ChangedSubject[] => [
  ...orderIds.map((id) => ({ kind: "order" as const, id })),
  ...reservationIds.map((id) => ({ kind: "reservation" as const, id })),
  ...[...paymentIds, ...paymentsOf(tickets)].map((id) => ({ kind: "payment" as const, id })),
  ...waitingIds.map((id) => ({ kind: "waiting" as const, id })),
  ...cardIds.map((id) => ({ kind: "gift_card" as const, id })),
  ...reviewIds.map((id) => ({ kind: "review" as const, id })),
  ...tickets.map(({ id }) => ({ kind: "experience_booking" as const, id })),
  ...guestIds.map((id) => ({ kind: "guest" as const, id })),
];

const readReasons = async (ctx: Ctx, subjects: GuestSubjects): Promise<{ activity: object[]; kitchen: object[]; refunds: object[] }> => {
  const [activity, kitchen, refunds] = await Promise.all([
    listReasonsAbout(ctx, subjectsOf(subjects)),
    listVoidReasons(ctx, subjects.orderIds),
    listRefundReasons(ctx, [...subjects.orderIds, ...subjects.reservationIds], paymentsOf(subjects.tickets)),
  ]);
  return { activity, kitchen, refunds };
};

/** The event carries the id alone, so that subscribers can delete their copy. The receipt has counts and no personal data. */
export const eraseGuest = async (ctx: Ctx, guestId: number, check = mayErase): Promise<ErasureReceipt> => {
  const { guestIds, orderIds, reservationIds } = await eraseOrdersAndReservations(ctx, guestId, check);
  const { profiles, consents } = await eraseProfiles(ctx, guestIds, ERASED_NAME);
  // Locks the endpoints: later deliveries send the rewritten bodies.
  await lockEndpointStates(ctx);
  const ids = [...orderIds, ...reservationIds];
  const [paymentIds, waitingIds, tickets, cardIds, reviewIds] = await Promise.all([
    readPaymentIds(ctx, ids),
    eraseWaiting(ctx, guestIds, ERASED_NAME),
    eraseTicketBuyers(ctx, guestIds, ERASED_NAME),
    eraseGuestOnCards(ctx, guestIds),
    eraseReviewsOf(ctx, ids),
  ]);
  const subjects = { guestIds, orderIds, reservationIds, paymentIds, waitingIds, tickets, cardIds, reviewIds };
  // What belongs to this guest now is blanked as a whole. Of the others only what was before they were handed over.
  const given = (await listHandedBookings(ctx, guestIds)).filter(({ id }) => !reservationIds.includes(id));
  const [events, reasons] = await Promise.all([readOwnEvents(ctx, subjects, given), readReasons(ctx, subjects)]);
  eraseGuestOnTickets(ctx, orderIds);
  await eraseRefundReasons(ctx, ids, paymentsOf(tickets));
  // A bill has orders of several guests: its reasons are erased with the first of them, and handed to none.
  const billIds = await listBillIds(ctx, orderIds);
  eraseReasons(ctx, [...subjectsOf(subjects), ...billIds.map((id) => ({ kind: "bill" as const, id }))]);
  for (const subject of subjectsOf(subjects)) recordChange(ctx, subject);
  const blanked = events.map(({ id, body }) => ({ id, body: JSON.stringify(withoutGuest(JSON.parse(body) as Record<string, unknown>)) }));
  setEventBodies(ctx, blanked);
  eraseAnswersTo(
    ctx,
    events.map(({ id }) => id),
  );
  deleteAnswersAbout(ctx, [...ids, ...waitingIds, ...given.map(({ id }) => id)]);
  const erased = {
    profiles,
    consents,
    orders: orderIds.length,
    reservations: reservationIds.length,
    waitlist: waitingIds.length,
    gift_cards: cardIds.length,
    reviews: reviewIds.length,
    experience_bookings: tickets.length,
    messages: await eraseMessages(ctx, guestId),
    events: events.length,
    reasons: Object.values(reasons).flat().length,
  };
  recordAudit(ctx, { action: "guest.erased", subject: { kind: "guest", id: guestId }, after: { erased } });
  emit(ctx, "guest.updated", { guest: { id: guestId }, erased: true });
  return { guest_id: guestId, erased_at: ctx.now.toISOString(), erased_by: ctx.actor.name, erased };
};

/** Everything that an erasure would blank. The activity log records the export, not its contents. */
export const exportGuest = async (ctx: Ctx, guestId: number): Promise<GuestExport> => {
  const { staff_note, ...profile } = await readProfile(ctx, guestId);
  const [merged, consents, orders, reservations, messages] = await Promise.all([
    listMergedInto(ctx, guestId),
    listConsents(ctx, guestId, CONSENTS_MAX),
    readWholeOrdersOfGuest(ctx, guestId),
    readWholeReservationsOfGuest(ctx, guestId),
    listMessagesOf(ctx, guestId),
  ]);
  const guestIds = [guestId, ...merged.map(({ id }) => id)];
  const [orderIds, reservationIds] = [orders.map(({ id }) => id), reservations.map(({ id }) => id)];
  const [paymentIds, waitlist, handed, tickets, giftCards, reviews] = await Promise.all([
    readPaymentIds(ctx, [...orderIds, ...reservationIds]),
    readWaitingOfGuests(ctx, guestIds),
    listHandedBookings(ctx, guestIds),
    readWholeTicketsOfGuests(ctx, guestIds),
    readCardsOfGuests(ctx, guestIds),
    readReviewsOf(ctx, [...orderIds, ...reservationIds]),
  ]);
  const [waitingIds, cardIds, reviewIds] = [waitlist.map(({ id }) => id), giftCards.map(({ id }) => id), reviews.map(({ id }) => id)];
  const [events, reasons] = await Promise.all([
    readOwnEvents(ctx, { guestIds, orderIds, reservationIds, tickets }, handed),
    readReasons(ctx, { guestIds, orderIds, reservationIds, paymentIds, waitingIds, tickets, cardIds, reviewIds }),
  ]);
  recordAudit(ctx, { action: "guest.exported", subject: { kind: "guest", id: guestId } });
  return {
    exported_at: ctx.now.toISOString(),
    restaurant: ctx.tenant.slug,
    profile: { ...profile, staff_note },
    merged_profiles: merged,
    consents,
    orders,
    reservations,
    waitlist,
    gift_cards: giftCards,
    reviews,
    experience_bookings: tickets,
    messages,
    reasons: Object.entries(reasons).flatMap(([where, rows]) => rows.map((row) => ({ where, ...row }))),
    events: events.map(({ body }) => JSON.parse(body) as Record<string, unknown>),
  };
};
