/** Sessions of experiences: added once or week by week, with more or fewer seats, cancelled. And what the pages show of them. */
import type { ExperienceDesk, ExperienceSession, SessionSheet } from "@comanda/contract/console/experiences.ts";
import type { Ctx } from "#lib/context.ts";
import { type ApiError, apiError, validationError } from "#lib/errors.ts";
import { parseDate, startOfDay } from "#lib/instant.ts";
import { recordAudit, recordAudits, stateChanged } from "#platform/activity/audit/service.ts";
import { readRefundable } from "#venue/orders/payments/service.ts";
import { listBranches } from "#venue/settings/service.ts";
import { presentBooking, presentListed, presentSession } from "../present.ts";
import { capacityErrors, closedBecause, momentsOf, planErrors, type SessionPlan, todayIn } from "../rules.ts";
import { endHolds, listEndedBookings, listOpenBookings } from "../store/bookings.ts";
import { listExperiencesWith, lockExperience } from "../store/experiences.ts";
import {
  cancelSessions,
  countSessions,
  findSession,
  insertSessions,
  listSessions,
  listUnrefundedSessions,
  lockSession,
  type SoldSessionRow,
  updateCapacity,
} from "../store/sessions.ts";

const SESSIONS_SHOWN_MAX = 200;
const ENDED_SHOWN_MAX = 50;

const subjectOf = (id: number) => ({ kind: "experience_session" as const, id });

/** Reads the sessions from a day on; without one, from today. Earlier sessions with tickets to refund are listed too. */
export const readDesk = async (ctx: Ctx, from: string | undefined): Promise<ExperienceDesk> => {
  const { zone, currency, default_language } = ctx.tenant;
  const today = todayIn(zone, ctx.now);
  const day = parseDate(from ?? today);
  if (day === null) throw validationError({ from: ["Must be a date."] });
  const start = startOfDay(zone, day);
  const [earlier, found, branches] = await Promise.all([
    listUnrefundedSessions(ctx, start, SESSIONS_SHOWN_MAX),
    listSessions(ctx, start, SESSIONS_SHOWN_MAX + 1),
    listBranches(ctx),
  ]);
  const sessions = [...earlier, ...found.slice(0, SESSIONS_SHOWN_MAX)];
  const experiences = await listExperiencesWith(ctx, [...new Set(sessions.map(({ experience_id }) => experience_id))]);
  return {
    experiences: experiences.map(presentListed),
    sessions: sessions.map(presentSession),
    is_cut: found.length > SESSIONS_SHOWN_MAX,
    from: from ?? today,
    today,
    branches: branches.map(({ key, name }) => ({ key, name })),
    currency,
    default_language,
    zone,
  };
};

export const readSheet = async (ctx: Ctx, id: number): Promise<SessionSheet> => {
  const session = await findSession(ctx, id);
  if (!session) throw apiError("not_found");
  const [open, ended] = await Promise.all([listOpenBookings(ctx, id, session.capacity), listEndedBookings(ctx, id, ENDED_SHOWN_MAX)]);
  const refundable = await readRefundable(
    ctx,
    open.flatMap(({ payment_id }) => payment_id ?? []),
  );
  const { zone, currency, default_language } = ctx.tenant;
  const { name, description, price_minor, is_active } = session;
  return {
    session: presentSession(session),
    experience: { id: session.experience_id, name, description, price_minor, is_active },
    branch: session.branch_name,
    bookings: open.map((row) => presentBooking(row, refundable)),
    ended: ended.map((row) => presentBooking(row, refundable)),
    closed_because: closedBecause(session, { zone, now: ctx.now }),
    currency,
    default_language,
    zone,
  };
};

/** All or none. The experience is locked: it is not removed meanwhile, and the number of its sessions is bounded. */
export const addSessions = async (
  ctx: Ctx,
  experienceId: number,
  read: () => SessionPlan & { capacity: number },
): Promise<ExperienceSession[]> => {
  if (!(await lockExperience(ctx, experienceId))) throw apiError("not_found");
  const { capacity, ...plan } = read();
  const planned = await countSessions(ctx, experienceId);
  const errors = planErrors(plan, { zone: ctx.tenant.zone, now: ctx.now }, planned);
  if (Object.keys(errors).length > 0) throw validationError(errors);
  const sessions = await insertSessions(ctx, experienceId, momentsOf(plan, ctx.tenant.zone), capacity);
  if (sessions.length < plan.weeks) throw validationError({ date: ["There is a session of this experience at that time."] });
  recordAudits(
    ctx,
    sessions.map(({ id, starts_at }) => ({
      action: "experience_session.added",
      subject: subjectOf(id),
      after: { starts_at: starts_at.toISOString(), capacity },
    })),
  );
  return sessions.map(presentSession);
};

const lockOne = async (ctx: Ctx, id: number): Promise<SoldSessionRow> => {
  const session = await lockSession(ctx, id);
  if (!session) throw apiError("not_found");
  return session;
};

const sessionChanged = async (ctx: Ctx, session: SoldSessionRow): Promise<ApiError> =>
  stateChanged(ctx, { area: "experience_session", subject: session.id }, { session: presentSession(session) });

const refuseCancelled = ({ cancelled_at }: SoldSessionRow): void => {
  if (cancelled_at !== null) throw validationError({ session: ["The session is cancelled."] });
};

/** Compare and set. Sales do not change the version: what they took is read under the lock. */
export const changeSeenSession = async (
  ctx: Ctx,
  id: number,
  read: () => { seen_version: number; capacity: number },
): Promise<ExperienceSession> => {
  const before = await lockOne(ctx, id);
  const { seen_version, capacity } = read();
  if (before.version !== seen_version) throw await sessionChanged(ctx, before);
  refuseCancelled(before);
  const errors = capacityErrors(capacity, before);
  if (errors) throw validationError(errors);
  if (capacity === before.capacity) return presentSession(before);
  const after = await updateCapacity(ctx, id, capacity);
  recordAudit(ctx, {
    action: "experience_session.capacity_changed",
    subject: subjectOf(id),
    before: { capacity: before.capacity },
    after: { capacity },
  });
  return presentSession({ ...before, ...after });
};

/** Holds end with it. Paid tickets stay on the guest list until each of them is refunded. */
export const cancelSeenSession = async (
  ctx: Ctx,
  id: number,
  read: () => { seen_version: number; reason: string },
): Promise<ExperienceSession> => {
  const before = await lockOne(ctx, id);
  const { seen_version, reason } = read();
  if (before.version !== seen_version) throw await sessionChanged(ctx, before);
  refuseCancelled(before);
  const released = await endHolds(ctx, id, "cancelled");
  const [after] = await cancelSessions(ctx, [id]);
  if (released.length > 0)
    recordAudits(
      ctx,
      released.map(({ id: bookingId, tickets }) => ({
        action: "experience_booking.released",
        subject: { kind: "experience_booking", id: bookingId },
        after: { tickets },
      })),
    );
  recordAudit(ctx, { action: "experience_session.cancelled", subject: subjectOf(id), after: { sold: before.sold }, reason });
  return presentSession({ ...before, ...after });
};
