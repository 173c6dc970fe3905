/** Amounts are integers in minor units. All rounding happens in this file. */

/** Thousandths, so that 12.5 % and 8.875 % are exact. */
const RATE_UNITS = 1000;

/** `USD 40.00`, for sentences that name an amount. */
export const formatAmount = (amountMinor: number, currency: string): string => {
  const format = new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay: "code" });
  return format.format(amountMinor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2)).replaceAll("\u00a0", " ");
};

/** `amount × percent / 100`, rounded half away from zero, in integers throughout. */
export const percentOf = (amountMinor: number, percent: number): number => partOf(amountMinor, percent, 100);

/** `amount × numerator / denominator`, rounded the same way; both have at most three decimals. */
export const partOf = (amountMinor: number, numerator: number, denominator: number): number => {
  const product = BigInt(amountMinor) * BigInt(Math.round(numerator * RATE_UNITS));
  const divisor = BigInt(Math.round(denominator * RATE_UNITS));
  const doubled = product >= 0n ? 2n * product + divisor : 2n * product - divisor;
  return Number(doubled / (2n * divisor));
};

/** Shares of an amount in proportion to the weights, whole units that add up to it exactly (largest remainders first). */
export const split = (amountMinor: number, weights: readonly number[]): number[] => {
  if (amountMinor === 0) return weights.map(() => 0);
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  if (total === 0n) return weights.map(() => 0);
  const parts = weights.map((weight) => {
    const product = BigInt(amountMinor) * BigInt(weight);
    return { share: product / total, rest: product % total };
  });
  let left = BigInt(amountMinor) - parts.reduce((sum, { share }) => sum + share, 0n);
  const byRest = parts.map((_, index) => index).sort((a, b) => compare(parts[b]?.rest ?? 0n, parts[a]?.rest ?? 0n) || a - b);
  const shares = parts.map(({ share }) => share);
  for (const index of byRest) {
    if (left === 0n) break;
    shares[index] = (shares[index] ?? 0n) + 1n;
    left -= 1n;
  }
  return shares.map(Number);
};

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
