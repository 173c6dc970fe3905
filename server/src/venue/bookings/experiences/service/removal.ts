/** What keeps an experience and its branch: tickets for sessions to come, and those of cancelled sessions that are not refunded yet. */
import type { Ctx } from "#lib/context.ts";
import { listExperiences, lockExperiences } from "../store/experiences.ts";
import { type BookedExperienceRow, listBookedExperiences, lockSessionsToCome } from "../store/sessions.ts";

/** `ofBranches`: how many bookings have tickets to come, by the branch in which they take place. */
export type BookedExperiences = { experiences: BookedExperienceRow[]; ofBranches: Map<number, number> };

/** A preview reads it without locks: tickets are sold meanwhile. */
export const readBookedExperiences = async (ctx: Ctx): Promise<BookedExperiences> => {
  const experiences = await listBookedExperiences(ctx);
  const ofBranches = new Map<number, number>();
  for (const { branch_id, to_come } of experiences) if (to_come > 0) ofBranches.set(branch_id, (ofBranches.get(branch_id) ?? 0) + to_come);
  return { experiences, ofBranches };
};

/** An experience that is to be removed, or loses its branch. */
type RemovalCheck = (experience: { key: string; branch_id: number }) => boolean;

/**
 * Before something is removed: until the commit, no ticket is sold for these experiences, and none moves to another branch. Experiences are
 * locked before sessions, both in the order of their ids.
 */
export const lockBookedExperiences = async (ctx: Ctx, isRemoved: RemovalCheck): Promise<BookedExperiences> => {
  lockExperiences(ctx);
  const removed = (await listExperiences(ctx)).filter(isRemoved);
  await lockSessionsToCome(
    ctx,
    removed.map(({ id }) => id),
  );
  return readBookedExperiences(ctx);
};
