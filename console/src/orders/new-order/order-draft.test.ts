import type { FormGroup, OrderForm } from "@comanda/contract/console/staff-orders.ts";
import { describe, expect, test } from "vitest";
import {
  addLine,
  changeDraft,
  changePhone,
  changeQuantity,
  type DraftLine,
  emptyDraft,
  fillGuest,
  isChosen,
  missingOf,
  type OrderDraft,
  offeredTypes,
  orderBody,
  toggleOption,
} from "./order-draft.ts";

const FORM: OrderForm = {
  types: ["dine_in", "delivery", "pickup"],
  tables: [{ code: "T1", name: "One", branch_id: 1 }],
  delivery_cities: [],
  categories: [],
  dishes: [],
  groups: [],
  currency: "EUR",
  zone: "Europe/Rome",
  now: "2026-11-16T18:00:00Z",
};
const line = (changes: Partial<DraftLine> = {}): DraftLine => ({ dishId: 1, sizeId: null, optionIds: [], quantity: 1, ...changes });
const group = (min_select: number, max_select: number | null): FormGroup => ({
  id: 1,
  name: { en: "Extras" },
  min_select,
  max_select,
  options: [1, 2, 3].map((id) => ({ id, name: { en: `${id}` }, price_minor: 0, is_available: true })),
});

describe("lines", () => {
  test("the same dish with the same choices is one line; other choices are another", () => {
    const twice = addLine(addLine([], line()), line({ quantity: 2 }));
    expect(twice).toEqual([line({ quantity: 3 })]);
    expect(addLine(twice, line({ optionIds: [7] }))).toHaveLength(2);
    expect(addLine(twice, line({ sizeId: 4 }))).toHaveLength(2);
  });

  test("no line has more than 99 portions, and none has fewer than one", () => {
    expect(addLine([line({ quantity: 99 })], line())).toEqual([line({ quantity: 99 })]);
    expect(changeQuantity([line()], 0, 120)).toEqual([line({ quantity: 99 })]);
    expect(changeQuantity([line(), line({ dishId: 2 })], 0, 0)).toEqual([line({ dishId: 2 })]);
  });
});

describe("choices of a group", () => {
  test("one choice replaces the other; a full group takes no more; a second tap takes it back", () => {
    expect(toggleOption([1], group(0, 1), 2)).toEqual([2]);
    expect(toggleOption([1, 2], group(0, 2), 3)).toEqual([1, 2]);
    expect(toggleOption([1, 2], group(0, null), 3)).toEqual([1, 2, 3]);
    expect(toggleOption([1, 2], group(0, 2), 1)).toEqual([2]);
  });

  test("a group that needs a choice is not done without it", () => {
    expect([isChosen([], [group(1, 1)]), isChosen([2], [group(1, 1)]), isChosen([], [group(0, 1)])]).toEqual([false, true, true]);
  });
});

describe("what is sent", () => {
  const now = Date.parse(FORM.now);

  test("each type sends its own fields, and a time on the venue's clock", () => {
    const draft = { ...emptyDraft(FORM), tableCode: "T1", street: " 5 Hill Road ", city: "Rome", lines: [line()] };
    expect(orderBody({ ...draft, time: "20:30" }, FORM.zone, now)).toMatchObject({
      type: "pickup",
      scheduled_for: "2026-11-16T19:30:00.000Z",
      customer_name: null,
    });
    expect(orderBody(draft, FORM.zone, now)).not.toHaveProperty("table_code");
    expect(orderBody({ ...draft, type: "dine_in" }, FORM.zone, now)).toMatchObject({ table_code: "T1", scheduled_for: null });
    expect(orderBody({ ...draft, type: "delivery" }, FORM.zone, now)).toMatchObject({
      delivery_address: { line1: "5 Hill Road", city: "Rome" },
    });
  });

  test("only an order for a table does without a name and a number; without tables there is no such type", () => {
    const draft = emptyDraft(FORM);
    expect(missingOf(draft)).toEqual(["missingPhone", "missingName"]);
    expect(missingOf({ ...draft, type: "dine_in" })).toEqual([]);
    expect(offeredTypes(FORM)).toEqual(["pickup", "delivery", "dine_in"]);
    expect(offeredTypes({ ...FORM, tables: [] })).toEqual(["pickup", "delivery"]);
  });
});

