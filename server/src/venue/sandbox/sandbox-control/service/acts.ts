/** What staff, guests and devices do, done for a program in its sandbox, with the services that theirs goes through. */
import { drawGiftCardCode } from "@comanda/contract/console/gift-card-codes.ts";
import type { EmittedEvent } from "@comanda/contract/events/envelope.ts";
import type { DoneAct, FaultOrder, OrderedFaults, SandboxAct } from "@comanda/contract/sandbox/sandbox-operations.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError } from "#lib/errors.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { orderFaults } from "#platform/events/sandbox-faults/service.ts";
import { findReservationForChange } from "#venue/bookings/reservations/service/bookings.ts";
import { moveReservation } from "#venue/bookings/reservations/service/changes.ts";
import { markArrived, markLeft, markNoShow, seatExpected } from "#venue/bookings/reservations/service/presence.ts";
import { storeReview } from "#venue/guest-records/reviews/service/submission.ts";
import { changeGuest } from "#venue/guests/service.ts";
import { sellOutToday } from "#venue/menu/menu-today/service.ts";
import { issueCard } from "#venue/orders/gift-cards/service/cards.ts";
import { payOrderWithCard, refundToSource } from "#venue/orders/gift-cards/service/payments.ts";
import { listPaymentsOf, markPaidIfCovered, readRefundable, recordPayment } from "#venue/orders/payments/service.ts";
import { findOrderForChange, moveOrder, strikeLine } from "#venue/orders/service.ts";
import { triggerEvent } from "#venue/sandbox/sandbox-events/service.ts";
import { alreadyRated, leftMinor, type NamedAct } from "../rules.ts";

type LockedReservation = Awaited<ReturnType<typeof findReservationForChange>>;
/** `trigger` has no subject of its own: the event names it. */
type ActResult = { subject: DoneAct["subject"]; gift_card_code?: string };
type Acts = { [A in SandboxAct["act"]]: (ctx: Ctx, wanted: NamedAct<A>) => Promise<ActResult> };

const REASON = "A trial in the sandbox";

const about = (type: string, id: number | string): ActResult => ({ subject: { type, id } });

const STEPS: Record<NonNullable<SandboxAct["step"]>, (ctx: Ctx, reservation: LockedReservation) => unknown> = {
  confirm: (ctx, reservation) => moveReservation(ctx, reservation, "confirmed"),
  decline: (ctx, reservation) => moveReservation(ctx, reservation, "declined"),
  cancel: (ctx, reservation) => moveReservation(ctx, reservation, "cancelled"),
  arrive: markArrived,
  seat: seatExpected,
  leave: markLeft,
  no_show: markNoShow,
};

export const ACTS: Acts = {
  async trigger(ctx, { event }) {
    await triggerEvent(ctx, event as EmittedEvent);
    return { subject: null };
  },
  async pay_order(ctx, { order_id, gift_card_code: code, ...wanted }) {
    const { total_minor } = await findOrderForChange(ctx, order_id);
    const amount_minor = wanted.amount_minor ?? leftMinor(total_minor, await listPaymentsOf(ctx, order_id));
    const { id } =
      code === undefined
        ? await recordPayment(ctx, order_id, { method: "cash", amount_minor })
        : await payOrderWithCard(ctx, order_id, { code, amount_minor });
    return about("payment", id);
  },
  async refund_payment(ctx, { payment_id, reason = REASON, ...wanted }) {
    const refundable = (await readRefundable(ctx, [payment_id])).get(payment_id);
    if (refundable === undefined) throw apiError("not_found");
    await refundToSource(ctx, payment_id, { amount_minor: wanted.amount_minor ?? refundable, reason });
    return about("payment", payment_id);
  },
  async move_order(ctx, { order_id, status, reason }) {
    await moveOrder(ctx, await findOrderForChange(ctx, order_id), { status, ...(reason === undefined ? {} : { reason }) });
    return about("order", order_id);
  },
  async strike_line(ctx, { order_id, line_id, reason = REASON }) {
    const order = await findOrderForChange(ctx, order_id);
    const line = order.lines.find(({ id, voided }) => id === line_id && !voided);
    if (!line) throw apiError("not_found");
    await markPaidIfCovered(ctx, await strikeLine(ctx, order, { line, reason }));
    return about("order", order_id);
  },
  async rate_order(ctx, { order_id, rating, comment = null }) {
    await findOrderForChange(ctx, order_id);
    if (!(await storeReview(ctx, { order_id, reservation_id: null }, { rating, comment }))) throw alreadyRated();
    return about("order", order_id);
  },
  async move_reservation(ctx, { reservation_id, step }) {
    await STEPS[step](ctx, await findReservationForChange(ctx, reservation_id));
    return about("reservation", reservation_id);
  },
  async sell_out_item(ctx, { item_id }) {
    await sellOutToday(ctx, item_id);
    return about("item", item_id);
  },
  async change_guest(ctx, { guest_id, name, marketing_opted_in }) {
    await changeGuest(ctx, guest_id, {
      ...(name === undefined ? {} : { name }),
      ...(marketing_opted_in === undefined ? {} : { marketing_opted_in }),
    });
    return about("guest", guest_id);
  },
  async issue_gift_card(ctx, { amount_minor, expires_on = null, reason = REASON }) {
    const gift_card_code = drawGiftCardCode();
    const { id } = await issueCard(ctx, { code: gift_card_code, amount_minor, expires_on, guest_id: null, message: null }, { reason });
    return { ...about("gift_card", id), gift_card_code };
  },
};

export const orderSandboxFaults = async (ctx: Ctx, order: FaultOrder, operations: readonly string[]): Promise<OrderedFaults> => {
  const ordered = await orderFaults(ctx, order, operations);
  if (order.fault !== undefined)
    recordAudit(ctx, { action: "sandbox.faults_ordered", subject: { kind: "restaurant", id: ctx.tenant.id }, after: { ...order } });
  return ordered;
};
