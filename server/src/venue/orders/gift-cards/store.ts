import type { GiftCardEntryKind, GiftCardStatus } from "@comanda/contract/console/gift-cards.ts";
import { sql } from "kysely";
import { first, oneRow } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

export type CardRow = {
  id: number;
  code_last4: string;
  currency: string;
  source: "sale" | "staff";
  initial_minor: number;
  balance_minor: number;
  status: GiftCardStatus;
  expires_on: string | null;
  guest_id: number | null;
  message: string | null;
  issued_by: string;
  issued_at: Date;
};

const COLUMNS = sql`id, code_last4, currency, source, initial_minor, balance_minor, status, expires_on, guest_id, message, issued_by, issued_at`;
const CARD = sql`select ${COLUMNS} from gift_cards`;

export const findKey = (ctx: Ctx): Promise<{ key: Buffer } | undefined> =>
  first(ctx.db.query(sql<{ key: Buffer }>`select key from gift_card_keys where restaurant_id = ${ctx.tenant.id}`));

/** Two first cards may be issued at once. The first one brings the key. */
export const insertKey = async (ctx: Ctx, key: Buffer): Promise<void> => {
  await ctx.db.query(sql`insert into gift_card_keys (restaurant_id, key) values (${ctx.tenant.id}, ${key}) on conflict do nothing`);
};

export type NewCard = Omit<CardRow, "id" | "currency" | "balance_minor" | "status" | "issued_by" | "issued_at"> & { code_hash: Buffer };

/**
 * Undefined when another card has the code. Its first entry puts the amount on it. The currency is the one that the venue has in this commit:
 * an import that changes it waits for running writes, and refuses while a card has another.
 */
export const insertCard = (ctx: Ctx, card: NewCard): Promise<CardRow | undefined> =>
  first(
    ctx.db.query(sql<CardRow>`
      insert into gift_cards (restaurant_id, code_hash, code_last4, currency, source, initial_minor, status, expires_on, guest_id, message,
        issued_by, issued_at)
      values (${ctx.tenant.id}, ${card.code_hash}, ${card.code_last4}, (select r.currency from restaurants r where r.id = ${ctx.tenant.id}),
        ${card.source}, ${card.initial_minor}, 'active', ${card.expires_on}, ${card.guest_id}, ${card.message}, ${ctx.actor.name}, ${ctx.now})
      on conflict (restaurant_id, code_hash) do nothing returning ${COLUMNS}`),
  );

export type NewEntry = {
  gift_card_id: number;
  kind: GiftCardEntryKind;
  amount_minor: number;
  order_id?: string | null;
  payment_id?: number | null;
  refund_id?: number | null;
};

/** The database changes the balance of the card with it, and returns it. */
export const insertEntry = async (ctx: Ctx, entry: NewEntry): Promise<number> =>
  (
    await oneRow(
      ctx.db.query(sql<{ balance_minor: number }>`
        insert into gift_card_entries (restaurant_id, gift_card_id, kind, amount_minor, order_id, payment_id, refund_id, recorded_by, recorded_at)
        values (${ctx.tenant.id}, ${entry.gift_card_id}, ${entry.kind}, ${entry.amount_minor}, ${entry.order_id ?? null}::uuid,
          ${entry.payment_id ?? null}, ${entry.refund_id ?? null}, ${ctx.actor.name}, ${ctx.now})
        returning balance_minor`),
    )
  ).balance_minor;

export const findCardByHash = (ctx: Ctx, hash: Buffer): Promise<CardRow | undefined> =>
  first(ctx.db.query(sql<CardRow>`${CARD} where restaurant_id = ${ctx.tenant.id} and code_hash = ${hash}`));

/** The lock is held until the commit: of two redemptions, the second one sees what the first one left. */
export const lockCardByHash = (ctx: Ctx, hash: Buffer): Promise<CardRow | undefined> =>
  first(ctx.db.query(sql<CardRow>`${CARD} where restaurant_id = ${ctx.tenant.id} and code_hash = ${hash} for update`));

export const findCard = (ctx: Ctx, id: number): Promise<CardRow | undefined> =>
  first(ctx.db.query(sql<CardRow>`${CARD} where restaurant_id = ${ctx.tenant.id} and id = ${id}`));

export const lockCard = (ctx: Ctx, id: number): Promise<CardRow | undefined> =>
  first(ctx.db.query(sql<CardRow>`${CARD} where restaurant_id = ${ctx.tenant.id} and id = ${id} for update`));

export type CardSearch = { last4: string | null; guestIds: readonly number[] };

type CardsPage = { guest: number | null; before: number | null; rows: number };

