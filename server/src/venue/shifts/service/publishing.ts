/** Publishes a week: one event, and a mail to each person whose shifts changed, in the commit of the publication. */
import type { PublicationLimit, WeekPublication } from "@comanda/contract/console/shifts.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import type { Ctx } from "#lib/context.ts";
import { type ApiError, apiError, validationError } from "#lib/errors.ts";
import { formatDate } from "#lib/instant.ts";
import { changedBy, listEntriesOfActions, recordAudit } from "#platform/activity/audit/service.ts";
import { emit } from "#platform/events/service.ts";
import { mailShiftPlans, type ShiftPlan, type StaffRecipient } from "#platform/messages/notifications/service.ts";
import type { TeamRow } from "#platform/people/memberships/service.ts";
import { listBranchNames } from "#venue/settings/service.ts";
import { lastDayOf, presentPublished } from "../present.ts";
import {
  clockTimesOf,
  isPlanned,
  mailLimit,
  mailsCountedSince,
  peopleToMail,
  shownNameOf,
  unpublished,
  type WeekSpan,
  weekVersionOf,
} from "../rules.ts";
import { findLastChange, listRemovedBranchesWithShifts, lockShifts, markPublished, type ShiftRow } from "../store.ts";
import { nameInTeam, readShiftTeam, type ShiftTeam } from "./team.ts";
import { readNamedWeek, readWeekRows } from "./weeks.ts";

const PUBLISHED = "shift_week.published";
/** A venue with many branches publishes fewer weeks in a day than this. */
const PUBLICATIONS_READ_MAX = 500;

export type SeenWeek = { branch_id: number; week_start: string; seen_version: string };

const weekChanged = async (ctx: Ctx, branchId: number, week: WeekSpan): Promise<ApiError> => {
  const last = await findLastChange(ctx, branchId, week);
  return changedBy({}, last ? { who: last.changed_by, at: last.changed_at } : null);
};

/** The name is null where the venue has one branch: then the venue's name is enough. */
const readPublishedBranch = async (ctx: Ctx, branchId: number): Promise<{ name: Translations | null }> => {
  const [present, removed] = await Promise.all([listBranchNames(ctx), listRemovedBranchesWithShifts(ctx)]);
  const branch = [...present, ...removed].find(({ id }) => id === branchId);
  if (!branch) throw validationError({ branch_id: ["There is no such branch."] });
  return { name: present.length > 1 ? branch.name : null };
};

/**
 * One call at a time compares the version and publishes. When two people publish at once, the first one does; the second one gets the
 * answer that there is nothing left.
 */
export const publishWeek = async (ctx: Ctx, { branch_id, week_start, seen_version }: SeenWeek): Promise<WeekPublication> => {
  lockShifts(ctx);
  const branch = await readPublishedBranch(ctx, branch_id);
  const week = await readNamedWeek(ctx, "week_start", week_start);
  const [rows, team] = await Promise.all([readWeekRows(ctx, branch_id, week), readShiftTeam(ctx)]);
  const changed = unpublished(rows);
  if (changed.length === 0) return { changes: 0, mailed: 0, not_mailed: [], version: weekVersionOf(rows) };
  if (weekVersionOf(rows) !== seen_version) throw await weekChanged(ctx, branch_id, week);
  const { recipients, notAccepted } = recipientsOf(ctx, changed, team);
  await refuseTooManyMails(ctx, recipients);
  await markPublished(
    ctx,
    changed.map(({ id }) => id),
  );
  const shifts = rows.filter(isPlanned);
  emit(ctx, "shift.published", presentPublished(ctx.tenant.zone, { branchId: branch_id, week, shifts, nameOf: nameInTeam(team) }));
  const subject = { kind: "shift_week", id: `${branch_id}:${formatDate(week.start)}` } as const;
  await mailShiftPlans(
    ctx,
    subject.id,
    recipients.map((member) => ({
      person: recipientOf(member),
      plan: planOf(ctx, member.id, { shifts, week, branch: branch.name }),
    })),
  );
  recordAudit(ctx, {
    action: PUBLISHED,
    subject,
    after: { branch_id, week_start, changes: changed.length, mailed: recipients.map(({ email }) => email) },
  });
  const version = weekVersionOf(await readWeekRows(ctx, branch_id, week));
  return { changes: changed.length, mailed: recipients.length, not_mailed: notAccepted.map(shownNameOf), version };
};

/** Any address can be invited, so only a person who has accepted gets a mail. A sandbox sends none. */
const recipientsOf = (ctx: Ctx, changed: readonly ShiftRow[], team: ShiftTeam): Record<"recipients" | "notAccepted", TeamRow[]> => {
  const members = [...peopleToMail(changed)].flatMap((id) => team.get(id) ?? []);
  return {
    recipients: ctx.tenant.kind === "sandbox" ? [] : members.filter(({ accepted_at }) => accepted_at !== null),
    notAccepted: members.filter(({ accepted_at }) => accepted_at === null),
  };
};

/** Mails above the daily limit of an address are not sent, and the person would not know the shifts. So the publication is refused before. */
const refuseTooManyMails = async (ctx: Ctx, recipients: readonly TeamRow[]): Promise<void> => {
  if (recipients.length === 0) return;
  const entries = await listEntriesOfActions(ctx, [PUBLISHED], { from: mailsCountedSince(ctx.now) }, PUBLICATIONS_READ_MAX);
  const publications = entries.map(({ at, after }) => ({ at, mailed: (after?.mailed ?? []) as string[] }));
  const limit = mailLimit(recipients, publications, ctx.now);
  if (limit === null) return;
  const details: PublicationLimit = { names: limit.people.map(shownNameOf), until: limit.until.toISOString() };
  const seconds = Math.ceil((limit.until.getTime() - ctx.now.getTime()) / 1000);
  throw apiError("rate_limited", details, { "Retry-After": String(seconds) });
};

const recipientOf = (member: TeamRow): StaffRecipient => ({
  email: member.email,
  name: shownNameOf(member),
  own: member.own_locale,
  invited: member.locale,
});

type PublishedPlan = { shifts: readonly ShiftRow[]; week: WeekSpan; branch: Translations | null };

/** The mail has all shifts of the person in that week, so that it replaces every mail before it. */
const planOf = (ctx: Ctx, staffId: number, { shifts, week, branch }: PublishedPlan): ShiftPlan => ({
  branch,
  weekStart: formatDate(week.start),
  weekEnd: lastDayOf(week),
  shifts: shifts
    .filter(({ staff_id }) => staff_id === staffId)
    .map(({ starts_at, ends_at, role, note }) => ({
      ...clockTimesOf(ctx.tenant.zone, { startsAt: starts_at, endsAt: ends_at }),
      role,
      note,
    })),
});
