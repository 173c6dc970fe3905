/** Settings as a manager wants them: whether they can be stored, and what they change. */
import { bookingsToCome, ticketsToCome } from "@comanda/contract/console/bookings-to-come.ts";
import type { SampleOrder, SampleReceipt, VenueBranch, WantedBranch } from "@comanda/contract/console/venue-settings.ts";
import type { Charges } from "@comanda/contract/venue-file/charges.ts";
import { CLOSING_DAYS_MAX } from "@comanda/contract/venue-file/restaurant.ts";
import type { FieldErrors } from "#lib/errors.ts";
import { formatDate } from "#lib/instant.ts";
import { tooManyEntries } from "#lib/schema.ts";
import { wallClock } from "#lib/time-zone.ts";
import { versionOf } from "#venue/bookings/floor/rules.ts";
import { priceOrder } from "#venue/orders/rules/pricing.ts";
import { branchErrors, chargesErrors, orderingErrors, restaurantErrors } from "#venue/settings/rules/checks.ts";

export { orderingErrors, restaurantErrors, versionOf };

/** What has its moment on the old clock would be shown at another time, or be refused by the rules of the new one. */
type ZoneUses = { hasBookings: boolean; hasPrices: boolean; hasShiftChanges: boolean };

export const zoneErrors = ({ hasBookings, hasPrices, hasShiftChanges }: ZoneUses): FieldErrors => {
  const sentences = [
    ...(hasBookings ? ["The zone cannot change while there are bookings to come."] : []),
    ...(hasPrices ? ["The zone cannot change while prices are planned. Cancel them first."] : []),
    ...(hasShiftChanges ? ["The zone cannot change while changes of shifts are not published. Publish them first."] : []),
  ];
  return sentences.length === 0 ? {} : { "restaurant.zone": sentences };
};

export const newBranchCount = (before: readonly VenueBranch[], wanted: readonly WantedBranch[]): number => {
  const keys = new Set<string | null>(before.map(({ key }) => key));
  return wanted.filter(({ key }) => !keys.has(key)).length;
};

/** A branch keeps the id of its key. New ones take the next of `fresh`, and its key where the page made none. */
export const branchesAfter = (
  before: readonly VenueBranch[],
  wanted: readonly WantedBranch[],
  fresh: readonly { id: number; key: string }[],
): VenueBranch[] => {
  const ids = new Map(before.map(({ key, id }) => [key, id]));
  const unused = [...fresh];
  return wanted.map(({ key, name, is_default, address, hours, closing_days }) => {
    const known = key === null ? undefined : ids.get(key);
    const next = known === undefined ? unused.shift() : undefined;
    return { id: known ?? next?.id ?? 0, key: key ?? next?.key ?? "", name, is_default, address, hours, closing_days };
  });
};

export const removedBranches = (before: readonly VenueBranch[], wanted: readonly { key: string | null }[]): VenueBranch[] => {
  const kept = new Set(wanted.map(({ key }) => key));
  return before.filter(({ key }) => !kept.has(key));
};

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** Bookings to come, and parties with tickets to come, of one branch. */
export type BookedCounts = { bookings: number; tickets: number };

/** Bookings and tickets keep their branch. Another branch must be stored as the default before the present one can go. */
const removalErrors = (removed: readonly VenueBranch[], booked: ReadonlyMap<number, BookedCounts>): FieldErrors =>
  Object.fromEntries(
    removed.flatMap(({ id, key, is_default }): [string, string[]][] => {
      const { bookings, tickets } = booked.get(id) ?? { bookings: 0, tickets: 0 };
      const sentences = [
        ...(is_default ? ["The default branch cannot be removed. Make another one the default first."] : []),
        ...(bookings > 0 ? [bookingsToCome("The branch", bookings)] : []),
        ...(tickets > 0 ? [ticketsToCome("The branch", tickets)] : []),
      ];
      return sentences.length === 0 ? [] : [[`removed.${key}`, sentences]];
    }),
  );

export const wantedBranchErrors = (
  branches: VenueBranch[],
  removed: readonly VenueBranch[],
  booked: ReadonlyMap<number, BookedCounts>,
): FieldErrors => ({ ...branchErrors({ branches }), ...removalErrors(removed, booked) });

type BranchesChange = { before: Record<string, unknown>; after: Record<string, unknown> };

/** Only branches that differ, for the activity log; the order of all where it differs. Null: nothing does. */
export const branchesChange = (before: readonly VenueBranch[], after: readonly VenueBranch[]): BranchesChange | null => {
  const keysOf = (branches: readonly VenueBranch[]): string[] => branches.map(({ key }) => key);
  const isReordered = keysOf(before).join() !== keysOf(after).join();
  const part = (own: readonly VenueBranch[], others: readonly VenueBranch[]) => {
    const known = new Set(others.map((branch) => JSON.stringify(branch)));
    return { branches: own.filter((branch) => !known.has(JSON.stringify(branch))), ...(isReordered ? { order: keysOf(own) } : {}) };
  };
  const change = { before: part(before, after), after: part(after, before) };
  return change.before.branches.length + change.after.branches.length === 0 && !isReordered ? null : change;
};

/** A day that is over cannot be closed any more, on the clock of the venue. */
export const closingErrors = (branch: VenueBranch, date: string, { zone, now }: { zone: string; now: Date }): FieldErrors => {
  if (date < formatDate(wallClock(zone, now))) return { date: ["Lies in the past."] };
  return branch.closing_days.length >= CLOSING_DAYS_MAX ? { date: [tooManyEntries(CLOSING_DAYS_MAX).sentence] } : {};
};

/** A dish names its tax by the key. */
const removedTaxErrors = (before: Charges, after: Charges, dishes: ReadonlyMap<string, number>): FieldErrors => {
  const kept = new Set(after.taxes.map(({ key }) => key));
  return Object.fromEntries(
    before.taxes.flatMap(({ key, name }): [string, string[]][] => {
      const count = kept.has(key) ? 0 : (dishes.get(key) ?? 0);
      return count === 0 ? [] : [[`removed.${key}`, [`${counted(count, "dish has", "dishes have")} the tax ${name}.`]]];
    }),
  );
};

export const wantedChargesErrors = (before: Charges, after: Charges, dishes: ReadonlyMap<string, number>): FieldErrors => ({
  ...chargesErrors({ charges: after }),
  ...removedTaxErrors(before, after, dishes),
});

export const sampleErrors = ({ charges, lines }: SampleOrder): FieldErrors => {
  const taxes = new Set(charges.taxes.map(({ key }) => key));
  const unknown = lines.flatMap(({ tax }, index): [string, string[]][] =>
    tax === null || taxes.has(tax) ? [] : [[`lines.${index}.tax`, [`There is no tax ${tax}.`]]],
  );
  return { ...chargesErrors({ charges }), ...Object.fromEntries(unknown) };
};

/** Prices the sample by the rule that prices orders. */
export const sampleReceipt = (
  { charges, type, lines, delivery_fee_minor, at }: SampleOrder,
  { zone, now, flatFeeMinor }: { zone: string; now: Date; flatFeeMinor: number },
): SampleReceipt =>
  priceOrder(
    lines.map(({ amount_minor, tax }) => ({ line_total_minor: amount_minor, tax_key: tax })),
    charges,
    { type, deliveryFeeMinor: type === "delivery" ? (delivery_fee_minor ?? flatFeeMinor) : 0 },
    wallClock(zone, at === undefined ? now : new Date(at)),
  );
