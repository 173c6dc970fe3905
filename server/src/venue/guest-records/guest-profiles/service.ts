/** What staff do with guests in the console. A write names what the page saw; 409 has the present profile and who changed it. */
import type { ConsentSource } from "@comanda/contract/console/guest-kinds.ts";
import {
  type ErasureReceipt,
  type FoundGuest,
  type GuestContactDetails,
  type GuestProfile,
  STAFF_NOTE_LENGTH_MAX,
} from "@comanda/contract/console/guests.ts";
import type { Ctx } from "#lib/context.ts";
import { type ApiError, apiError, validationError } from "#lib/errors.ts";
import { stateChanged } from "#platform/activity/audit/service.ts";
import { updateMessageGuest } from "#platform/messages/notifications/service.ts";
import { listTicketsOfGuest, updateTicketsGuest } from "#venue/bookings/experiences/service/tickets.ts";
import { listReservationsOfGuest, lockReservationsOfGuest, updateReservationGuest } from "#venue/bookings/reservations/service/bookings.ts";
import { updateWaitingGuest } from "#venue/bookings/waitlist/service.ts";
import { eraseGuest } from "#venue/guest-records/erasure/service.ts";
import {
  changeGuest,
  listConsents,
  listMergedInto,
  lockGuests,
  lockMerges,
  type MergedRow,
  mergeInto,
  readProfile,
  searchGuests,
  setStaffNote,
} from "#venue/guests/service.ts";
import { updateCardGuest } from "#venue/orders/gift-cards/service/cards.ts";
import { listOrdersOfGuest } from "#venue/orders/service/reads.ts";
import { lockOrdersOfGuest, updateOrderGuest } from "#venue/orders/service.ts";
import { presentFound, presentProfile } from "./present.ts";
import { hasSeenDetails, isSeenText, profileVersion } from "./rules.ts";

const FOUND_MAX = 50;
const CONSENTS_MAX = 50;
const TIMELINE_MAX = 50;

export const findGuests = async (ctx: Ctx, search: string | undefined): Promise<{ guests: FoundGuest[]; is_cut: boolean }> => {
  const rows = await searchGuests(ctx, search, FOUND_MAX + 1);
  return { guests: rows.slice(0, FOUND_MAX).map(presentFound), is_cut: rows.length > FOUND_MAX };
};

export const readGuestProfile = async (ctx: Ctx, id: number): Promise<GuestProfile> => {
  const [profile, consents, contacts, orders, reservations, tickets] = await Promise.all([
    readProfile(ctx, id),
    listConsents(ctx, id, CONSENTS_MAX),
    listMergedInto(ctx, id),
    listOrdersOfGuest(ctx, id, TIMELINE_MAX + 1),
    listReservationsOfGuest(ctx, id, TIMELINE_MAX + 1),
    listTicketsOfGuest(ctx, id, TIMELINE_MAX + 1),
  ]);
  const timeline = {
    orders: orders.slice(0, TIMELINE_MAX),
    reservations: reservations.slice(0, TIMELINE_MAX),
    tickets: tickets.slice(0, TIMELINE_MAX),
    isCut: [orders, reservations, tickets].some(({ length }) => length > TIMELINE_MAX),
  };
  return presentProfile({ profile, consents, contacts, ...timeline }, ctx.tenant);
};

const guestChanged = async (ctx: Ctx, id: number): Promise<ApiError> =>
  stateChanged(ctx, { area: "guest", subject: id }, { guest: await readGuestProfile(ctx, id) });

/** The body is read after the guest was found. */
const lockOne = async (ctx: Ctx, id: number): Promise<MergedRow> => {
  const [guest] = await lockGuests(ctx, [id]);
  if (!guest) throw apiError("not_found");
  return guest;
};

type SeenNote = { seen_note: string | null; note: string | null };

export const setSeenNote = async (ctx: Ctx, id: number, read: () => SeenNote): Promise<void> => {
  const guest = await lockOne(ctx, id);
  const { seen_note, note } = read();
  if (!isSeenText(guest.staff_note, seen_note)) throw await guestChanged(ctx, id);
  if (note !== guest.staff_note) await setStaffNote(ctx, id, note);
};

type SeenDetails = { seen: GuestContactDetails; details: GuestContactDetails };

export const changeSeenDetails = async (ctx: Ctx, id: number, read: () => SeenDetails): Promise<void> => {
  const guest = await lockOne(ctx, id);
  const { seen, details } = read();
  if (!hasSeenDetails(guest, seen)) throw await guestChanged(ctx, id);
  await changeGuest(ctx, id, details);
};

type SeenConsent = { seen_is_given: boolean; is_given: boolean; source: ConsentSource };

export const recordSeenConsent = async (ctx: Ctx, id: number, read: () => SeenConsent): Promise<void> => {
  const guest = await lockOne(ctx, id);
  const { seen_is_given, is_given, source } = read();
  if (guest.marketing_opted_in !== seen_is_given) throw await guestChanged(ctx, id);
  await changeGuest(ctx, id, { marketing_opted_in: is_given }, source);
};

const versionOf = (guest: MergedRow, group: readonly MergedRow[]): string =>
  profileVersion(
    guest,
    group.filter(({ merged_into }) => merged_into === guest.id).map(({ id }) => id),
  );

type SeenMerge = { other_id: number; seen_version: string; other_seen_version: string };

/**
 * One merge at a time. Locks the other guest's orders and reservations first, then both guests, as every change of an order does. Orders
 * that were placed in between are moved with the rest. The activity log and the change stream name both guests.
 */
export const mergeSeenGuests = async (ctx: Ctx, id: number, read: () => SeenMerge): Promise<void> => {
  await readProfile(ctx, id);
  const { other_id: otherId, seen_version, other_seen_version } = read();
  if (otherId === id) throw validationError({ other_id: ["A profile cannot be merged with itself."] });
  lockMerges(ctx);
  await Promise.all([lockOrdersOfGuest(ctx, otherId), lockReservationsOfGuest(ctx, otherId)]);
  const [kept, other, ...merged] = await lockGuests(ctx, [id, otherId]);
  if (!kept || !other) throw apiError("not_found");
  if (versionOf(kept, merged) !== seen_version) throw await guestChanged(ctx, id);
  if (versionOf(other, merged) !== other_seen_version) throw await guestChanged(ctx, otherId);
  const noteLength = (kept.staff_note?.length ?? 0) + (other.staff_note?.length ?? 0);
  if (noteLength >= STAFF_NOTE_LENGTH_MAX)
    throw validationError({ other_id: ["Their notes are too long for one profile. Shorten one of them first."] });
  mergeInto(ctx, kept, other);
  await updateOrderGuest(ctx, otherId, id);
  await updateReservationGuest(ctx, otherId, id);
  updateMessageGuest(ctx, otherId, id);
  updateWaitingGuest(ctx, otherId, id);
  updateTicketsGuest(ctx, otherId, id);
  updateCardGuest(ctx, otherId, id);
};

/** A profile that was merged with another one since the page was read is not erased: the page did not show what it would erase. */
export const eraseSeenGuest = async (ctx: Ctx, id: number, read: () => { seen_version: string }): Promise<ErasureReceipt> => {
  await readProfile(ctx, id);
  const { seen_version } = read();
  return eraseGuest(ctx, id, async ([guest, ...merged]) => {
    if (!guest || versionOf(guest, merged) !== seen_version) throw await guestChanged(ctx, id);
  });
};
