/** A guest who asks to be forgotten vanishes from every room in one commit (contract §2.8, open point D126). */
import type { Ctx } from "#lib/context.ts";
import { fail } from "#lib/errors.ts";
import { eraseReasons, recordAudit } from "#platform/audit/service.ts";
import { forgetAnswersTo, holdLanes } from "#platform/deliveries/service.ts";
import { emit, readEventsAbout, replaceEventBody } from "#platform/events/service.ts";
import { forgetMessages } from "#platform/notices/service.ts";
import { eraseProfile, holdGuest } from "#venue/guests/service.ts";
import { eraseVoidReasons } from "#venue/kitchen/service.ts";
import { forgetCustomer } from "#venue/orders/service.ts";
import { eraseRefundReasons } from "#venue/payments/service.ts";
import { rewritePushes } from "#venue/pos/service.ts";
import { forgetBooker } from "#venue/reservations/service.ts";
import { ERASED_NAME, withoutGuest } from "./rules.ts";
import { forgetAnswers } from "./store.ts";

/**
 * Blanked twice: first all there is, then, with the guest held, what was written meanwhile. Who moves an order or a booking
 * holds it before the guest, so the guest is not held while we wait for those.
 */
const forgetVisits = async (ctx: Ctx, guestId: number): Promise<[string[], string[]]> => {
  const forget = () => Promise.all([forgetCustomer(ctx, guestId), forgetBooker(ctx, guestId, ERASED_NAME)]);
  await forget();
  await holdGuest(ctx, guestId);
  return forget();
};

/** Subscribers are told by id alone, so that they can delete what they hold. */
export const eraseGuest = async (ctx: Ctx, guestId: number): Promise<void> => {
  const [orderIds, reservationIds] = await forgetVisits(ctx, guestId);
  if (!(await eraseProfile(ctx, guestId, ERASED_NAME))) throw fail("not_found");
  // What receivers answer from now on is held against the bytes as they are after this.
  await holdLanes(ctx);
  const subjects = [...orderIds, ...reservationIds];
  eraseVoidReasons(ctx, orderIds);
  const forget = (body: string): string => JSON.stringify(withoutGuest(JSON.parse(body) as Record<string, unknown>, guestId));
  const [events, paymentIds] = await Promise.all([readEventsAbout(ctx, subjects, guestId), eraseRefundReasons(ctx, orderIds)]);
  eraseReasons(ctx, [
    ...orderIds.map((id) => ({ kind: "order", id })),
    ...reservationIds.map((id) => ({ kind: "reservation", id })),
    ...paymentIds.map((id) => ({ kind: "payment", id })),
    { kind: "guest", id: guestId },
  ]);
  for (const { id, body } of events) replaceEventBody(ctx, id, forget(body));
  forgetAnswersTo(
    ctx,
    events.map(({ id }) => id),
  );
  await rewritePushes(ctx, orderIds, forget);
  forgetAnswers(ctx, subjects);
  forgetMessages(ctx, guestId);
  recordAudit(ctx, { action: "guest.erased", subject: { kind: "guest", id: guestId } });
  emit(ctx, "guest.updated", { guest: { id: guestId }, erased: true });
};
