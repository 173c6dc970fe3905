/** Shifts: a manager plans the week of a branch, copies and publishes it; everyone on the team sees their own published shifts. */
import { type Static, Type } from "typebox";
import { CalendarDate, Id, Literals, Nullable, TimeOfDay, Translations } from "../shared.ts";
import { ShiftRules } from "../venue-file/shift-rules.ts";
import { type ConsoleOperation, Count, Data, Instant } from "./operation.ts";
import { SHIFT_NOTE_LENGTH_MAX, SHIFT_ROLE_LENGTH_MAX } from "./shift-limits.ts";

/** `draft`: the shift was never published. `changed`, `removed`: the plan differs from what was published. */
export const SHIFT_STATES = ["draft", "changed", "removed", "published"] as const;
export type ShiftState = (typeof SHIFT_STATES)[number];

/**
 * A conflict is marked and does not refuse the shift. `closed`: the branch is closed on that day. `short_rest`: the shift begins less than
 * 11 hours after the person's shift of an earlier day. `published_at_other_branch`: what is published at another branch has the person there
 * at this time, and the change of it is not published yet.
 */
export const SHIFT_CONFLICTS = ["closed", "short_rest", "published_at_other_branch"] as const;
export type ShiftConflictKind = (typeof SHIFT_CONFLICTS)[number];

/** Why a shift was not copied: its person has another one at that time, or has left the team, or the clocks skip the time on that day. */
export const COPY_REFUSALS = ["overlap", "left", "clock"] as const;
export type CopyRefusal = (typeof COPY_REFUSALS)[number];

const ShiftText = (lengthMax: number) => Nullable(Type.String({ minLength: 1, maxLength: lengthMax, pattern: "\\S" }));

/** Times are on the venue's clock. A shift that ends at `from` or before it ends on the next day. */
export const ShiftValue = Type.Object({
  staff_id: Id,
  date: CalendarDate,
  from: TimeOfDay,
  to: TimeOfDay,
  role: ShiftText(SHIFT_ROLE_LENGTH_MAX),
  note: ShiftText(SHIFT_NOTE_LENGTH_MAX),
});
export type ShiftValue = Static<typeof ShiftValue>;

export const PlannedShift = Type.Object({
  id: Id,
  version: Type.Integer({ minimum: 1 }),
  state: Literals(SHIFT_STATES),
  ...ShiftValue.properties,
  starts_at: Instant,
  ends_at: Instant,
  /** What is published of the shift. Null: nothing is, or the plan is the same. */
  published: Nullable(ShiftValue),
});
export type PlannedShift = Static<typeof PlannedShift>;

/** Only a person who has accepted the invitation gets a mail when a week is published. */
export const ShiftMember = Type.Object({ id: Id, name: Type.String(), has_accepted: Type.Boolean(), has_left: Type.Boolean() });
export type ShiftMember = Static<typeof ShiftMember>;

/** A shift at another branch, or in the two days before or after the week: with it the page shows overlaps. */
export const OtherShift = Type.Object({
  id: Id,
  staff_id: Id,
  branch_id: Id,
  date: CalendarDate,
  from: TimeOfDay,
  to: TimeOfDay,
  starts_at: Instant,
  ends_at: Instant,
});
export type OtherShift = Static<typeof OtherShift>;

export const ShiftConflict = Type.Object({ shift_id: Id, kind: Literals(SHIFT_CONFLICTS) });
export type ShiftConflict = Static<typeof ShiftConflict>;

/** `is_removed`: the branch was removed and still has shifts. */
const ShiftBranch = Type.Object({ id: Id, name: Translations, is_removed: Type.Boolean() });

/** `version` changes with every shift of the week and with its publication. `changes` counts the shifts that a publication would publish. */
export const ShiftWeek = Type.Object({
  branch_id: Id,
  branches: Type.Array(ShiftBranch),
  week_start: CalendarDate,
  week_end: CalendarDate,
  days: Type.Array(Type.Object({ date: CalendarDate, is_closed: Type.Boolean() }), { minItems: 7, maxItems: 7 }),
  version: Type.String(),
  people: Type.Array(ShiftMember),
  shifts: Type.Array(PlannedShift),
  other_shifts: Type.Array(OtherShift),
  conflicts: Type.Array(ShiftConflict),
  changes: Count,
  rules: ShiftRules,
  zone: Type.String(),
});
export type ShiftWeek = Static<typeof ShiftWeek>;

const SeenShift = Type.Object({ seen_version: Type.Integer({ minimum: 1 }) });
const ShiftVersion = Type.Object({ id: Id, version: Type.Integer({ minimum: 1 }) });
export type ShiftVersion = Static<typeof ShiftVersion>;

/** Date and time are those in the week that is copied. */
const SkippedShift = Type.Object({
  shift_id: Id,
  staff_name: Type.String(),
  date: CalendarDate,
  from: TimeOfDay,
  reason: Literals(COPY_REFUSALS),
});
export type SkippedShift = Static<typeof SkippedShift>;

export const WeekCopy = Type.Object({ copied: Count, skipped: Type.Array(SkippedShift) });
export type WeekCopy = Static<typeof WeekCopy>;

