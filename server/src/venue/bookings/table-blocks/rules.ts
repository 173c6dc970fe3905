/** Which tables a block takes, and why it cannot. */
import type { FieldErrors } from "#lib/errors.ts";
import { type BookingContext, branchOf } from "#venue/bookings/reservations/rules/booking.ts";
import { isFree, type Stay } from "#venue/bookings/reservations/rules/tables.ts";

/** Every reading of free times reads what blocks hold, so a venue has this many held tables by blocks at most. */
export const BLOCK_HOLDS_MAX = 5000;

export type WantedBlock = { span: Stay; tableIds: readonly number[]; branchId: number | null };

const DAY_MS = 24 * 60 * 60 * 1000;
const BLOCK_MS_MIN = 5 * 60 * 1000;

export const decideBlock = (
  { span, tableIds, branchId }: WantedBlock,
  context: BookingContext,
  heldCount: number,
): { branchId: number; tableIds: number[] } | { errors: FieldErrors } => {
  if (span.endsAt <= span.startsAt) return { errors: { ends_at: ["Must lie after starts_at."] } };
  if (span.endsAt.getTime() - span.startsAt.getTime() > DAY_MS) return { errors: { ends_at: ["A block lasts a day at most."] } };
  if (span.endsAt > context.now && span.endsAt.getTime() - span.startsAt.getTime() < BLOCK_MS_MIN)
    return { errors: { ends_at: ["A block lasts five minutes at least."] } };
  if (span.endsAt <= context.now) return { errors: { ends_at: ["Lies in the past."] } };
  if (branchId !== null && !context.branches.some(({ id }) => id === branchId))
    return { errors: { branch_id: ["There is no such branch."] } };
  const known = context.tables.filter(({ id }) => tableIds.includes(id));
  if (known.length < tableIds.length) return { errors: { table_ids: ["There is no such table."] } };
  const branch = branchOf(context, known[0]?.branch_id ?? branchId);
  const wanted = tableIds.length > 0 ? known : context.tables.filter(({ branch_id }) => branch_id === branch?.id);
  if (wanted.some(({ branch_id }) => branch_id !== branch?.id))
    return { errors: { table_ids: ["The tables belong to different branches."] } };
  const taken = wanted.filter(({ id }) => !isFree(id, span, context.occupancies));
  if (taken.length > 0) return { errors: { table_ids: ["A booking or another block holds one of the tables then."] } };
  if (heldCount + wanted.length > BLOCK_HOLDS_MAX)
    return { errors: { table_ids: [`Blocks hold ${BLOCK_HOLDS_MAX} tables at most. End some that are no longer needed.`] } };
  return { branchId: branch?.id ?? 0, tableIds: wanted.map(({ id }) => id) };
};
