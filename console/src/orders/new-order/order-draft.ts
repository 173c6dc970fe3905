/** The order that is being taken: what was typed and chosen so far. */
import type { FormDish, FormGroup, KnownGuest, OrderForm } from "@comanda/contract/console/staff-orders.ts";
import { latinDigits } from "@comanda/contract/digits.ts";
import type { OrderType } from "@comanda/contract/venue/orders.ts";
import type { CallInput, KeyedCallInput } from "#kit/api.ts";
import { nextTime } from "#kit/next-time.ts";

export const QUANTITY_MAX = 99;
const LINES_MAX = 100;

export type DraftLine = { dishId: number; sizeId: number | null; optionIds: readonly number[]; quantity: number };

export type OrderDraft = {
  type: OrderType;
  tableCode: string;
  phone: string;
  name: string;
  street: string;
  city: string;
  /** HH:MM on the venue's clock; empty for as soon as possible. */
  time: string;
  note: string;
  lines: readonly DraftLine[];
  /** What came from the guest's profile. A field that still has this text was not typed. */
  filled: GuestTexts;
  /** The last try to place it. A repetition sends the same, so that a lost answer does not make a second order. */
  sent: SentOrder | null;
};

/** The phone number as the guest's profile has it, which may have been typed without its country code. */
type GuestTexts = { name: string; street: string; city: string; phone: string };
export type SentOrder = { body: OrderBody; idempotencyKey: string };

/** A change may depend on the draft: two taps can come before the page is drawn. */
export type DraftChange = Partial<OrderDraft> | ((draft: OrderDraft) => Partial<OrderDraft>);

/** Another order needs another key: a change ends the last try. */
export const changeDraft = (draft: OrderDraft, change: DraftChange): OrderDraft => {
  const given = typeof change === "function" ? change(draft) : change;
  const changed = { ...draft, ...given };
  const isSame = (Object.keys(given) as (keyof OrderDraft)[]).every((name) => changed[name] === draft[name]);
  return isSame ? draft : { ...changed, sent: given.sent ?? null };
};

const NO_TEXTS: GuestTexts = { name: "", street: "", city: "", phone: "" };

/**
 * Fills in what is known of a guest. What was typed is never replaced; what was filled in for another number is. An order without an answer
 * stays as it was sent: the order itself makes its guest known, and another one would be a second order.
 */
export const fillGuest = (draft: OrderDraft, guest: KnownGuest | null): Partial<OrderDraft> => {
  const { name, street, city, filled, sent } = draft;
  if (guest && sent) return {};
  const isNameTyped = name !== "" && name !== filled.name;
  const isAddressTyped = (street !== "" || city !== "") && (street !== filled.street || city !== filled.city);
  const address = guest?.delivery_address;
  const given: GuestTexts = { name: guest?.name ?? "", street: address?.line1 ?? "", city: address?.city ?? "", phone: guest?.phone ?? "" };
  const texts = {
    name: isNameTyped ? name : given.name,
    ...(isAddressTyped ? { street, city } : { street: given.street, city: given.city }),
  };
  const isSame = texts.name === name && texts.street === street && texts.city === city && filled.phone === given.phone;
  return isSame ? {} : { ...texts, filled: given };
};

/** The name of one guest must not go with the number of another, also while the next one is looked up. */
export const changePhone = (draft: OrderDraft, phone: string): Partial<OrderDraft> =>
  phoneOf({ phone }) === phoneOf(draft) ? { phone } : { ...fillGuest(draft, null), phone };

/** The number as it is looked up and stored. */
export const phoneOf = ({ phone }: Pick<OrderDraft, "phone">): string => latinDigits(phone.trim());

const TYPES_BY_USE: readonly OrderType[] = ["pickup", "delivery", "dine_in"];

/** The types that the venue offers, in the order in which staff need them. */
export const offeredTypes = ({ types, tables }: OrderForm): OrderType[] =>
  TYPES_BY_USE.filter((type) => types.includes(type) && (type !== "dine_in" || tables.length > 0));

