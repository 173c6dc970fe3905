/** Parties that wait for a table: added with a quote, notified when it is free, seated by the same engine as every booking. */
import type { DayBooking, WaitlistEntry } from "@comanda/contract/console/bookings.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError, validationError } from "#lib/errors.ts";
import { newUuid } from "#lib/ids.ts";
import { formatDate } from "#lib/instant.ts";
import { wallClock } from "#lib/time-zone.ts";
import { changedBy, listActivity, recordAudit } from "#platform/activity/audit/service.ts";
import { queueNotification, readMessageHeader } from "#platform/messages/notifications/service.ts";
import { readStays } from "#venue/bookings/reservations/service/context.ts";
import { readBookingsById } from "#venue/bookings/reservations/service/day.ts";
import { seatParty } from "#venue/bookings/reservations/service/presence.ts";
import { readFreeTablesContext } from "#venue/bookings/reservations/service/table-orders.ts";
import { createGuestIfNew, findGuestByContact, readLocale } from "#venue/guests/service.ts";
import { branchIdOf, namedBranchErrors, partiesOfOrders, quoteMinutes } from "./rules.ts";
import {
  clearWaiting,
  endWaiting,
  insertWaiting,
  listWaiting,
  listWaitingOfGuests,
  lockWaiting,
  markNotified,
  updateWaitingGuest,
  type WaitingRow,
} from "./store.ts";

export { updateWaitingGuest };

const WAITING_MAX = 200;

const presentEntry = ({ added_at, notified_at, ...entry }: WaitingRow): WaitlistEntry => ({
  id: entry.id,
  version: entry.version,
  branch_id: entry.branch_id,
  guest_id: entry.guest_id,
  name: entry.name,
  phone: entry.phone,
  party_size: entry.party_size,
  note: entry.note,
  quoted_minutes: entry.quoted_minutes,
  added_at: added_at.toISOString(),
  notified_at: notified_at?.toISOString() ?? null,
});

export const readWaitlist = async (ctx: Ctx): Promise<WaitlistEntry[]> => (await listWaiting(ctx, WAITING_MAX)).map(presentEntry);

const readQuestion = async (ctx: Ctx, branchId: number | null) => {
  const [context, stays, waiting] = await Promise.all([readFreeTablesContext(ctx), readStays(ctx), listWaiting(ctx, WAITING_MAX)]);
  const errors = namedBranchErrors(context, branchId);
  if (Object.keys(errors).length > 0) throw validationError(errors);
  const placeId = branchIdOf(context, branchId);
  const ahead = waiting.filter(({ branch_id }) => branch_id === placeId).map(({ party_size }) => party_size);
  const present = [...stays.present, ...partiesOfOrders(context, context.orders, stays.present)];
  return { context, placeId, waitingCount: waiting.length, ahead, turns: stays.turns, present };
};

export const quoteWait = async (ctx: Ctx, partySize: number, branchId: number | null): Promise<number> => {
  const { context, ahead, turns, present } = await readQuestion(ctx, branchId);
  return quoteMinutes({ partySize, branchId, ahead, turns, present }, context);
};

type NewParty = {
  name: string;
  phone: string;
  note?: string | null;
  party_size: number;
  branch_id?: number | null;
  quoted_minutes?: number;
};

