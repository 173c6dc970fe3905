/** Erases a guest from every module in one commit (contract §2.8, open point D126). */

import { deleteAnswersAbout } from "#db/idempotency-keys.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError } from "#lib/errors.ts";
import { type ChangedSubject, recordChange } from "#lib/record-change.ts";
import { eraseReasons, recordAudit } from "#platform/audit/service.ts";
import { emit, readEventsAbout, replaceEventBody } from "#platform/events/service.ts";
import { eraseMessages } from "#platform/notifications/service.ts";
import { eraseAnswersTo, lockResults } from "#platform/webhook-deliveries/service/log.ts";
import { eraseProfile, lockExistingGuest } from "#venue/guests/service.ts";
import { eraseVoidReasons } from "#venue/kitchen/service.ts";
import { eraseCustomer } from "#venue/orders/service.ts";
import { eraseRefundReasons } from "#venue/payments/service.ts";
import { eraseBooker } from "#venue/reservations/service.ts";
import { ERASED_NAME, withoutGuest } from "./rules.ts";

/**
 * Clears twice: first without, then with the lock on the guest, for rows written in between. Order updates lock the order before the
 * guest, so locking the guest first could deadlock. A row that was written in between and is changed now still can: the caller repeats.
 */
const eraseOrdersAndReservations = async (ctx: Ctx, guestId: number): Promise<[string[], string[]]> => {
  const eraseBoth = () => Promise.all([eraseCustomer(ctx, guestId), eraseBooker(ctx, guestId, ERASED_NAME)]);
  await eraseBoth();
  await lockExistingGuest(ctx, guestId);
  return eraseBoth();
};

/** The event carries the id alone, so that subscribers can delete their copy. */
export const eraseGuest = async (ctx: Ctx, guestId: number): Promise<void> => {
  const [orderIds, reservationIds] = await eraseOrdersAndReservations(ctx, guestId);
  if (!(await eraseProfile(ctx, guestId, ERASED_NAME))) throw apiError("not_found");
  // Locks the endpoints: later deliveries send the rewritten bodies.
  await lockResults(ctx);
  const subjects = [...orderIds, ...reservationIds];
  eraseVoidReasons(ctx, orderIds);
  const eraseFrom = (body: string): string => JSON.stringify(withoutGuest(JSON.parse(body) as Record<string, unknown>, guestId));
  const [events, paymentIds] = await Promise.all([readEventsAbout(ctx, subjects, guestId), eraseRefundReasons(ctx, orderIds)]);
  const erased: ChangedSubject[] = [
    ...orderIds.map((id) => ({ kind: "order" as const, id })),
    ...reservationIds.map((id) => ({ kind: "reservation" as const, id })),
    ...paymentIds.map((id) => ({ kind: "payment" as const, id })),
    { kind: "guest", id: guestId },
  ];
  eraseReasons(ctx, erased);
  for (const subject of erased) recordChange(ctx, subject);
  for (const { id, body } of events) replaceEventBody(ctx, id, eraseFrom(body));
  eraseAnswersTo(
    ctx,
    events.map(({ id }) => id),
  );
  deleteAnswersAbout(ctx, subjects);
  eraseMessages(ctx, guestId);
  recordAudit(ctx, { action: "guest.erased", subject: { kind: "guest", id: guestId } });
  emit(ctx, "guest.updated", { guest: { id: guestId }, erased: true });
};
