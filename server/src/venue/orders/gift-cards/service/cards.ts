/** Gift cards as the venue keeps them: issued, frozen, corrected, expired. The balance changes with an entry of the card's ledger only. */
import type { GiftCardState } from "@comanda/contract/console/gift-cards.ts";
import { PRICE_MAX } from "@comanda/contract/shared.ts";
import type { Ctx } from "#lib/context.ts";
import { type ApiError, apiError, validationError } from "#lib/errors.ts";
import { recordAudit, stateChanged } from "#platform/activity/audit/service.ts";
import { emit } from "#platform/events/service.ts";
import { enqueue } from "#platform/jobs/service.ts";
import { lockGuests } from "#venue/guests/service.ts";
import { recordSale } from "#venue/orders/payments/service.ts";
import { presentCard, presentCardOfEvent } from "../present.ts";
import { endOf, expiryFault, isPastLastDay, todayOf } from "../rules.ts";
import {
  type CardRow,
  hasCardsOutside,
  insertCard,
  insertEntry,
  listCardsOfGuests,
  lockCard,
  type NewEntry,
  setCode,
  setStatus,
  unlinkCards,
  updateCardGuest,
} from "../store.ts";
import { codeTaken, readNewCode } from "./codes.ts";

export { hasCardsOutside, updateCardGuest };

export type IssuedCard = { code: string; amount_minor: number; expires_on: string | null; guest_id: number | null; message: string | null };
/** Sold for a payment at the counter, or given out for a reason. */
export type CardOrigin = { method: "cash" | "card_terminal" | "other" } | { reason: string };

const cardSubject = (id: number) => ({ kind: "gift_card" as const, id });

const lockGuestOf = async (ctx: Ctx, guestId: number | null): Promise<void> => {
  if (guestId === null) return;
  await lockGuests(ctx, [guestId]).catch((error: ApiError) => {
    throw error.code === "not_found" ? validationError({ guest_id: ["There is no such guest."] }) : error;
  });
};

/** The expiry runs at the midnight after the last day. */
export const scheduleExpiry = async (ctx: Ctx, id: number, expiresOn: string | null): Promise<void> => {
  if (expiresOn === null) return;
  const startAfter = endOf(expiresOn, ctx.tenant.zone);
  await enqueue(ctx, "expire-gift-card", { gift_card_id: id, expires_on: expiresOn }, { startAfter });
};

export const issueCard = async (ctx: Ctx, wanted: IssuedCard, origin: CardOrigin): Promise<GiftCardState> => {
  const fault = expiryFault(wanted.expires_on, todayOf(ctx.tenant.zone, ctx.now));
  if (fault !== null) throw validationError({ expires_on: [fault] });
  const { hash, last4 } = await readNewCode(ctx, wanted.code);
  await lockGuestOf(ctx, wanted.guest_id);
  const isSale = "method" in origin;
  const row = await insertCard(ctx, {
    code_hash: hash,
    code_last4: last4,
    source: isSale ? "sale" : "staff",
    initial_minor: wanted.amount_minor,
    expires_on: wanted.expires_on,
    guest_id: wanted.guest_id,
    message: wanted.message,
  });
  if (!row) throw codeTaken();
  const sale = isSale ? await recordSale(ctx, { method: origin.method, amount_minor: wanted.amount_minor }) : null;
  const issue: NewEntry = { gift_card_id: row.id, kind: "issue", amount_minor: wanted.amount_minor, payment_id: sale?.id ?? null };
  const card: CardRow = { ...row, balance_minor: await insertEntry(ctx, issue) };
  await scheduleExpiry(ctx, card.id, card.expires_on);
  recordAudit(ctx, {
    action: "gift_card.issued",
    subject: cardSubject(card.id),
    after: { code_last4: last4, amount_minor: wanted.amount_minor, source: card.source, expires_on: card.expires_on },
    ...(isSale ? {} : { reason: origin.reason }),
  });
  emit(ctx, "giftcard.issued", { gift_card: presentCardOfEvent(card, ctx.tenant.zone) });
  return presentCard(card);
};

const lockOne = async (ctx: Ctx, id: number): Promise<CardRow> => {
  const card = await lockCard(ctx, id);
  if (!card) throw apiError("not_found");
  return card;
};

const cardChanged = (ctx: Ctx, card: CardRow): Promise<ApiError> =>
  stateChanged(ctx, { area: "gift_card", subject: card.id }, { gift_card: presentCard(card) });

