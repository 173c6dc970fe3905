/** Orders and reservations are matched to guests by contact details, and never overwrite a guest's name (open point D124). */
import type { ConsentSource } from "@comanda/contract/console/guest-kinds.ts";
import type { Guest } from "@comanda/contract/venue/guests.ts";
import { readCommitHorizon } from "#db/commit-horizon.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError, validationError } from "#lib/errors.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { emit } from "#platform/events/service.ts";
import { presentGuest } from "./present.ts";
import { mergeProfiles, parseGuestSearch, parseLocalNumber } from "./rules.ts";
import { deleteConsents, insertConsent, listConsents, moveConsents } from "./store/consents.ts";
import {
  keepFromMerges,
  listMergedInto,
  lockGuestGroups,
  lockMerges,
  type MergedRow,
  markMerged,
  updateMergedProfile,
} from "./store/merging.ts";
import {
  addVisit,
  clearGuests,
  findGuest,
  findGuestByPhone,
  findPhoneHolder,
  findProfile,
  type GuestDetails,
  type GuestFilter,
  type GuestIdRange,
  type GuestMatchRow,
  type GuestRow,
  insertGuest,
  keepGuest,
  listGuestNames,
  listGuestRows,
  listGuestsByPhoneEnd,
  listVisitCounts,
  lockEmail,
  lockGuest,
  matchContact,
  type ProfileRow,
  releasePhone,
  updateGuest,
  updateStaffNote,
} from "./store/profiles.ts";
import { type FoundGuestRow, searchGuestRows } from "./store/search.ts";

export type GuestMatch = GuestMatchRow;
export type { FoundGuestRow, MergedRow, ProfileRow };

type GuestContact = { phone: string | null; email: string | null };

/**
 * Searches by phone, then by e-mail. When two first writes come from one address without a number, the second one waits and finds the guest
 * of the first.
 */
export const findGuestByContact = (ctx: Ctx, { phone, email }: GuestContact): Promise<GuestMatch> => {
  if (phone === null && email !== null) lockEmail(ctx, email);
  return matchContact(ctx, phone, email);
};

/** The guest, and the number by which later writes find the same guest. Null when no guest has this number. It takes no lock. */
export const findKnownGuest = async (ctx: Ctx, phone: string): Promise<{ guest: GuestRow; phone: string } | null> => {
  const exact = await findGuestByPhone(ctx, phone);
  if (exact) return { guest: exact, phone };
  const digits = parseLocalNumber(phone);
  const [guest, another] = digits === null ? [] : await listGuestsByPhoneEnd(ctx, digits);
  return guest?.phone && !another ? { guest, phone: guest.phone } : null;
};

/** Creates the profile and emits `guest.created`. Consent is never assumed. */
export const createGuestIfNew = (ctx: Ctx, { id, is_new }: GuestMatch, contact: GuestContact & { name: string }): void => {
  if (!is_new) return;
  const guest = {
    id,
    ...contact,
    locale: null,
    marketing_opted_in: false,
    marketing_opted_in_at: null,
    visits_count: 0,
    total_spend_minor: 0,
    last_visit_at: null,
    created_at: ctx.now,
  };
  insertGuest(ctx, guest);
  emit(ctx, "guest.created", { guest: presentGuest(guest, ctx.tenant.zone), erased: false });
};

export const readGuest = async (ctx: Ctx, id: number): Promise<Guest> => {
  const guest = await findGuest(ctx, id);
  if (!guest) throw apiError("not_found");
  return presentGuest(guest, ctx.tenant.zone);
};

/** Every page of one `updated_since` listing ends at the commit horizon of its first page, as for orders. */
export const readGuests = async (
  ctx: Ctx,
  filter: GuestFilter,
  range: GuestIdRange,
  rowCount: number,
): Promise<{ rows: GuestRow[]; commitHorizon: string | null }> => {
  const commitHorizon = filter.updatedSince ? (filter.commitHorizon ?? (await readCommitHorizon(ctx))) : null;
  return { rows: await listGuestRows(ctx, { ...filter, commitHorizon }, range, rowCount), commitHorizon };
};

/**
 * Staff change details and consent. Opting in stores its time, opting out removes it. Every change of consent is an entry of its history.
 */
export const changeGuest = async (
  ctx: Ctx,
  id: number,
  wanted: Omit<GuestDetails, "marketing_opted_in_at">,
  source: ConsentSource = "command",
): Promise<Guest> => {
  const guest = await lockGuest(ctx, id);
  if (!guest) throw apiError("not_found");
  const agreed = wanted.marketing_opted_in ?? guest.marketing_opted_in;
  const marketing_opted_in_at = agreed ? (guest.marketing_opted_in_at ?? ctx.now) : null;
  const after: GuestRow = { ...guest, ...wanted, marketing_opted_in: agreed, marketing_opted_in_at };
  const changed = (Object.keys(wanted) as (keyof GuestRow)[]).filter((field) => guest[field] !== after[field]);
  const shown = presentGuest(after, ctx.tenant.zone);
  if (changed.length === 0) return shown;
  if (changed.includes("phone") && after.phone !== null) await claimPhone(ctx, id, after.phone);
  updateGuest(ctx, id, { ...wanted, marketing_opted_in: agreed, marketing_opted_in_at });
  if (agreed !== guest.marketing_opted_in) insertConsent(ctx, { guestId: id, isGiven: agreed, source });
  // Field names without values: the audit log outlives an erased guest.
  recordAudit(ctx, { action: "guest.changed", subject: { kind: "guest", id }, after: { changed } });
  emit(ctx, "guest.updated", { guest: shown, erased: false });
  return shown;
};

