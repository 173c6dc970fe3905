/** Amounts in the currency's smallest unit: cents, fils, yen. */

/**
 * The mark of such an amount. The service computes with amounts, so the mark is empty here. The console gives it a member
 * (`console/src/kit/minor-unit.d.ts`): there a number without the mark does not compile as an amount.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the console adds to it, which a type alias does not allow.
export interface MinorUnit {}
export type Minor = number & MinorUnit;

/** Marks a sum, a difference, a product or a rounding of amounts, or a number that was written in the smallest unit. Not any other number. */
export const minor = (amount: number): Minor => amount as Minor;

export const sumOf = (amounts: readonly Minor[]): Minor => minor(amounts.reduce((sum, amount) => sum + amount, 0));
