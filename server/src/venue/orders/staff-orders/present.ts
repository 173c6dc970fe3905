import type { FormDish, FormGroup, OrderQuote } from "@comanda/contract/console/staff-orders.ts";
import type { OrderRefusal } from "@comanda/contract/venue/order-refusals.ts";

type FormItem = Omit<FormDish, "sizes" | "group_ids"> & { variants: FormDish["sizes"]; modifier_groups: FormGroup[] };

type Quoted = {
  lines: { index: number; line: Omit<OrderQuote["lines"][number], "index"> }[];
  amounts: NonNullable<OrderQuote["amounts"]>;
  timing: { promised_at: Date } | null;
  errors: Record<string, OrderRefusal[]>;
};

export const presentDish = (item: FormItem): FormDish => ({
  id: item.id,
  category_id: item.category_id,
  name: item.name,
  price_minor: item.price_minor,
  is_available: item.is_available,
  remaining: item.remaining,
  sizes: item.variants.map(({ id, name, price_minor, is_default }) => ({ id, name, price_minor, is_default })),
  group_ids: item.modifier_groups.map(({ id }) => id),
});

/** Each group once, however many dishes show it. */
export const presentGroups = (items: readonly FormItem[]): FormGroup[] => [
  ...new Map(
    items
      .flatMap(({ modifier_groups }) => modifier_groups)
      .map(({ id, name, min_select, max_select, options }) => [id, { id, name, min_select, max_select, options }]),
  ).values(),
];

export const presentQuote = ({ lines, amounts, timing, errors }: Quoted): OrderQuote => {
  const { subtotal_minor, discount_minor, service_charge_minor, tax_added_minor, delivery_fee_minor, total_minor } = amounts;
  const isExact = Number.isSafeInteger(total_minor);
  return {
    lines: lines.map(({ index, line: { unit_price_minor, line_total_minor } }) => ({ index, unit_price_minor, line_total_minor })),
    amounts: isExact ? { subtotal_minor, discount_minor, service_charge_minor, tax_added_minor, delivery_fee_minor, total_minor } : null,
    promised_at: timing?.promised_at.toISOString() ?? null,
    refusals: Object.entries(errors).flatMap(([field, refusals]) => refusals.map((refusal) => ({ field, ...refusal }))),
  };
};
