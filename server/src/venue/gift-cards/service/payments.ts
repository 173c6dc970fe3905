/** Orders that are paid with a gift card, and refunds that go back to it. Locks: order, payment, gift card. */
import type { Ctx } from "#lib/context.ts";
import { validationError } from "#lib/errors.ts";
import { formatInstant } from "#lib/time-zone.ts";
import { recordAudit } from "#platform/audit/service.ts";
import { emit } from "#platform/events/service.ts";
import { findOrderForChange } from "#venue/orders/service.ts";
import { recordPayment, refundPayment } from "#venue/payments/service.ts";
import { presentCardOfEvent } from "../present.ts";
import { refusalOf, reopenedUntil, todayOf } from "../rules.ts";
import { findRedemption, insertEntry, lockCard, reopen } from "../store.ts";
import { scheduleExpiry } from "./cards.ts";
import { lockCardByCode } from "./codes.ts";

export type CardPayment = { code: string; amount_minor: number };

/** Payment and redemption are one commit. The code alone pays: a card has no owner. */
export const payOrderWithCard = async (
  ctx: Ctx,
  orderId: string,
  { code, amount_minor }: CardPayment,
): Promise<{ id: number; is_paid: boolean }> => {
  await findOrderForChange(ctx, orderId);
  const card = await lockCardByCode(ctx, code);
  const refusal = refusalOf(card, amount_minor, todayOf(ctx.tenant.zone, ctx.now));
  if (refusal) throw validationError(refusal);
  const payment = await recordPayment(ctx, orderId, { method: "gift_card", amount_minor });
  const redeemed = {
    gift_card_id: card.id,
    kind: "redeem" as const,
    amount_minor: -amount_minor,
    order_id: orderId,
    payment_id: payment.id,
  };
  const balance_minor = await insertEntry(ctx, redeemed);
  recordAudit(ctx, {
    action: "gift_card.redeemed",
    subject: { kind: "gift_card", id: card.id },
    before: { balance_minor: card.balance_minor },
    after: { balance_minor, order_id: orderId },
  });
  emit(ctx, "giftcard.redeemed", {
    gift_card: presentCardOfEvent({ ...card, balance_minor }, ctx.tenant.zone),
    redemption: { order_id: orderId, amount_minor, redeemed_at: formatInstant(ctx.tenant.zone, ctx.now) },
  });
  return payment;
};

/** What a gift card paid goes back to the card; any other payment is given back as it was taken. */
export const refundToSource = async (
  ctx: Ctx,
  paymentId: number,
  refund: { amount_minor: number; reason: string | null },
): Promise<{ id: number }> => {
  const { id } = await refundPayment(ctx, paymentId, refund);
  const redemption = await findRedemption(ctx, paymentId);
  if (redemption) await refundToCard(ctx, redemption, { paymentId, refundId: id, amountMinor: refund.amount_minor });
  return { id };
};

type CardRedemption = { gift_card_id: number; order_id: string };
type CardRefund = { paymentId: number; refundId: number; amountMinor: number };

/** A frozen card stays frozen. A card that expired since, or soon will, is valid for a month more: the guest could not use the amount otherwise. */
const refundToCard = async (ctx: Ctx, redemption: CardRedemption, { paymentId, refundId, amountMinor }: CardRefund): Promise<void> => {
  const card = await lockCard(ctx, redemption.gift_card_id);
  if (!card) throw new Error("The gift card of a redemption was not found");
  const expiresOn = card.expires_on === null ? null : reopenedUntil(card.expires_on, ctx.tenant.zone, ctx.now);
  if (expiresOn !== null && (card.status === "expired" || expiresOn !== card.expires_on)) {
    await reopen(ctx, card.id, expiresOn);
    await scheduleExpiry(ctx, card.id, expiresOn);
  }
  const balance_minor = await insertEntry(ctx, {
    gift_card_id: card.id,
    kind: "refund",
    amount_minor: amountMinor,
    order_id: redemption.order_id,
    payment_id: paymentId,
    refund_id: refundId,
  });
  recordAudit(ctx, {
    action: "gift_card.refunded",
    subject: { kind: "gift_card", id: card.id },
    before: { balance_minor: card.balance_minor, expires_on: card.expires_on },
    after: { balance_minor, expires_on: expiresOn, order_id: redemption.order_id },
  });
};