/**
 * `changes` is 0 when there was nothing to publish; then nothing was sent. `mailed` counts the people who get a mail; `not_mailed` names those
 * whose shifts changed and who have not accepted the invitation.
 */
export const WeekPublication = Type.Object({
  changes: Count,
  mailed: Count,
  not_mailed: Type.Array(Type.String()),
  version: Type.String(),
});
export type WeekPublication = Static<typeof WeekPublication>;

/** The people who got `SHIFT_MAILS_A_DAY_MAX` mails about shifts in 24 hours, and when the week can be published. In the details of 429. */
export type PublicationLimit = { names: string[]; until: string };

export const OwnShift = Type.Object({
  id: Id,
  branch: Translations,
  date: CalendarDate,
  from: TimeOfDay,
  to: TimeOfDay,
  starts_at: Instant,
  ends_at: Instant,
  role: Nullable(Type.String()),
  note: Nullable(Type.String()),
});
export type OwnShift = Static<typeof OwnShift>;

/** Only published shifts are listed. `has_branches`: the venue has several branches, so each shift shows its own. */
export const OwnShifts = Type.Object({
  shifts: Type.Array(OwnShift),
  has_branches: Type.Boolean(),
  zone: Type.String(),
});
export type OwnShifts = Static<typeof OwnShifts>;

const SHIFTS_PATH = "/venues/{venue}/shifts" as const;
const SHIFT_PATH = `${SHIFTS_PATH}/{id}` as const;
const WEEKS_PATH = "/venues/{venue}/shift-weeks" as const;

const Write = { who: "manager", isService: true, isIdempotent: true } as const;

/** Writes of a shift answer 409 `state_changed` with the present one when it is no longer as the page saw it. */
export const shiftOperations = {
  /** Reads the week that has this day, or today, of this branch, or of the default one. */
  readShiftWeek: {
    method: "GET",
    path: SHIFTS_PATH,
    who: "manager",
    isService: true,
    query: Type.Object({ branch: Type.Optional(Id), week_start: Type.Optional(CalendarDate) }),
    success: { status: 200, body: Data(ShiftWeek) },
  },
  /** 422 `shift.from` when the person has another shift at this time, in any branch. 422 `shift` above 500 shifts of a branch in a week. */
  addShift: {
    ...Write,
    method: "POST",
    path: SHIFTS_PATH,
    body: Type.Object({ branch_id: Id, shift: ShiftValue }),
    success: { status: 201, body: Data(PlannedShift) },
  },
  /** Refused as `addShift` is, and with 422 `shift.date` for a day of another week. */
  changeShift: {
    ...Write,
    method: "PUT",
    path: SHIFT_PATH,
    body: Type.Object({ ...SeenShift.properties, shift: ShiftValue }),
    success: { status: 200, body: Data(PlannedShift) },
  },
  removeShift: { ...Write, method: "DELETE", path: SHIFT_PATH, body: SeenShift, success: { status: 200, body: Data(ShiftVersion) } },
  /** Takes a removal back. Refused as `addShift` is. */
  restoreShift: {
    ...Write,
    method: "POST",
    path: `${SHIFT_PATH}/restoration`,
    body: SeenShift,
    success: { status: 200, body: Data(PlannedShift) },
  },
  /** Puts the shifts of one week into another one at the same times, in one commit. A shift that cannot be there is skipped and named. */
  copyShiftWeek: {
    ...Write,
    method: "POST",
    path: `${WEEKS_PATH}/copies`,
    perMinute: 30,
    body: Type.Object({ branch_id: Id, from_week: CalendarDate, to_week: CalendarDate }),
    success: { status: 200, body: Data(WeekCopy) },
  },
  /**
   * Sends `shift.published` once and a mail to each person whose shifts changed. 409 `state_changed` when there is something to publish
   * and the week is not as the page saw it. 429 with a `PublicationLimit` when a person would get too many mails in a day.
   */
  publishShiftWeek: {
    ...Write,
    method: "POST",
    path: `${WEEKS_PATH}/publications`,
    body: Type.Object({ branch_id: Id, week_start: CalendarDate, seen_version: Type.String({ maxLength: 80 }) }),
    success: { status: 200, body: Data(WeekPublication) },
  },
  /**
   * 409 `state_changed` with the present rules when they are no longer those that the page saw. 422 `rules.first_weekday` while changes of
   * the present week or a later one are not published: other weeks could cut a changed shift in two.
   */
  saveShiftRules: {
    ...Write,
    method: "PUT",
    path: "/venues/{venue}/shift-rules",
    body: Type.Object({ seen: ShiftRules, rules: ShiftRules }),
    success: { status: 200, body: Data(ShiftRules) },
  },
  /** Reads the shifts of the person who asks, of the next four weeks. */
  readOwnShifts: {
    method: "GET",
    path: "/venues/{venue}/own-shifts",
    who: "staff",
    isService: true,
    success: { status: 200, body: Data(OwnShifts) },
  },
} as const satisfies Record<string, ConsoleOperation>;
