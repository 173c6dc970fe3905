/** Gift cards: sold or given out, looked up by code, found, frozen, corrected. Orders are paid with them on the orders board. */
import { type Static, Type } from "typebox";
import { Currency, Id, Literals, Minor, MinorWithin, Nullable, PRICE_MAX } from "../shared.ts";
import { type ConsoleOperation, Data, Instant, Rows } from "./operation.ts";
import { OrderStep } from "./orders.ts";

export const GIFT_CARD_STATUSES = ["active", "frozen", "expired"] as const;
export type GiftCardStatus = (typeof GIFT_CARD_STATUSES)[number];
export const GIFT_CARD_ENTRY_KINDS = ["issue", "redeem", "refund", "expire", "adjust"] as const;
export type GiftCardEntryKind = (typeof GIFT_CARD_ENTRY_KINDS)[number];

const Reason = Type.String({ minLength: 3, maxLength: 200, pattern: "\\S" });
const Code = Type.String({ minLength: 1, maxLength: 60 });
const CardAmount = MinorWithin({ minimum: 1, maximum: PRICE_MAX });

/** The card without personal data: answers of writes are stored for repeated requests. */
export const GiftCardState = Type.Object({
  id: Id,
  code_last4: Type.String(),
  currency: Currency,
  initial_minor: Minor,
  balance_minor: Minor,
  status: Literals(GIFT_CARD_STATUSES),
  source: Literals(["sale", "staff"]),
  /** The last day on which it can be used, on the venue's clock. Null: it does not expire. */
  expires_on: Nullable(Type.String({ format: "date" })),
  issued_by: Type.String(),
  issued_at: Instant,
});
export type GiftCardState = Static<typeof GiftCardState>;

const CardGuest = Nullable(Type.Object({ id: Id, name: Type.String() }));

export const ListedGiftCard = Type.Object({ ...GiftCardState.properties, guest: CardGuest });
export type ListedGiftCard = Static<typeof ListedGiftCard>;

export const GiftCardEntry = Type.Object({
  id: Id,
  kind: Literals(GIFT_CARD_ENTRY_KINDS),
  /** Negative for what left the card. */
  amount_minor: MinorWithin({ minimum: -PRICE_MAX, maximum: PRICE_MAX }),
  balance_minor: Minor,
  order_id: Nullable(Type.String()),
  order_number: Nullable(Type.Integer({ minimum: 1 })),
  recorded_by: Type.String(),
  recorded_at: Instant,
});
export type GiftCardEntry = Static<typeof GiftCardEntry>;

/** The newest entries and steps come first. */
export const GiftCardLedger = Type.Object({
  card: GiftCardState,
  guest: CardGuest,
  message: Nullable(Type.String()),
  entries: Type.Array(GiftCardEntry),
  /** Older entries exist. */
  is_cut: Type.Boolean(),
  steps: Type.Array(OrderStep),
  zone: Type.String(),
});
export type GiftCardLedger = Static<typeof GiftCardLedger>;

/** What the page needs to sell a card. `today` is on the venue's clock. */
export const GiftCardDesk = Type.Object({ currency: Currency, today: Type.String({ format: "date" }), zone: Type.String() });
export type GiftCardDesk = Static<typeof GiftCardDesk>;

/**
 * The page draws the code, so that it is in no answer that is stored, and a repeated request issues one card. The refusal of a code that
 * another card has reveals that it exists: calls with a new code share the limit of those that try one.
 */
const NewGiftCard = {
  code: Code,
  amount_minor: CardAmount,
  expires_on: Nullable(Type.String({ format: "date" })),
  guest_id: Nullable(Id),
  message: Nullable(Type.String({ minLength: 1, maxLength: 200, pattern: "\\S" })),
};

const CARDS_PATH = "/venues/{venue}/gift-cards" as const;
const CARD_PATH = `${CARDS_PATH}/{id}` as const;

export const giftCardOperations = {
  readGiftCardDesk: {
    method: "GET",
    path: "/venues/{venue}/gift-card-desk",
    who: "staff",
    isService: true,
    success: { status: 200, body: Data(GiftCardDesk) },
  },
  /** Records what was paid for the card too. 422 `code` when it is no code, or another card has it. */
  sellGiftCard: {
    method: "POST",
    path: CARDS_PATH,
    who: "staff",
    isService: true,
    isIdempotent: true,
    triesCodes: true,
    body: Type.Object({ ...NewGiftCard, method: Literals(["cash", "card_terminal", "other"]) }),
    success: { status: 201, body: Data(GiftCardState) },
  },
  /** Without payment, for instance after a complaint. */
  giveGiftCard: {
    method: "POST",
    path: `${CARDS_PATH}/given`,
    who: "manager",
    isService: true,
    isIdempotent: true,
    triesCodes: true,
    body: Type.Object({ ...NewGiftCard, reason: Reason }),
    success: { status: 201, body: Data(GiftCardState) },
  },
  /** The code is in the body, because addresses are logged. An unknown, a mistyped and another venue's code get the same answer. */
  lookUpGiftCard: {
    method: "POST",
    path: `${CARDS_PATH}/look-up`,
    who: "staff",
    isService: true,
    finishesOrders: true,
    triesCodes: true,
    body: Type.Object({ code: Code }),
    success: { status: 200, body: Data(GiftCardState) },
  },
  /**
   * Searches by the last four characters of the code, or by the guest's name or number; `guest` restricts it to one guest. The newest come
   * first.
   */
  findGiftCards: {
    method: "GET",
    path: CARDS_PATH,
    who: "manager",
    isService: true,
    perMinute: 120,
    query: Type.Object({
      search: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
      guest: Type.Optional(Id),
      before: Type.Optional(Type.Integer({ minimum: 1 })),
      rows: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
    }),
    success: { status: 200, body: Rows(ListedGiftCard) },
  },
  readGiftCard: { method: "GET", path: CARD_PATH, who: "manager", isService: true, success: { status: 200, body: Data(GiftCardLedger) } },
  /** 409 `state_changed` when the card no longer has the status that the page saw. An expired card cannot be changed. */
  setGiftCardStatus: {
    method: "PUT",
    path: `${CARD_PATH}/status`,
    who: "manager",
    isService: true,
    isIdempotent: true,
    body: Type.Object({
      seen_status: Literals(GIFT_CARD_STATUSES),
      status: Literals(["active", "frozen"]),
      reason: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
    }),
    success: { status: 200, body: Data(GiftCardState) },
  },
  /** A correction, up or down. 409 `state_changed` when the balance is not the one that the page saw. */
  adjustGiftCard: {
    method: "POST",
    path: `${CARD_PATH}/adjustments`,
    who: "manager",
    isService: true,
    isIdempotent: true,
    body: Type.Object({
      seen_balance_minor: Minor,
      amount_minor: MinorWithin({ minimum: -PRICE_MAX, maximum: PRICE_MAX }),
      reason: Reason,
    }),
    success: { status: 201, body: Data(GiftCardState) },
  },
  /** Replaces the code of a lost card. 409 `state_changed` when the code is not the one that the page saw. */
  replaceGiftCardCode: {
    method: "PUT",
    path: `${CARD_PATH}/code`,
    who: "manager",
    isService: true,
    isIdempotent: true,
    triesCodes: true,
    body: Type.Object({ seen_last4: Type.String({ minLength: 4, maxLength: 4 }), code: Code }),
    success: { status: 200, body: Data(GiftCardState) },
  },
} as const satisfies Record<string, ConsoleOperation>;