/** Two guests never have one number. A number of a profile that was merged into this guest moves to the guest itself. */
const claimPhone = async (ctx: Ctx, id: number, phone: string): Promise<void> => {
  const holder = await findPhoneHolder(ctx, phone);
  if (!holder) return;
  if (holder.guest_id !== id) throw validationError({ phone: ["Another guest has this number. Merge the two profiles instead."] });
  if (holder.row_id !== id) releasePhone(ctx, holder.row_id);
};

export const searchGuests = async (ctx: Ctx, text: string | undefined, rowCount: number): Promise<FoundGuestRow[]> => {
  const search = text === undefined ? null : parseGuestSearch(text);
  return text !== undefined && search === null ? [] : searchGuestRows(ctx, search, rowCount);
};

export const readGuestNames = async (ctx: Ctx, ids: readonly number[]): Promise<Map<number, string>> =>
  new Map((ids.length === 0 ? [] : await listGuestNames(ctx, ids)).map(({ id, name }) => [id, name]));

/** A guest as staff see it, with or without consent. */
export const readProfile = async (ctx: Ctx, id: number): Promise<ProfileRow> => {
  const profile = await findProfile(ctx, id);
  if (!profile) throw apiError("not_found");
  return profile;
};

/** Before rows are locked: for a merge, and for a write that locks orders or reservations of a guest before `lockGuests`. */
export { addVisit, keepFromMerges, keepGuest, listConsents, listMergedInto, listVisitCounts, lockMerges };

/**
 * Waits for running writes that refer to these guests; later ones wait for this transaction. Returns the guests in the order of the ids,
 * and then the profiles that were merged into them.
 */
export const lockGuests = async (ctx: Ctx, ids: number[]): Promise<MergedRow[]> => {
  const rows = await lockGuestGroups(ctx, ids);
  const guests = ids.map((id) => rows.find((row) => row.id === id && row.merged_into === null));
  if (guests.some((guest) => guest === undefined)) throw apiError("not_found");
  return [...(guests as MergedRow[]), ...rows.filter((row) => row.merged_into !== null)];
};

/**
 * The other profile becomes part of the one that stays. Both rows come from `lockGuests`, and the caller moves what refers to the other one.
 * For subscribers the other guest is gone, as if it were erased.
 */
export const mergeInto = (ctx: Ctx, kept: MergedRow, other: MergedRow): void => {
  const merged = mergeProfiles<MergedRow>(kept, other);
  markMerged(ctx, { from: other.id, into: kept.id, keepsPhone: kept.phone !== null });
  updateMergedProfile(ctx, kept.id, merged);
  moveConsents(ctx, other.id, kept.id);
  // The other guest alone may have agreed: its entry is the newest of the history now.
  const hadConsent = kept.marketing_opted_in || other.marketing_opted_in;
  if (hadConsent && !merged.marketing_opted_in) insertConsent(ctx, { guestId: kept.id, isGiven: false, source: "merge" });
  recordAudit(ctx, { action: "guest.merged", subject: { kind: "guest", id: kept.id }, after: { merged_id: other.id } });
  recordAudit(ctx, { action: "guest.merged", subject: { kind: "guest", id: other.id }, after: { merged_into: kept.id } });
  emit(ctx, "guest.updated", { guest: presentGuest(merged, ctx.tenant.zone), erased: false });
  emit(ctx, "guest.updated", { guest: { id: other.id }, erased: true });
};

/** Returns how many profiles and entries of consent were erased. */
export const eraseProfiles = async (ctx: Ctx, ids: number[], name: string): Promise<{ profiles: number; consents: number }> => {
  const [profiles, consents] = await Promise.all([clearGuests(ctx, ids, name), deleteConsents(ctx, ids)]);
  return { profiles, consents };
};

/** The language for messages to the guest, where it is known. */
export const readLocale = async (ctx: Ctx, id: number | null): Promise<string | null> =>
  id === null ? null : ((await findGuest(ctx, id))?.locale ?? null);

/** The note is never in the API (contract §2.8). The audit log records that it changed, not its text. */
export const setStaffNote = async (ctx: Ctx, id: number, note: string | null): Promise<void> => {
  if (!(await updateStaffNote(ctx, id, note))) throw apiError("not_found");
  recordAudit(ctx, { action: "guest.changed", subject: { kind: "guest", id }, after: { changed: ["note"] } });
};