export const emptyDraft = (form: OrderForm): OrderDraft => ({
  type: offeredTypes(form)[0] ?? "pickup",
  tableCode: "",
  phone: "",
  name: "",
  street: "",
  city: "",
  time: "",
  note: "",
  lines: [],
  filled: NO_TEXTS,
  sent: null,
});

/** No two lines have the same dish with the same choices. */
export const lineKey = ({ dishId, sizeId, optionIds }: DraftLine): string =>
  `${dishId} ${sizeId} ${optionIds.toSorted((a, b) => a - b).join()}`;

export const addLine = (lines: readonly DraftLine[], added: DraftLine): readonly DraftLine[] => {
  const place = lines.findIndex((line) => lineKey(line) === lineKey(added));
  if (place >= 0) return changeQuantity(lines, place, (lines[place]?.quantity ?? 0) + added.quantity);
  return lines.length < LINES_MAX ? [...lines, added] : lines;
};

/** A quantity of none removes the line. */
export const changeQuantity = (lines: readonly DraftLine[], place: number, quantity: number): readonly DraftLine[] =>
  lines.flatMap((line, index) => {
    if (index !== place) return [line];
    return quantity <= 0 ? [] : [{ ...line, quantity: Math.min(QUANTITY_MAX, quantity) }];
  });

export const groupsOf = ({ group_ids }: FormDish, groups: readonly FormGroup[]): FormGroup[] =>
  group_ids.flatMap((id) => groups.filter((group) => group.id === id));

/** A group of one choice replaces it; at the limit of a larger group a further choice is not taken. */
export const toggleOption = (chosen: readonly number[], { options, max_select }: FormGroup, id: number): readonly number[] => {
  if (chosen.includes(id)) return chosen.filter((one) => one !== id);
  const ofGroup = chosen.filter((one) => options.some((option) => option.id === one));
  if (max_select === 1) return [...chosen.filter((one) => !ofGroup.includes(one)), id];
  return max_select !== null && ofGroup.length >= max_select ? chosen : [...chosen, id];
};

/** Whether every group has as many choices as it needs. */
export const isChosen = (chosen: readonly number[], groups: readonly FormGroup[]): boolean =>
  groups.every(({ options, min_select }) => options.filter(({ id }) => chosen.includes(id)).length >= min_select);

type QuoteBody = CallInput<"quoteStaffOrder">["body"];
type OrderBody = KeyedCallInput<"placeStaffOrder">["body"];

/** What the price depends on. */
export const quoteBody = (draft: OrderDraft, zone: string, now: number): QuoteBody => ({
  type: draft.type,
  ...(draft.type === "dine_in" ? { table_code: draft.tableCode || null } : {}),
  ...(draft.type === "delivery" ? { delivery_address: { line1: draft.street.trim(), city: draft.city.trim() } } : {}),
  scheduled_for: draft.time === "" ? null : nextTime(draft.time, zone, now),
  lines: draft.lines.map(({ dishId, sizeId, optionIds, quantity }) => ({
    item_id: dishId,
    ...(sizeId === null ? {} : { variant_id: sizeId }),
    quantity,
    option_ids: [...optionIds],
  })),
});

export const orderBody = (draft: OrderDraft, zone: string, now: number): OrderBody => ({
  ...quoteBody(draft, zone, now),
  customer_name: draft.name.trim() || null,
  customer_phone: draft.filled.phone || phoneOf(draft) || null,
  note: draft.note.trim() || null,
});

/** A guest who does not sit at a table needs a name and a phone number. */
export const missingOf = ({ type, name, phone }: OrderDraft): ("missingPhone" | "missingName")[] =>
  type === "dine_in"
    ? []
    : [...(phone.trim() === "" ? (["missingPhone"] as const) : []), ...(name.trim() === "" ? (["missingName"] as const) : [])];
