/** The verdict of every rule on an order, and what made its prices: for a quote. */
import type { Translations } from "@comanda/contract/shared.ts";
import { QUOTE_RULES, type QuoteAnswer, RULE_OF_REASON } from "@comanda/contract/venue/order-quote.ts";
import { FAULTS_MAX } from "#lib/errors.ts";
import { wallClock } from "#lib/time-zone.ts";
import { happyHourBehind, type NamedHappyHour, runningHappyHours } from "#venue/menu/rules/items.ts";
import type { PlacingContext, PricedOrder, WantedOrder } from "./decide-order.ts";
import { zoneFor } from "./order-policy.ts";
import { passingChange, type QuoteContext, uncountedLines } from "./passing-changes.ts";
import { bestPromotion } from "./pricing.ts";
import { reasonedOf } from "./refusals.ts";

type Verdict = QuoteAnswer["rules"][number];
type RuleRefusal = Verdict["refusals"][number] & { rule: Verdict["rule"] };

/**
 * Verdicts are in the order of the rules. At most `FAULTS_MAX` refusals are named, as an order's answer does; a rule that refuses says so
 * in any case.
 */
export const verdictsOf = (wanted: WantedOrder, quoted: PricedOrder, context: QuoteContext): Verdict[] => {
  const { errors, amounts, delivery } = quoted;
  const all = Object.entries(errors).flatMap(([field, ofField]) => ofField.map((refusal) => ({ field, refusal })));
  const refusing = new Set(all.map(({ refusal }) => RULE_OF_REASON[refusal.reason]));
  const uncounted = uncountedLines(errors);
  const named = all.slice(0, FAULTS_MAX).map(({ field, refusal }): RuleRefusal => {
    const { sentence, params } = reasonedOf(refusal);
    const { reason } = refusal;
    const refused = { field, values: refusal.values, wanted, context, uncounted, subtotalMinor: amounts.subtotal_minor, delivery };
    return {
      rule: RULE_OF_REASON[reason],
      field,
      reason,
      params,
      message: sentence,
      to_pass: passingChange(reason, refused),
    };
  });
  return QUOTE_RULES.map((rule) => ({
    rule,
    passes: !refusing.has(rule),
    refusals: named.filter((one) => one.rule === rule).map(({ rule: _, ...refusal }) => refusal),
  }));
};

/** Why the prices are what they are. */
export type PriceCauses = {
  happyHours: (NamedHappyHour | null)[];
  listPrices: number[];
  promotion: Translations | null;
  zone: string | null;
};

/** Finds the causes from the lines that are priced. */
export const priceCausesOf = (wanted: WantedOrder, { lines, amounts, moment }: PricedOrder, context: PlacingContext): PriceCauses => {
  const { priceList, settings, zone } = context;
  const clock = wallClock(zone, moment);
  const running = runningHappyHours(priceList.happyHours, clock);
  const items = new Map(priceList.items.map((item) => [item.id, item]));
  const causes = lines.map(({ index, line }) => {
    const item = items.get(line.item_id);
    const variant = item?.variants.find(({ id }) => id === wanted.lines[index]?.variant_id);
    const listMinor = variant?.price_minor ?? item?.price_minor ?? 0;
    const cause = item ? happyHourBehind({ listMinor, priceMinor: line.unit_price_minor }, running, item, variant?.id ?? null) : null;
    return { listMinor, cause };
  });
  const promotion = bestPromotion(amounts.subtotal_minor, settings.charges, wanted.type, clock);
  return {
    listPrices: causes.map(({ listMinor }) => listMinor),
    happyHours: causes.map(({ cause }) => cause),
    promotion: amounts.discount_minor > 0 ? (promotion?.name ?? null) : null,
    zone: wanted.type === "delivery" ? (zoneFor(settings.ordering, wanted.delivery_address?.city ?? "")?.name ?? null) : null,
  };
};
