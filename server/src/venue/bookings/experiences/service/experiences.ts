/** Experiences as managers keep them: name, description, price of a ticket, branch, and whether tickets are sold. */
import type { ExperienceDetails, ExperienceValue } from "@comanda/contract/console/experiences.ts";
import type { Ctx } from "#lib/context.ts";
import { type ApiError, apiError, validationError } from "#lib/errors.ts";
import { newKey } from "#lib/ids.ts";
import { recordAudit, stateChanged } from "#platform/activity/audit/service.ts";
import { listBranches } from "#venue/settings/service.ts";
import { presentExperience } from "../present.ts";
import { additionErrors, removalErrors } from "../rules.ts";
import {
  findExperience,
  insertExperience,
  listExperiences,
  lockExperience,
  lockExperiences,
  markExperienceRemoved,
  prepareExperience,
  updateExperience,
} from "../store/experiences.ts";
import { type BookedExperienceRow, cancelSessions, listBookedExperiences, lockSessionsToCome } from "../store/sessions.ts";

const subjectOf = (id: number) => ({ kind: "experience" as const, id });

const found = <T>(row: T | undefined): T => {
  if (row === undefined) throw apiError("not_found");
  return row;
};

export const readExperienceDetails = async (ctx: Ctx, id: number): Promise<ExperienceDetails> =>
  presentExperience(found(await findExperience(ctx, id)));

/** Replaces the branch's key by its id. */
const storedValue = async (ctx: Ctx, { branch, ...value }: ExperienceValue) => {
  const place = (await listBranches(ctx)).find(({ key }) => key === branch);
  if (!place) throw validationError({ "experience.branch": ["There is no such branch."] });
  return { ...value, branch_id: place.id };
};

export const addExperience = async (ctx: Ctx, value: ExperienceValue): Promise<ExperienceDetails> => {
  const stored = await storedValue(ctx, value);
  const { id, sort_order, ...counts } = await prepareExperience(ctx);
  const errors = additionErrors(counts);
  if (errors) throw validationError(errors);
  insertExperience(ctx, { id, sort_order, key: newKey("experience") }, stored);
  recordAudit(ctx, { action: "experience.created", subject: subjectOf(id), after: value });
  return readExperienceDetails(ctx, id);
};

const lockOne = async (ctx: Ctx, id: number): Promise<ExperienceDetails> => presentExperience(found(await lockExperience(ctx, id)));

const experienceChanged = async (ctx: Ctx, experience: ExperienceDetails): Promise<ApiError> =>
  stateChanged(ctx, { area: "experience", subject: experience.id }, { experience });

/** Compare and set. Tickets that are held or sold keep their price. */
export const saveSeenExperience = async (
  ctx: Ctx,
  id: number,
  read: () => { seen_version: number; experience: ExperienceValue },
): Promise<ExperienceDetails> => {
  const before = await lockOne(ctx, id);
  const { seen_version, experience } = read();
  if (before.version !== seen_version) throw await experienceChanged(ctx, before);
  updateExperience(ctx, id, await storedValue(ctx, experience));
  const after = await readExperienceDetails(ctx, id);
  if (after.version === before.version) return after;
  recordAudit(ctx, { action: "experience.changed", subject: subjectOf(id), before: before.value, after: after.value });
  return after;
};

/** Past sessions stay. Those to come are locked, so that no ticket is sold for one meanwhile. */
export const removeSeenExperience = async (ctx: Ctx, id: number, read: () => { seen_version: number }): Promise<void> => {
  const before = await lockOne(ctx, id);
  if (before.version !== read().seen_version) throw await experienceChanged(ctx, before);
  const sessions = await lockSessionsToCome(ctx, [id]);
  const errors = removalErrors((await listBookedExperiences(ctx)).find((booked) => booked.id === id));
  if (errors) throw validationError(errors);
  await cancelSessions(
    ctx,
    sessions.map((session) => session.id),
  );
  markExperienceRemoved(ctx, id);
  recordAudit(ctx, {
    action: "experience.removed",
    subject: subjectOf(id),
    before: before.value,
    after: { sessions: sessions.length },
  });
};

/** `ofBranches`: how many bookings have tickets to come, by the branch in which they take place. */
type BookedExperiences = { experiences: BookedExperienceRow[]; ofBranches: Map<number, number> };

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
