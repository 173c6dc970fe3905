/** Orders and tickets that are paid with a gift card, and refunds that go back to it. Locks: order or booking, payment, gift card. */
import type { Ctx } from "#lib/context.ts";
import { validationError } from "#lib/errors.ts";
import { formatInstant } from "#lib/time-zone.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { emit } from "#platform/events/service.ts";
import { recordPayment, refundPayment } from "#venue/orders/payments/service.ts";
import { findOrderForChange } from "#venue/orders/service.ts";
import { presentCardOfEvent } from "../present.ts";
import { refusalOf, reopenedUntil, todayOf } from "../rules.ts";
import { type CardRow, findPaidEntry, insertEntry, lockCard, type PaidEntry, reopen } from "../store.ts";
import { scheduleExpiry } from "./cards.ts";
import { lockCardByCode } from "./codes.ts";

export type CardPayment = { code: string; amount_minor: number };

const lockPayingCard = async (ctx: Ctx, { code, amount_minor }: CardPayment): Promise<CardRow> => {
  const card = await lockCardByCode(ctx, code);
  const refusal = refusalOf(card, amount_minor, todayOf(ctx.tenant.zone, ctx.now));
  if (refusal) throw validationError(refusal);
  return card;
};

type CardRedemption = { amount_minor: number; payment_id: number; order_id: string | null };

/** Returns what is left on the card. */
const redeem = async (ctx: Ctx, card: CardRow, { amount_minor, payment_id, order_id }: CardRedemption): Promise<number> => {
  const redeemed = { gift_card_id: card.id, kind: "redeem" as const, amount_minor: -amount_minor, order_id, payment_id };
  const balance_minor = await insertEntry(ctx, redeemed);
  recordAudit(ctx, {
    action: "gift_card.redeemed",
    subject: { kind: "gift_card", id: card.id },
    before: { balance_minor: card.balance_minor },
    after: { balance_minor, order_id },
  });
  return balance_minor;
};

/** Payment and redemption are one commit. The code alone pays: a card has no owner. */
export const payOrderWithCard = async (
  ctx: Ctx,
  orderId: string,
  { code, amount_minor }: CardPayment,
): Promise<{ id: number; is_paid: boolean }> => {
  await findOrderForChange(ctx, orderId);
  const card = await lockPayingCard(ctx, { code, amount_minor });
  const payment = await recordPayment(ctx, orderId, { method: "gift_card", amount_minor });
  const balance_minor = await redeem(ctx, card, { amount_minor, payment_id: payment.id, order_id: orderId });
  emit(ctx, "giftcard.redeemed", {
    gift_card: presentCardOfEvent({ ...card, balance_minor }, ctx.tenant.zone),
    redemption: { order_id: orderId, amount_minor, redeemed_at: formatInstant(ctx.tenant.zone, ctx.now) },
  });
  return payment;
};

/** The caller has locked the tickets and records the payment. `giftcard.redeemed` is an event of orders alone (contract §6.3). */
export const payTicketsWithCard = async (ctx: Ctx, wanted: CardPayment, record: () => Promise<{ id: number }>): Promise<{ id: number }> => {
  const card = await lockPayingCard(ctx, wanted);
  const payment = await record();
  await redeem(ctx, card, { amount_minor: wanted.amount_minor, payment_id: payment.id, order_id: null });
  return payment;
};

/** What a gift card paid goes back to the card; any other payment is given back as it was taken. A card that was sold for it loses the amount. */
export const refundToSource = async (
  ctx: Ctx,
  paymentId: number,
  refund: { amount_minor: number; reason: string | null },
): Promise<{ id: number }> => {
  const entry = await findPaidEntry(ctx, paymentId);
  // The reason of a refunded sale is kept with the card alone: an erasure of its guest finds it there.
  const { id } = await refundPayment(ctx, paymentId, entry?.kind === "issue" ? { ...refund, reason: null } : refund);
  if (entry) await BY_ENTRY[entry.kind](ctx, entry, { paymentId, refundId: id, amountMinor: refund.amount_minor, reason: refund.reason });
  return { id };
};

type CardRefund = { paymentId: number; refundId: number; amountMinor: number; reason: string | null };

const lockPaidCard = async (ctx: Ctx, { gift_card_id }: PaidEntry): Promise<CardRow> => {
  const card = await lockCard(ctx, gift_card_id);
  if (!card) throw new Error("The gift card of an entry was not found");
  return card;
};

/** Money for the card is given back only while it is still on the card: what was spent would be paid twice. */
const takeFromSoldCard = async (ctx: Ctx, sale: PaidEntry, { paymentId, refundId, amountMinor, reason }: CardRefund): Promise<void> => {
  const card = await lockPaidCard(ctx, sale);
  if (amountMinor > card.balance_minor)
    throw validationError({ amount_minor: [`At most ${card.balance_minor} can be refunded: no more is on the gift card.`] });
  const balance_minor = await insertEntry(ctx, {
    gift_card_id: card.id,
    kind: "adjust",
    amount_minor: -amountMinor,
    payment_id: paymentId,
    refund_id: refundId,
  });
  recordAudit(ctx, {
    action: "gift_card.adjusted",
    subject: { kind: "gift_card", id: card.id },
    before: { balance_minor: card.balance_minor },
    after: { balance_minor },
    reason,
  });
};

/** A frozen card stays frozen. A card that expired since, or soon will, is valid for a month more: the guest could not use the amount otherwise. */
const refundToCard = async (ctx: Ctx, redemption: PaidEntry, { paymentId, refundId, amountMinor }: CardRefund): Promise<void> => {
  const card = await lockPaidCard(ctx, redemption);
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

const BY_ENTRY: Record<PaidEntry["kind"], typeof refundToCard> = { redeem: refundToCard, issue: takeFromSoldCard };
