import { ANSWER_FAULTS, FAULTS_MAX, type FaultOrder } from "@comanda/contract/sandbox/sandbox-operations.ts";
import { because, type FieldRefusals } from "#lib/errors.ts";

export const FAULT_LIFE_MS = 10 * 60 * 1000;

/** How long each takes unless said otherwise. The others take no time. */
const DURATION_MS: Partial<Record<NamedFault, number>> = { slow: 2000, timeout: 10_000, late: 10_000, swapped: 10_000 };

export type NamedFault = NonNullable<FaultOrder["fault"]>;

export type NewFaults = { fault: NamedFault; operation: string | null; duration_ms: number; count: number };

export const isOfAnswers = (fault: NamedFault): boolean => (ANSWER_FAULTS as readonly string[]).includes(fault);

/** What is ordered, or why not. `waiting` is how many wait already. */
export const decideFaults = (
  { fault, operation, duration_ms, count = 1 }: FaultOrder & { fault: NamedFault },
  waiting: number,
  operations: readonly string[],
): NewFaults | FieldRefusals => {
  if (operation !== undefined && !isOfAnswers(fault)) return { operation: [because("Is only for faults of answers.", "not_valid")] };
  if (operation !== undefined && !operations.includes(operation))
    return { operation: [because("Must be an operation outside of /sandbox.", "not_one_of", { allowed: [...operations] })] };
  if (waiting + count > FAULTS_MAX)
    return { count: [because(`At most ${FAULTS_MAX} faults wait at any time.`, "too_high", { max: FAULTS_MAX - waiting })] };
  return { fault, operation: operation ?? null, duration_ms: duration_ms ?? DURATION_MS[fault] ?? 0, count };
};

export const isRefused = (decided: NewFaults | FieldRefusals): decided is FieldRefusals => !("fault" in decided);
