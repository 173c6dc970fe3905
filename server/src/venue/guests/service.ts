/** Guests are recognised when they order or book; their name is never overwritten by it (open point D124). */
import type { Guest } from "@comanda/contract/guests.ts";
import { settledUntil } from "#db/settled.ts";
import type { Ctx } from "#lib/context.ts";
import { fail } from "#lib/errors.ts";
import { recordAudit } from "#platform/audit/service.ts";
import { emit } from "#platform/events/service.ts";
import { presentGuest } from "./present.ts";
import {
  addVisit,
  blankGuest,
  findGuest,
  findGuestId,
  type GuestDetails,
  type GuestFilter,
  type GuestRow,
  type IdRange,
  insertGuest,
  listGuestRows,
  lockGuest,
  type RecognisedRow,
  updateGuest,
  updateStaffNote,
} from "./store.ts";

/** `locale`: the language the guest is spoken to in, where it is known. */
export type Recognised = RecognisedRow;

export const recogniseGuest = (ctx: Ctx, contact: { phone: string; email: string | null }): Promise<Recognised> =>
  findGuestId(ctx, contact.phone, contact.email);

/** A first-time guest gets a profile and subscribers hear of it. Consent is never assumed. */
export const welcomeGuest = (
  ctx: Ctx,
  { id, is_new }: Recognised,
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
  if (!guest) throw fail("not_found");
  return presentGuest(guest, ctx.tenant.zone);
};

/** All pages of a walk end at the same moment, or a later page would carry a client past a change on an earlier one. */
export const readGuests = async (
  ctx: Ctx,
  filter: GuestFilter,
  range: IdRange,
  rowCount: number,
): Promise<{ rows: GuestRow[]; settledUntil: string | null }> => {
  const until = filter.updatedSince ? (filter.settledUntil ?? (await settledUntil(ctx.db))) : null;
  return { rows: await listGuestRows(ctx, { ...filter, settledUntil: until }, range, rowCount), settledUntil: until };
};

/** Details and consent as staff keep them. Agreeing is remembered with its moment, withdrawing forgets it. */
export const changeGuest = async (ctx: Ctx, id: number, wanted: Omit<GuestDetails, "marketing_opted_in_at">): Promise<Guest> => {
  const guest = await lockGuest(ctx, id);
  if (!guest) throw fail("not_found");
  const agreed = wanted.marketing_opted_in ?? guest.marketing_opted_in;
  const marketing_opted_in_at = agreed ? (guest.marketing_opted_in_at ?? ctx.now) : null;
  const after: GuestRow = { ...guest, ...wanted, marketing_opted_in: agreed, marketing_opted_in_at };
  const changed = (Object.keys(wanted) as (keyof GuestRow)[]).filter((field) => guest[field] !== after[field]);
  const shown = presentGuest(after, ctx.tenant.zone);
  if (changed.length === 0) return shown;
  updateGuest(ctx, id, { ...wanted, marketing_opted_in: agreed, marketing_opted_in_at });
  // Who and what, but not the details themselves: a guest who is erased must not live on in the log.
  recordAudit(ctx, { action: "guest.changed", subject: { kind: "guest", id }, after: { changed } });
  emit(ctx, "guest.updated", { guest: shown, erased: false });
  return shown;
};

/** Nobody writes about the guest from now on: this waits for those who do, and the others wait for us. */
export const holdGuest = async (ctx: Ctx, id: number): Promise<void> => {
  if (!(await lockGuest(ctx, id))) throw fail("not_found");
};

/** False when there is no such guest, or it was erased before. */
export const eraseProfile = (ctx: Ctx, id: number, name: string): Promise<boolean> => blankGuest(ctx, id, name);

/** The language the guest is spoken to in, where it is known. */
export const readLocale = async (ctx: Ctx, id: number | null): Promise<string | null> =>
  id === null ? null : ((await findGuest(ctx, id))?.locale ?? null);

/** What staff want to remember of a guest. It is never shown outside (contract §2.8), and the log says only that it changed. */
export const noteOnGuest = async (ctx: Ctx, id: number, note: string | null): Promise<void> => {
  if (!(await updateStaffNote(ctx, id, note))) throw fail("not_found");
  recordAudit(ctx, { action: "guest.changed", subject: { kind: "guest", id }, after: { changed: ["note"] } });
};
