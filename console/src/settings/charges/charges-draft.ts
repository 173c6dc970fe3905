/** Changes of the charges that the form makes, and the sample order beside it. */

import type { SampleOrder } from "@comanda/contract/console/venue-settings.ts";
import { type Minor, minor } from "@comanda/contract/minor.ts";
import type { OrderType } from "@comanda/contract/venue/orders.ts";
import type { Charges } from "@comanda/contract/venue-file/charges.ts";

export type Tax = Charges["taxes"][number];
export type Promotion = Charges["promotions"][number];
export type ServiceCharge = NonNullable<Charges["service_charge"]>;

/** Short and new in its list, also after its last one was removed. */
const freeKey = (kind: string): string => `${kind}-${crypto.getRandomValues(new Uint32Array(1)).join("")}`;

/** The first tax is the default. */
export const addTax = (taxes: readonly Tax[]): Tax[] => [
  ...taxes,
  { key: freeKey("tax"), name: "", rate: 0, inclusive: taxes.at(-1)?.inclusive ?? true, is_default: taxes.length === 0 },
];

/** Exactly one is the default: the first takes its place when that one goes. */
const withDefault = (taxes: readonly Tax[]): Tax[] =>
  taxes.some(({ is_default }) => is_default) ? [...taxes] : taxes.map((tax, at) => ({ ...tax, is_default: at === 0 }));

/** What named the tax has none afterwards. Dishes that have it are named by the server. */
export const removeTax = (charges: Charges, key: string): Partial<Charges> => ({
  taxes: withDefault(charges.taxes.filter((tax) => tax.key !== key)),
  delivery_fee_tax: charges.delivery_fee_tax === key ? null : charges.delivery_fee_tax,
  service_charge: charges.service_charge?.tax === key ? { ...charges.service_charge, tax: null } : charges.service_charge,
});

export const makeDefault = (taxes: readonly Tax[], key: string): Tax[] => taxes.map((tax) => ({ ...tax, is_default: tax.key === key }));

export const NEW_SERVICE_CHARGE: ServiceCharge = { percent: 10, types: ["dine_in"], tax: null };

export const newPromotion = (): Promotion => ({
  key: freeKey("promotion"),
  name: {},
  is_active: true,
  hours: null,
  types: ["dine_in", "pickup", "delivery"],
  subtotal_min_minor: minor(0),
  percent_off: 10,
  amount_off_minor: null,
});

const hasText = (texts: Record<string, string | null>): boolean => Object.values(texts).some((text) => text !== null && text.trim() !== "");

/** What the server would refuse in any case. */
export const hasChargeGaps = ({ taxes, promotions, service_charge }: Charges): boolean =>
  taxes.some(({ name }) => name.trim() === "") ||
  promotions.some(
    ({ name, types, hours }) =>
      !hasText(name) || types.length === 0 || (hours ?? []).some(({ days, from, to }) => days.length === 0 || from === "" || to === ""),
  ) ||
  (service_charge !== null && service_charge.types.length === 0);

export type SampleLine = SampleOrder["lines"][number];

const SAMPLE_LINES_MAX = 3;

/** A line for each tax, so that each is seen on the receipt. `unit` is a whole unit of the currency. */
export const sampleLines = (taxes: readonly Tax[], unit: Minor): SampleLine[] => {
  const keys = taxes.slice(0, SAMPLE_LINES_MAX).map(({ key }) => key);
  return (keys.length === 0 ? [null] : keys).map((tax, at) => ({ amount_minor: minor((24 - 8 * at) * unit), tax }));
};

/** A tax that is removed is not asked for. */
export const sampleOrder = (charges: Charges, type: OrderType, lines: readonly SampleLine[]): SampleOrder => {
  const keys = new Set(charges.taxes.map(({ key }) => key));
  return { charges, type, lines: lines.map((line) => ({ ...line, tax: line.tax !== null && keys.has(line.tax) ? line.tax : null })) };
};