type SeenStatus = { seen_status: CardRow["status"]; status: "active" | "frozen"; reason?: string | null | undefined };

/** The body is read after the card was found. */
export const setSeenStatus = async (ctx: Ctx, id: number, read: () => SeenStatus): Promise<GiftCardState> => {
  const card = await lockOne(ctx, id);
  const { seen_status, status, reason } = read();
  if (card.status !== seen_status) throw await cardChanged(ctx, card);
  if (card.status === "expired") throw validationError({ status: ["The gift card has expired."] });
  if (status === card.status) return presentCard(card);
  setStatus(ctx, id, status);
  recordAudit(ctx, {
    action: status === "frozen" ? "gift_card.frozen" : "gift_card.unfrozen",
    subject: cardSubject(id),
    before: { status: card.status },
    after: { status },
    reason: reason?.trim() || null,
  });
  return presentCard({ ...card, status });
};

type SeenAdjustment = { seen_balance_minor: number; amount_minor: number; reason: string };

export const adjustSeenBalance = async (ctx: Ctx, id: number, read: () => SeenAdjustment): Promise<GiftCardState> => {
  const card = await lockOne(ctx, id);
  const { seen_balance_minor, amount_minor, reason } = read();
  if (card.balance_minor !== seen_balance_minor) throw await cardChanged(ctx, card);
  if (card.status === "expired") throw validationError({ amount_minor: ["The gift card has expired."] });
  const after = card.balance_minor + amount_minor;
  if (amount_minor === 0 || after < 0 || after > PRICE_MAX)
    throw validationError({ amount_minor: [`Must not be 0, and leave between 0 and ${PRICE_MAX} on the card.`] });
  const balance_minor = await insertEntry(ctx, { gift_card_id: id, kind: "adjust", amount_minor });
  recordAudit(ctx, {
    action: "gift_card.adjusted",
    subject: cardSubject(id),
    before: { balance_minor: card.balance_minor },
    after: { balance_minor },
    reason,
  });
  return presentCard({ ...card, balance_minor });
};

type SeenCode = { seen_last4: string; code: string };

export const replaceSeenCode = async (ctx: Ctx, id: number, read: () => SeenCode): Promise<GiftCardState> => {
  const card = await lockOne(ctx, id);
  const { seen_last4, code } = read();
  if (card.code_last4 !== seen_last4) throw await cardChanged(ctx, card);
  const { hash, last4 } = await readNewCode(ctx, code);
  if (!(await setCode(ctx, id, { hash, last4 }))) throw codeTaken();
  recordAudit(ctx, {
    action: "gift_card.code_replaced",
    subject: cardSubject(id),
    before: { code_last4: card.code_last4 },
    after: { code_last4: last4 },
  });
  return presentCard({ ...card, code_last4: last4 });
};

/**
 * A second run, and one for a last day that was replaced, changes nothing. After a change of the venue's zone it waits for its midnight. A
 * frozen card stays frozen: a refund would open an expired one again, for the person who has it.
 */
export const expireCard = async (ctx: Ctx, id: number, expiresOn: string): Promise<void> => {
  const card = await lockCard(ctx, id);
  if (!card || card.status === "expired" || card.expires_on !== expiresOn) return;
  if (card.status === "frozen" && card.balance_minor === 0) return;
  if (!isPastLastDay(expiresOn, todayOf(ctx.tenant.zone, ctx.now))) return scheduleExpiry(ctx, id, expiresOn);
  if (card.balance_minor > 0) await insertEntry(ctx, { gift_card_id: id, kind: "expire", amount_minor: -card.balance_minor });
  const status = card.status === "frozen" ? "frozen" : "expired";
  setStatus(ctx, id, status);
  recordAudit(ctx, {
    action: "gift_card.expired",
    subject: cardSubject(id),
    before: { status: card.status, balance_minor: card.balance_minor },
    after: { status, balance_minor: 0 },
  });
};

/** Returns the ids of their cards. What is on them stays. */
export const eraseGuestOnCards = async (ctx: Ctx, guestIds: readonly number[]): Promise<number[]> =>
  (await unlinkCards(ctx, guestIds)).map(({ id }) => id);

export const readCardsOfGuests = async (ctx: Ctx, guestIds: readonly number[]): Promise<(GiftCardState & { message: string | null })[]> =>
  (await listCardsOfGuests(ctx, guestIds)).map((row) => ({ ...presentCard(row), message: row.message }));
