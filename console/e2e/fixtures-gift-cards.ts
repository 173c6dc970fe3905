/** Fixtures: cards of every status, and the ledger of one. */
import type { GiftCardDesk, GiftCardLedger, GiftCardState, ListedGiftCard } from "@comanda/contract/console/gift-cards.ts";
import { ago, DAY, HOUR } from "./fixture-times.ts";

export const cardDesk: GiftCardDesk = { currency: "EUR", today: "2026-11-18", zone: "Europe/Rome" };

export const cardState: GiftCardState = {
  id: 1025,
  code_last4: "7QXM",
  currency: "EUR",
  initial_minor: 5000,
  balance_minor: 3150,
  status: "active",
  source: "sale",
  expires_on: "2029-11-18",
  issued_by: "Max",
  issued_at: ago(9 * DAY),
};

export const foundCards: ListedGiftCard[] = [
  { ...cardState, guest: { id: 2049, name: "Layla Haddad" } },
  {
    ...cardState,
    id: 2049,
    code_last4: "0K3T",
    balance_minor: 10_000,
    initial_minor: 10_000,
    status: "frozen",
    guest: { id: 3073, name: "ليلى حداد" },
  },
  { ...cardState, id: 3073, code_last4: "ZZ81", balance_minor: 0, status: "expired", expires_on: "2026-10-31", guest: null },
  {
    ...cardState,
    id: 4097,
    code_last4: "4WQ2",
    expires_on: null,
    source: "staff",
    guest: { id: 4097, name: "Bartholomew Featherstonehaugh-Cholmondeley" },
  },
];

const step = { actor_kind: "staff" as const, before: null, after: null };

export const cardLedger: GiftCardLedger = {
  card: cardState,
  guest: { id: 2049, name: "Layla Haddad" },
  message: "Happy birthday, with love from all of us",
  entries: [
    {
      id: 4,
      kind: "adjust",
      amount_minor: -50,
      balance_minor: 3150,
      order_id: null,
      order_number: null,
      recorded_by: "Nina Ferrari",
      recorded_at: ago(HOUR),
    },
    {
      id: 3,
      kind: "refund",
      amount_minor: 400,
      balance_minor: 3200,
      order_id: "01930000-0000-7000-8000-000000000001",
      order_number: 42,
      recorded_by: "Max",
      recorded_at: ago(2 * DAY),
    },
    {
      id: 2,
      kind: "redeem",
      amount_minor: -2200,
      balance_minor: 2800,
      order_id: "01930000-0000-7000-8000-000000000001",
      order_number: 42,
      recorded_by: "سامي",
      recorded_at: ago(3 * DAY),
    },
    {
      id: 1,
      kind: "issue",
      amount_minor: 5000,
      balance_minor: 5000,
      order_id: null,
      order_number: null,
      recorded_by: "Max",
      recorded_at: ago(9 * DAY),
    },
  ],
  is_cut: false,
  steps: [
    { ...step, id: 13, at: ago(HOUR), actor_name: "Nina Ferrari", action: "gift_card.adjusted", reason: "Sold for too much" },
    { ...step, id: 12, at: ago(4 * HOUR), actor_name: "Nina Ferrari", action: "gift_card.unfrozen", reason: null },
    { ...step, id: 11, at: ago(5 * HOUR), actor_name: "Max", action: "gift_card.frozen", reason: null },
  ],
  zone: "Europe/Rome",
};
