import type { GiftCardEntry, GiftCardState } from "@comanda/contract/console/gift-cards.ts";
import type { EventData } from "@comanda/contract/events/envelope.ts";
import { formatInstant } from "#lib/time-zone.ts";
import { lastSecondOf } from "./rules.ts";
import type { CardEntryRow, CardRow } from "./store.ts";

export const presentCard = (row: CardRow): GiftCardState => ({
  id: row.id,
  code_last4: row.code_last4,
  currency: row.currency,
  initial_minor: row.initial_minor,
  balance_minor: row.balance_minor,
  status: row.status,
  source: row.source,
  expires_on: row.expires_on,
  issued_by: row.issued_by,
  issued_at: row.issued_at.toISOString(),
});

export const presentEntry = ({ recorded_at, ...row }: CardEntryRow, orderNumber: number | null): GiftCardEntry => ({
  id: row.id,
  kind: row.kind,
  amount_minor: row.amount_minor,
  balance_minor: row.balance_minor,
  order_id: row.order_id,
  order_number: orderNumber,
  recorded_by: row.recorded_by,
  recorded_at: recorded_at.toISOString(),
});

/** The card as events show it (open points D168, D169): never the code. */
export const presentCardOfEvent = (row: CardRow, zone: string): EventData["giftcard.issued"]["gift_card"] => ({
  id: row.id,
  code_last4: row.code_last4,
  initial_minor: row.initial_minor,
  balance_minor: row.balance_minor,
  currency: row.currency,
  source: row.source,
  expires_at: row.expires_on === null ? null : formatInstant(zone, lastSecondOf(row.expires_on, zone)),
  issued_at: formatInstant(zone, row.issued_at),
});
