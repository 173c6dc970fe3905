/** A guest who asks to be forgotten vanishes from every room in one commit (contract §2.8, open point D126). */
import type { Ctx } from "#lib/context.ts";
import { fail } from "#lib/errors.ts";
import { recordAudit } from "#platform/audit/service.ts";
import { forgetAnswersTo } from "#platform/deliveries/service.ts";
import { emit, readEventsAbout, replaceEventBody } from "#platform/events/service.ts";
import { forgetMessages } from "#platform/notices/service.ts";
import { eraseProfile } from "#venue/guests/service.ts";
import { forgetCustomer } from "#venue/orders/service.ts";
import { rewritePushes } from "#venue/pos/service.ts";
import { forgetBooker } from "#venue/reservations/service.ts";
import { ERASED_NAME, withoutGuest } from "./rules.ts";
import { forgetAnswers } from "./store.ts";

/** Subscribers are told by id alone, so that they can delete what they hold. */
export const eraseGuest = async (ctx: Ctx, guestId: number): Promise<void> => {
  if (!(await eraseProfile(ctx, guestId, ERASED_NAME))) throw fail("not_found");
  const [orderIds, reservationIds] = await Promise.all([forgetCustomer(ctx, guestId), forgetBooker(ctx, guestId, ERASED_NAME)]);
  const subjects = [...orderIds, ...reservationIds];
  const forget = (body: string): string => JSON.stringify(withoutGuest(JSON.parse(body) as Record<string, unknown>, guestId));
  const events = await readEventsAbout(ctx, subjects, guestId);
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
