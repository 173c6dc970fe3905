/** Finds cards and shows what happened to one. */
import type { GiftCardDesk, GiftCardLedger, ListedGiftCard } from "@comanda/contract/console/gift-cards.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError } from "#lib/errors.ts";
import { readSteps } from "#platform/activity/audit/service.ts";
import { readGuestNames, searchGuests } from "#venue/guests/service.ts";
import { readBoardOrders } from "#venue/orders/service/reads.ts";
import { presentCard, presentEntry } from "../present.ts";
import { searchedLast4, todayOf } from "../rules.ts";
import { type CardRow, findCard, listCards, listEntries } from "../store.ts";

const GUESTS_MAX = 50;
const ENTRIES_MAX = 200;
const STEPS_MAX = 100;

export const readDesk = ({ tenant, now }: Ctx): GiftCardDesk => ({
  currency: tenant.currency,
  today: todayOf(tenant.zone, now),
  zone: tenant.zone,
});

const withGuests = async (ctx: Ctx, rows: readonly CardRow[]): Promise<ListedGiftCard[]> => {
  const names = await readGuestNames(ctx, [...new Set(rows.flatMap(({ guest_id }) => guest_id ?? []))]);
  return rows.map((row) => {
    const name = row.guest_id === null ? undefined : names.get(row.guest_id);
    return { ...presentCard(row), guest: row.guest_id === null || name === undefined ? null : { id: row.guest_id, name } };
  });
};

type CardPage = { search?: string | undefined; guest?: number | undefined; before?: number | undefined; rows: number };

export const findCards = async (
  ctx: Ctx,
  { search, guest, before, rows }: CardPage,
): Promise<{ data: ListedGiftCard[]; next: number | null }> => {
  const guests = search === undefined ? [] : await searchGuests(ctx, search, GUESTS_MAX);
  const wanted = search === undefined ? null : { last4: searchedLast4(search), guestIds: guests.map(({ id }) => id) };
  const found = await listCards(ctx, wanted, { guest: guest ?? null, before: before ?? null, rows: rows + 1 });
  const page = found.slice(0, rows);
  return { data: await withGuests(ctx, page), next: found.length > rows ? (page.at(-1)?.id ?? null) : null };
};

export const readLedger = async (ctx: Ctx, id: number): Promise<GiftCardLedger> => {
  const [card, entries, steps] = await Promise.all([
    findCard(ctx, id),
    listEntries(ctx, id, ENTRIES_MAX + 1),
    readSteps(ctx, { area: "gift_card", subject: String(id) }, STEPS_MAX),
  ]);
  if (!card) throw apiError("not_found");
  const shown = entries.slice(0, ENTRIES_MAX);
  const [listed, orders] = await Promise.all([
    withGuests(ctx, [card]),
    readBoardOrders(ctx, [...new Set(shown.flatMap(({ order_id }) => order_id ?? []))]),
  ]);
  const numbers = new Map(orders.map(({ order, number }) => [order.id, number]));
  return {
    card: presentCard(card),
    guest: listed[0]?.guest ?? null,
    message: card.message,
    entries: shown.map((row) => presentEntry(row, row.order_id === null ? null : (numbers.get(row.order_id) ?? null))),
    is_cut: entries.length > ENTRIES_MAX,
    steps,
    zone: ctx.tenant.zone,
  };
};
