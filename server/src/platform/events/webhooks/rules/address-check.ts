/** The steps that the console shows when an owner checks an address. */

import type { CheckResult } from "@comanda/contract/console/reason-codes.ts";
import type { CheckStep } from "@comanda/contract/console/webhooks.ts";

type AddressStep = CheckStep["step"];

/** The steps run in this order. */
const STEPS: readonly AddressStep[] = ["https", "dns", "public", "tls", "ping"];

const PASSED_CODES: Record<AddressStep, CheckResult> = {
  https: "is_https",
  dns: "name_found",
  public: "is_public",
  tls: "is_certified",
  ping: "has_answered",
};

/** The steps that passed, and the first one that failed, which ends the list. */
export const stepsOf = (
  passed: readonly { step: AddressStep; ms: number }[],
  end: { failure: CheckStep["reason"]["code"] | null; status: number | null; ms: number },
  isLiteral: boolean,
): CheckStep[] => {
  const values = end.status === null ? {} : { status: end.status };
  const good = passed.map(({ step, ms }): CheckStep => {
    const code = step === "dns" && isLiteral ? "is_literal" : PASSED_CODES[step];
    return { step, is_good: true, reason: { code, values: {} }, ms };
  });
  if (end.failure === null) return [...good, { step: "ping", is_good: true, reason: { code: "has_answered", values }, ms: end.ms }];
  // The connected address is checked again, so `public` can fail after later steps passed.
  const failedAt = end.failure === "blocked_address" ? "public" : (STEPS[passed.length] ?? "ping");
  const before = good.filter(({ step }) => STEPS.indexOf(step) < STEPS.indexOf(failedAt));
  return [...before, { step: failedAt, is_good: false, reason: { code: end.failure, values }, ms: end.ms }];
};
