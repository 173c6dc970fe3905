/** Which tables a block takes, and why it cannot. */
import type { FieldErrors } from "#lib/errors.ts";
import { type BookingContext, branchOf } from "#venue/reservations/rules/booking.ts";
import { isFree, type Stay } from "#venue/reservations/rules/tables.ts";

export type WantedBlock = { span: Stay; tableIds: readonly number[]; branchId: number | null };

const DAY_MS = 24 * 60 * 60 * 1000;

export const decideBlock = (
  { span, tableIds, branchId }: WantedBlock,
  context: BookingContext,
): { branchId: number; tableIds: number[] } | { errors: FieldErrors } => {
  if (span.endsAt <= span.startsAt) return { errors: { ends_at: ["Must lie after starts_at."] } };
  if (span.endsAt.getTime() - span.startsAt.getTime() > DAY_MS) return { errors: { ends_at: ["A block lasts a day at most."] } };
  if (span.endsAt <= context.now) return { errors: { ends_at: ["Lies in the past."] } };
  const known = context.tables.filter(({ id }) => tableIds.includes(id));
  if (known.length < tableIds.length) return { errors: { table_ids: ["There is no such table."] } };
  const branch = branchOf(context, known[0]?.branch_id ?? branchId);
  const wanted = tableIds.length > 0 ? known : context.tables.filter(({ branch_id }) => branch_id === branch?.id);
  if (wanted.some(({ branch_id }) => branch_id !== branch?.id))
    return { errors: { table_ids: ["The tables belong to different branches."] } };
  const taken = wanted.filter(({ id }) => !isFree(id, span, context.occupancies));
  if (taken.length > 0) return { errors: { table_ids: ["A booking or another block holds one of the tables then."] } };
  return { branchId: branch?.id ?? 0, tableIds: wanted.map(({ id }) => id) };
};