export const addParty = async (ctx: Ctx, wanted: NewParty): Promise<WaitlistEntry> => {
  const branchId = wanted.branch_id ?? null;
  const contact = { name: wanted.name, phone: wanted.phone, email: null };
  const [question, guest] = await Promise.all([readQuestion(ctx, branchId), wanted.phone === "" ? null : findGuestByContact(ctx, contact)]);
  if (question.waitingCount >= WAITING_MAX) throw validationError({ party_size: [`At most ${WAITING_MAX} parties can wait.`] });
  if (guest !== null) createGuestIfNew(ctx, guest, contact);
  const { context, ahead, turns, present, placeId } = question;
  const entry: WaitingRow = {
    id: newUuid(ctx.now),
    version: 1,
    branch_id: placeId,
    guest_id: guest?.id ?? null,
    name: wanted.name,
    phone: wanted.phone,
    party_size: wanted.party_size,
    note: wanted.note || null,
    quoted_minutes: wanted.quoted_minutes ?? quoteMinutes({ partySize: wanted.party_size, branchId, ahead, turns, present }, context),
    added_at: ctx.now,
    notified_at: null,
  };
  insertWaiting(ctx, entry);
  recordAudit(ctx, {
    action: "waiting.added",
    subject: { kind: "waiting", id: entry.id },
    after: { party_size: entry.party_size, quoted_minutes: entry.quoted_minutes },
  });
  return presentEntry(entry);
};

/** Two people may act on the same party. The first one has the effect, and the second one gets the name of the first. */
const findSeenEntry = async (ctx: Ctx, id: string, seenVersion: number): Promise<WaitingRow> => {
  const entry = await lockWaiting(ctx, id);
  if (entry?.version === seenVersion) return entry;
  const [step] = await listActivity(ctx, { area: "waiting", subject: id }, 1);
  if (!entry && !step) throw apiError("not_found");
  throw changedBy({ waiting: entry ? presentEntry(entry) : null }, step ? { who: step.actor_name, at: step.at } : null);
};

export const notifyParty = async (ctx: Ctx, id: string, seenVersion: number): Promise<WaitlistEntry> => {
  const entry = await findSeenEntry(ctx, id, seenVersion);
  if (entry.phone === "") throw validationError({ phone: ["The party left no phone number."] });
  markNotified(ctx, id);
  recordAudit(ctx, { action: "waiting.notified", subject: { kind: "waiting", id } });
  const [header, locale] = await Promise.all([readMessageHeader(ctx), readLocale(ctx, entry.guest_id)]);
  const clock = wallClock(ctx.tenant.zone, ctx.now);
  await queueNotification(ctx, {
    kind: "waitlist.ready",
    guest: { id: entry.guest_id, locale, phone: entry.phone, email: null },
    header,
    facts: { guest: entry.name, date: formatDate(clock), time: "", party: entry.party_size },
    about: { kind: "waiting", id },
  });
  return presentEntry({ ...entry, notified_at: ctx.now, version: entry.version + 1 });
};

/** Returns the booking that the party has now. */
export const seatEntry = async (ctx: Ctx, id: string, wanted: { seen_version: number; table_ids?: number[] }): Promise<DayBooking> => {
  const entry = await findSeenEntry(ctx, id, wanted.seen_version);
  const { party_size, branch_id, name, phone, note } = entry;
  const seated = await seatParty(
    ctx,
    { party_size, branch_id, table_ids: wanted.table_ids ?? [] },
    { name, phone, note, guestId: entry.guest_id },
  );
  endWaiting(ctx, id, seated.id);
  recordAudit(ctx, { action: "waiting.seated", subject: { kind: "waiting", id } });
  const [booking] = await readBookingsById(ctx, [seated.id]);
  if (!booking) throw apiError("not_found");
  return booking;
};

export const removeEntry = async (ctx: Ctx, id: string, seenVersion: number): Promise<void> => {
  await findSeenEntry(ctx, id, seenVersion);
  endWaiting(ctx, id, null);
  recordAudit(ctx, { action: "waiting.removed", subject: { kind: "waiting", id } });
};

/** Returns the ids of their entries. */
export const eraseWaiting = async (ctx: Ctx, guestIds: readonly number[], name: string): Promise<string[]> =>
  (await clearWaiting(ctx, guestIds, name)).map(({ id }) => id);

export const readWaitingOfGuests = async (ctx: Ctx, guestIds: readonly number[]): Promise<WaitlistEntry[]> =>
  (await listWaitingOfGuests(ctx, guestIds)).map(presentEntry);
