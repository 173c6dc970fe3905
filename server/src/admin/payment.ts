import type { Command } from "commander";
import { UserError } from "#lib/errors.ts";
import { refundAnyPayment } from "#venue/bookings/deposits/service.ts";
import { payOrderWithCard } from "#venue/orders/gift-cards/service/payments.ts";
import { listPaymentsOf, recordPayment } from "#venue/orders/payments/service.ts";
import { PAYMENT_METHODS, type PaymentMethod } from "#venue/orders/payments/store.ts";
import { forVenue, withCommandContext } from "./command-context.ts";
import { print, table, withApiErrors } from "./print.ts";

type RecordOptions = { method: string; amount: string; giftCard?: string; json?: boolean };
type RefundOptions = { amount: string; reason?: string; json?: boolean };

export const addPaymentCommands = (program: Command): void => {
  const payment = program.command("payment").description("what was paid for an order, and what was given back");
  payment
    .command("record <slug> <order>")
    .description("record a payment taken by staff")
    .requiredOption("--method <method>", PAYMENT_METHODS.join(", "))
    .requiredOption("--amount <minor>", "amount in minor units")
    .option("--gift-card <code>", "the code of the gift card that pays")
    .option("--json", "print JSON")
    .action(record);
  payment
    .command("refund <slug> <payment>")
    .description("record that a payment, or a part of it, was given back")
    .requiredOption("--amount <minor>", "amount in minor units")
    .option("--reason <text>", "why")
    .option("--json", "print JSON")
    .action(refund);
  payment.command("list <slug> <order>").description("the payments of an order").option("--json", "print JSON").action(list);
};

const record = (slug: string, order: string, { method: written, amount, giftCard, json = false }: RecordOptions): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    const [method, amount_minor] = [readMethod(written), Number(amount)];
    if ((method === "gift_card") !== (giftCard !== undefined))
      throw new UserError("--method gift_card and --gift-card CODE belong together.");
    const recorded = await forVenue(deps, slug, (ctx) =>
      withApiErrors(() =>
        giftCard === undefined
          ? recordPayment(ctx, order, { method, amount_minor })
          : payOrderWithCard(ctx, order, { code: giftCard, amount_minor }),
      ),
    );
    print(json, recorded, () => `Payment ${recorded.id} is recorded; the order is ${recorded.is_paid ? "paid" : "not yet covered"}.`);
  });

const refund = (slug: string, payment: string, { amount, reason, json = false }: RefundOptions): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    const refunded = await forVenue(deps, slug, (ctx) =>
      withApiErrors(() => refundAnyPayment(ctx, Number(payment), { amount_minor: Number(amount), reason: reason ?? null })),
    );
    print(json, refunded, () => `Refund ${refunded.id} is recorded.`);
  });

const list = (slug: string, order: string, { json = false }: { json?: boolean }): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    const payments = await forVenue(deps, slug, (ctx) => listPaymentsOf(ctx, order));
    print(json, payments, () => table(payments));
  });

const readMethod = (text: string): PaymentMethod => {
  const method = PAYMENT_METHODS.find((known) => known === text);
  if (!method) throw new UserError(`--method is one of ${PAYMENT_METHODS.join(", ")}.`);
  return method;
};
