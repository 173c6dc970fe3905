/** Orders and reservations are matched to guests by contact details, and never overwrite a guest's name (open point D124). */
import type { Guest } from "@comanda/contract/venue/guests.ts";
import { readCommitHorizon } from "#db/commit-horizon.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError } from "#lib/errors.ts";
import { recordAudit } from "#platform/audit/service.ts";
import { emit } from "#platform/events/service.ts";
import { presentGuest } from "./present.ts";
import {
  addVisit,
  clearGuest,
  findGuest,
  findGuestByPhone,
  type GuestDetails,
  type GuestFilter,
  type GuestIdRange,
  type GuestMatchRow,
  type GuestRow,
  insertGuest,
  listGuestRows,
  lockGuest,
  matchContact,
  updateGuest,
  updateStaffNote,
} from "./store.ts";

export type GuestMatch = GuestMatchRow;

export const findGuestByContact = (ctx: Ctx, contact: { phone: string; email: string | null }): Promise<GuestMatch> =>
  matchContact(ctx, contact.phone, contact.email);

/** Null when no guest has this number. It takes no lock and creates none. */
export const findKnownGuest = async (ctx: Ctx, phone: string): Promise<GuestRow | null> => (await findGuestByPhone(ctx, phone)) ?? null;

/** Creates the profile and emits `guest.created`. Consent is never assumed. */
export const createGuestIfNew = (
  ctx: Ctx,
  { id, is_new }: GuestMatch,
  contact: { name: string; phone: string; email: string | null },
): void => {
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

export const countVisit = (ctx: Ctx, guestId: number, spendMinor: number): void => addVisit(ctx, guestId, spendMinor);

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
  const commitHorizon = filter.updatedSince ? (filter.commitHorizon ?? (await readCommitHorizon(ctx.db))) : null;
  return { rows: await listGuestRows(ctx, { ...filter, commitHorizon }, range, rowCount), commitHorizon };
};

/** Staff change details and consent. Opting in stores its time, opting out removes it. */
export const changeGuest = async (ctx: Ctx, id: number, wanted: Omit<GuestDetails, "marketing_opted_in_at">): Promise<Guest> => {
  const guest = await lockGuest(ctx, id);
  if (!guest) throw apiError("not_found");
  const agreed = wanted.marketing_opted_in ?? guest.marketing_opted_in;
  const marketing_opted_in_at = agreed ? (guest.marketing_opted_in_at ?? ctx.now) : null;
  const after: GuestRow = { ...guest, ...wanted, marketing_opted_in: agreed, marketing_opted_in_at };
  const changed = (Object.keys(wanted) as (keyof GuestRow)[]).filter((field) => guest[field] !== after[field]);
  const shown = presentGuest(after, ctx.tenant.zone);
  if (changed.length === 0) return shown;
  updateGuest(ctx, id, { ...wanted, marketing_opted_in: agreed, marketing_opted_in_at });
  // Field names without values: the audit log outlives an erased guest.
  recordAudit(ctx, { action: "guest.changed", subject: { kind: "guest", id }, after: { changed } });
  emit(ctx, "guest.updated", { guest: shown, erased: false });
  return shown;
};

/** Waits for running writes that refer to the guest; later ones wait for this transaction. */
export const lockExistingGuest = async (ctx: Ctx, id: number): Promise<void> => {
  if (!(await lockGuest(ctx, id))) throw apiError("not_found");
};

/** False when there is no such guest, or it was erased before. */
export const eraseProfile = (ctx: Ctx, id: number, name: string): Promise<boolean> => clearGuest(ctx, id, name);

/** The language for messages to the guest, where it is known. */
export const readLocale = async (ctx: Ctx, id: number | null): Promise<string | null> =>
  id === null ? null : ((await findGuest(ctx, id))?.locale ?? null);

/** The note is never in the API (contract §2.8). The audit log records that it changed, not its text. */
export const setStaffNote = async (ctx: Ctx, id: number, note: string | null): Promise<void> => {
  if (!(await updateStaffNote(ctx, id, note))) throw apiError("not_found");
  recordAudit(ctx, { action: "guest.changed", subject: { kind: "guest", id }, after: { changed: ["note"] } });
};
