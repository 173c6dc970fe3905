import { type EmittedEvent, kindOfSubject } from "@comanda/contract/events/envelope.ts";
import {
  CLOCK_DAYS_MAX,
  type ClockMove,
  type DoneAct,
  SANDBOX_ACTS,
  type SandboxAct,
} from "@comanda/contract/sandbox/sandbox-operations.ts";
import { because, type FieldRefusals, validationError } from "#lib/errors.ts";
import { parseInstant } from "#lib/instant.ts";

type NeededField<A extends SandboxAct["act"]> = (typeof SANDBOX_ACTS)[A][number];

/** An act with the fields that it needs. */
export type NamedAct<A extends SandboxAct["act"]> = Omit<SandboxAct, NeededField<A>> & {
  [F in NeededField<A>]-?: NonNullable<SandboxAct[F]>;
};

export const missingFields = (wanted: SandboxAct): FieldRefusals =>
  Object.fromEntries(
    SANDBOX_ACTS[wanted.act]
      .filter((field) => wanted[field] === undefined)
      .map((field) => [field, [because(`Is required for ${wanted.act}.`, "required")]]),
  );

/** What the event is about, with its id as the API writes it. A ping is about nothing. */
export const subjectNamed = (type: EmittedEvent, id: string): DoneAct["subject"] =>
  type === "ping" ? null : { type: kindOfSubject(type), id: /^\d+$/.test(id) ? Number(id) : id };

type PaidPart = { amount_minor: number; refunded_total_minor: number };

/** What is still to be paid. */
export const leftMinor = (totalMinor: number, payments: readonly PaidPart[]): number =>
  payments.reduce((left, { amount_minor, refunded_total_minor }) => left - amount_minor + refunded_total_minor, totalMinor);

export const alreadyRated = (): Error => validationError({ order_id: [because("The order has been rated already.", "not_valid")] });

type PresentClock = { now: Date; aheadMs: number; aheadMsMax: number };

/** Returns by how many milliseconds the clock moves; 0 when nothing is wanted. */
export const decideMove = ({ forward_seconds, to }: ClockMove, { now, aheadMs, aheadMsMax }: PresentClock): number | FieldRefusals => {
  if (forward_seconds !== undefined && to !== undefined) return { to: [because("Give it without forward_seconds.", "not_valid")] };
  if (forward_seconds === undefined && to === undefined) return 0;
  const field = to === undefined ? "forward_seconds" : "to";
  const moment = to === undefined ? null : parseInstant(to);
  if (to !== undefined && moment === null) return { to: [because("Must be a date-time with an offset.", "not_a_date_time")] };
  const ms = moment === null ? (forward_seconds ?? 0) * 1000 : moment.getTime() - now.getTime();
  if (ms <= 0) return { to: [because("The clock moves forward only.", "past")] };
  if (aheadMs + ms <= aheadMsMax) return ms;
  return { [field]: [because(`The clock moves at most ${CLOCK_DAYS_MAX} days in all.`, "too_far_ahead", { days_max: CLOCK_DAYS_MAX })] };
};