describe("the try to place it", () => {
  const draft = { ...emptyDraft(FORM), name: "Ada", lines: [line()] };
  const sent = { idempotencyKey: "one", body: orderBody(draft, FORM.zone, Date.parse(FORM.now)) };
  const tried = changeDraft(draft, { sent });

  test("stays with the draft, also when a field gets the text that it has", () => {
    expect(tried.sent).toBe(sent);
    expect(changeDraft(tried, { name: "Ada" }).sent).toBe(sent);
    expect(changeDraft(tried, () => ({})).sent).toBe(sent);
  });

  test("stays when its guest becomes known by it, and ends with another number", () => {
    const known = { name: "Ada Lovelace", phone: "+49 170 5550199", visits_count: 1, last_visit_at: null, delivery_address: null };
    expect(changeDraft(tried, (present) => fillGuest(present, known))).toBe(tried);
    expect(changeDraft(tried, (present) => changePhone(present, "555 0002")).sent).toBeNull();
  });

  test("ends with a change of the draft", () => {
    expect(changeDraft(tried, { name: "Grace" }).sent).toBeNull();
    expect(changeDraft(tried, ({ lines }) => ({ lines: addLine(lines, line()) })).sent).toBeNull();
    expect(changeDraft(tried, { sent: null }).sent).toBeNull();
  });
});

describe("a guest who is known", () => {
  const guest = (name: string, line1?: string, phone = "555 0001") => ({
    name,
    phone,
    visits_count: 1,
    last_visit_at: null,
    delivery_address: line1 === undefined ? null : { line1, city: "Rome", phone: "555 0001" },
  });
  const textsOf = ({ phone, name, street, city }: OrderDraft) => [phone, name, street, city];
  const ofAda = changeDraft(
    changeDraft(emptyDraft(FORM), (draft) => changePhone(draft, "555 0001")),
    (draft) => fillGuest(draft, guest("Ada", "1 Way")),
  );

  test("is replaced by the guest of the corrected number, and gone while that one is looked up", () => {
    expect(textsOf(ofAda)).toEqual(["555 0001", "Ada", "1 Way", "Rome"]);
    const corrected = changeDraft(ofAda, (draft) => changePhone(draft, "555 0002"));
    expect(textsOf(corrected)).toEqual(["555 0002", "", "", ""]);
    expect(textsOf(changeDraft(corrected, (draft) => fillGuest(draft, guest("Bea"))))).toEqual(["555 0002", "Bea", "", ""]);
  });

  test("the number of the profile is sent when it was typed without its country code, until another one is typed", () => {
    const sentPhone = (draft: OrderDraft) => orderBody(draft, FORM.zone, Date.parse(FORM.now)).customer_phone;
    const local = changeDraft(emptyDraft(FORM), (draft) => ({ ...changePhone(draft, "0170 5550199"), name: "Typed" }));
    const known = changeDraft(local, (draft) => fillGuest(draft, guest("Ada", undefined, "+49 170 5550199")));
    expect([sentPhone(local), sentPhone(known)]).toEqual(["0170 5550199", "+49 170 5550199"]);
    expect(sentPhone(changeDraft(known, (draft) => changePhone(draft, "0170 5550100")))).toBe("0170 5550100");
  });

  test("what was typed stays", () => {
    const typed = changeDraft(ofAda, { name: "Ada's brother", street: "2 Way" });
    const corrected = changeDraft(typed, (draft) => changePhone(draft, "555 0002"));
    const filled = changeDraft(corrected, (draft) => fillGuest(draft, guest("Bea", "3 Way")));
    expect(textsOf(filled)).toEqual(["555 0002", "Ada's brother", "2 Way", "Rome"]);
  });

  test("the same number in other digits or with a space is the same guest, and is sent with the digits 0 to 9", () => {
    const same = changeDraft(ofAda, (draft) => changePhone(draft, "٥٥٥ ٠٠٠١ "));
    expect(same.name).toBe("Ada");
    expect(orderBody(same, FORM.zone, Date.parse(FORM.now)).customer_phone).toBe("555 0001");
  });
});
