/** Which planned prices the menu can have at their moment. */
import type { MenuEdits } from "@comanda/contract/console/menu-editor.ts";
import { instantAt, parseDate } from "#lib/instant.ts";
import { minuteOf } from "#venue/settings/rules/opening-hours.ts";
import { applyEdits } from "./edits.ts";
import { editErrors } from "./errors.ts";
import type { MenuParts } from "./menu-parts.ts";
import type { Plan } from "./plan.ts";

export type WantedPrice = { item: string; variant: string | null; price_minor: number };
type PriceEdit = NonNullable<MenuEdits["prices"]>[number];

/**
 * The last of several prices of a dish or size counts. A price is refused when its dish is priced in another way by now, or has a fault.
 */
export const pricesToSet = <P extends WantedPrice>(
  plan: Plan,
  wanted: readonly P[],
  taxes: MenuParts["charges"]["taxes"],
): { prices: PriceEdit[]; refused: P[] } => {
  const values = new Map(plan.items.map(({ key, value }) => [key, value]));
  const last = [...new Map(wanted.map((price) => [`${price.item} ${price.variant ?? ""}`, price])).values()];
  const seenOf = ({ item, variant }: P): number | null => {
    const value = values.get(item);
    const price = variant === null ? value?.price_minor : value?.variants.find(({ key }) => key === variant)?.price_minor;
    return price ?? null;
  };
  const editsOf = (prices: readonly P[]): PriceEdit[] =>
    prices.flatMap((price) => {
      const seen_minor = seenOf(price);
      return seen_minor === null ? [] : [{ item: price.item, variant: price.variant, seen_minor, price_minor: price.price_minor }];
    });
  const edits = editsOf(last);
  const { after, errors } = applyEdits(plan, { prices: edits });
  const paths = Object.keys({ ...errors, ...editErrors(plan, after, { prices: edits }, taxes) });
  const faulty = new Set(paths.map((path) => edits[Number(/^prices[.](\d+)/.exec(path)?.[1])]?.item));
  const isRefused = (price: P): boolean => seenOf(price) === null || faulty.has(price.item);
  return { prices: editsOf(last.filter((price) => !isRefused(price))), refused: last.filter(isRefused) };
};

/** A moment that a manager names by date and time of the venue's clock. */
const HOUR_MAX = 23;

/** Null: there is no such date or time. */
export const momentAt = (zone: string, date: string, time: string): Date | null => {
  const day = parseDate(date);
  return day && Number(time.slice(0, 2)) <= HOUR_MAX ? instantAt(zone, day, minuteOf(time)) : null;
};