/** Without a search all of them, or all of one guest. The newest first. */
export const listCards = (ctx: Ctx, search: CardSearch | null, page: CardsPage): Promise<CardRow[]> => {
  const found = search
    ? sql`and id = any (array(
        select id from gift_cards where restaurant_id = ${ctx.tenant.id} and code_last4 = ${search.last4}
        union all select id from gift_cards where restaurant_id = ${ctx.tenant.id} and guest_id = any (${[...search.guestIds]}::bigint[])))`
    : sql``;
  const ofGuest =
    page.guest === null
      ? sql``
      : sql`and id = any (array(select id from gift_cards where restaurant_id = ${ctx.tenant.id} and guest_id = ${page.guest}))`;
  const before = page.before === null ? sql`` : sql`and id < ${page.before}`;
  return ctx.db.query(
    sql<CardRow>`${CARD} where restaurant_id = ${ctx.tenant.id} ${found} ${ofGuest} ${before} order by id desc limit ${page.rows}`,
  );
};

export type CardEntryRow = {
  id: number;
  kind: GiftCardEntryKind;
  amount_minor: number;
  balance_minor: number;
  order_id: string | null;
  recorded_by: string;
  recorded_at: Date;
};

/** The newest come first. Ids of two cells do not show which came first. */
export const listEntries = (ctx: Ctx, cardId: number, rowCount: number): Promise<CardEntryRow[]> =>
  ctx.db.query(sql<CardEntryRow>`
    select id, kind, amount_minor, balance_minor, order_id, recorded_by, recorded_at from gift_card_entries
    where restaurant_id = ${ctx.tenant.id} and gift_card_id = ${cardId} order by recorded_at desc, id desc limit ${rowCount}`);

export type PaidEntry = { gift_card_id: number; kind: "issue" | "redeem"; order_id: string | null };

/** The entry of the card that made this payment, or that was sold for it. */
export const findPaidEntry = (ctx: Ctx, paymentId: number): Promise<PaidEntry | undefined> =>
  first(
    ctx.db.query(sql<PaidEntry>`
      select gift_card_id, kind, order_id from gift_card_entries
      where restaurant_id = ${ctx.tenant.id} and payment_id = ${paymentId} and kind in ('issue', 'redeem')`),
  );

export const setStatus = (ctx: Ctx, id: number, status: GiftCardStatus): void =>
  ctx.db.defer(sql`update gift_cards set status = ${status} where restaurant_id = ${ctx.tenant.id} and id = ${id}`);

export const reopen = async (ctx: Ctx, id: number, expiresOn: string): Promise<void> => {
  await ctx.db.query(sql`
    update gift_cards set status = case status when 'frozen' then 'frozen' else 'active' end, expires_on = ${expiresOn} where restaurant_id = ${ctx.tenant.id} and id = ${id}`);
};

/** False when another card has the code. */
export const setCode = async (ctx: Ctx, id: number, code: { hash: Buffer; last4: string }): Promise<boolean> =>
  (
    await ctx.db.query(sql<{ id: number }>`
      update gift_cards set code_hash = ${code.hash}, code_last4 = ${code.last4}
      where restaurant_id = ${ctx.tenant.id} and id = ${id}
        and not exists (select from gift_cards o where o.restaurant_id = ${ctx.tenant.id} and o.code_hash = ${code.hash}) returning id`)
  ).length > 0;

/** Whether cards have another currency than this one. */
export const hasCardsOutside = async (ctx: Ctx, currency: string): Promise<boolean> =>
  (
    await oneRow(
      ctx.db.query(sql<{ found: boolean }>`
        select exists (select from gift_cards where restaurant_id = ${ctx.tenant.id} and currency <> ${currency}) as found`),
    )
  ).found;

export const listCardsOfGuests = (ctx: Ctx, guestIds: readonly number[]): Promise<CardRow[]> =>
  ctx.db.query(sql<CardRow>`${CARD}
    where restaurant_id = ${ctx.tenant.id} and guest_id = any (${[...guestIds]}::bigint[]) order by id`);

/** Their money stays. Locked in the order of ids. */
export const unlinkCards = (ctx: Ctx, guestIds: readonly number[]): Promise<{ id: number }[]> =>
  ctx.db.query(sql<{ id: number }>`
    with theirs as (
      select id from gift_cards where restaurant_id = ${ctx.tenant.id} and guest_id = any (${[...guestIds]}::bigint[]) order by id for update
    )
    update gift_cards c set guest_id = null, message = null from theirs
    where c.restaurant_id = ${ctx.tenant.id} and c.id = theirs.id returning c.id`);

/** Two guests were merged. */
export const updateCardGuest = (ctx: Ctx, from: number, into: number): void =>
  ctx.db.defer(sql`update gift_cards set guest_id = ${into} where restaurant_id = ${ctx.tenant.id} and guest_id = ${from}`);
