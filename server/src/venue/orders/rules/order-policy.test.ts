/** The owner's ordering rules, the filters of the list and the moves of an order, as tables. */
import { type NewOrder, ORDER_STATUSES, type OrderStatus } from "@comanda/contract/venue/orders.ts";
import type { Hours } from "@comanda/contract/venue-file/opening-hours.ts";
import type { OrderingRules } from "@comanda/contract/venue-file/ordering-rules.ts";
import { describe, expect, test } from "vitest";
import { sentencesOf } from "#lib/errors.ts";
import { parseOrderFilter } from "./filters.ts";
import { decideDelivery, decideTiming, isTiming, minimumError, pauseError, tableError, typeError } from "./order-policy.ts";
import { orderErrors } from "./refusals.ts";
import { canMove, kitchenStep, releasedState } from "./transitions.ts";

const RULES: OrderingRules = {
  types: [
    { type: "pickup", minimum_minor: 500 },
    { type: "delivery", minimum_minor: 1500 },
  ],
  schedule_days_max: 30,
  delivery_fee_minor: 300,
  delivery_zones: [
    { name: "Near", cities: ["Près-du-Labo", "São Paulo", "İstanbul"], fee_minor: 200, minimum_minor: null },
    { name: "Far", cities: ["Farville", "près-du-labo"], fee_minor: 0, minimum_minor: 3000 },
    { name: "Free", cities: ["Freetown"], fee_minor: 500, minimum_minor: 0 },
  ],
};

const order = (changes: Partial<NewOrder> = {}): NewOrder => ({
  type: "pickup",
  customer_name: "Ada",
  customer_phone: "+1 555 0100",
  lines: [{ item_id: 1, quantity: 1 }],
  ...changes,
});

describe("when an order is for", () => {
  const CLOSED = (day: string) => `The restaurant is closed at that time: it opens next at ${day}T18:00:00+01:00.`;
  const EVENINGS: Hours = [{ days: ["mon", "tue", "wed", "thu", "fri", "sat"], from: "18:00", to: "23:00" }];
  const evenings = { zone: "Europe/Rome", hours: EVENINGS, closingDays: ["2026-11-16"] };
  // Saturday 14 November 2026, 13:00 and a half second in Rome.
  const noon = new Date("2026-11-14T12:00:00.500Z");
  const decide = (wanted: string | null | undefined, now = noon, hours: Hours | null = EVENINGS, days = 30) => {
    const rules = { ...RULES, schedule_days_max: days };
    const decided = decideTiming({ type: "pickup", scheduled_for: wanted ?? null }, { ...evenings, hours }, rules, now);
    if (!isTiming(decided)) return sentencesOf(orderErrors(decided)).scheduled_for?.[0];
    expect(decided.moment).toEqual(decided.scheduled_for ?? now);
    return [decided.scheduled_for, decided.held_until].map((instant) => instant?.toISOString() ?? null);
  };

  test("D94 without a time: at once when open, held until the next opening when not, refused when there is none", () => {
    for (const none of [null, undefined]) {
      expect(decide(none, new Date("2026-11-14T17:00:00Z"))).toEqual([null, null]);
      expect(decide(none)).toEqual(["2026-11-14T17:00:00.000Z", "2026-11-14T17:00:00.000Z"]);
      // Sunday has no hours, Monday is a closing day.
      expect(decide(none, new Date("2026-11-14T22:00:00Z"))).toEqual(["2026-11-17T17:00:00.000Z", "2026-11-17T17:00:00.000Z"]);
      expect(decide(none, noon, null)).toEqual([null, null]);
      expect(decide(none, noon, [])).toBe("The restaurant does not open within the next two weeks.");
    }
  });

  test("D93 a chosen time must be one of the opening hours, not past, and within the owner's horizon", () => {
    // Held until the kitchen has to begin, which is not before the opening.
    expect(decide("2026-11-14T18:00:00+01:00")).toEqual(["2026-11-14T17:00:00.000Z", "2026-11-14T17:00:00.000Z"]);
    expect(decide("2026-11-14T18:10:00+01:00")).toEqual(["2026-11-14T17:10:00.000Z", "2026-11-14T17:00:00.000Z"]);
    expect(decide("2026-11-14T17:59:59+01:00")).toBe(CLOSED("2026-11-14"));
    expect(decide("2026-11-14T22:59:59+01:00")).toEqual(["2026-11-14T21:59:59.000Z", "2026-11-14T21:39:59.000Z"]);
    expect(decide("2026-11-14T23:00:00+01:00")).toBe(CLOSED("2026-11-17"));
    expect(decide("2026-11-16T19:00:00+01:00")).toBe(CLOSED("2026-11-17"));
    expect(decide("2026-11-17T19:00:00.75+01:00")).toEqual(["2026-11-17T18:00:00.000Z", "2026-11-17T17:40:00.000Z"]);
    expect(decide("2026-11-14T19:00:00")).toBe("Must be a date-time with an offset, such as 2026-11-14T19:30:00+01:00.");
    expect(decide("2026-11-31T19:00:00Z")).toBe("Must be a date-time with an offset, such as 2026-11-14T19:30:00+01:00.");
  });

  test("D93 both ends of the time to choose from: the second that runs is not past, the last moment of the horizon is inside", () => {
    expect(decide("2026-11-14T12:00:00Z", noon, null)).toEqual(["2026-11-14T12:00:00.000Z", null]);
    expect(decide("2026-11-14T11:59:59Z", noon, null)).toBe("Lies in the past: it is 2026-11-14T13:00:00+01:00 there.");
    expect(decide("2026-12-14T12:00:00Z", noon, null)).toEqual(["2026-12-14T12:00:00.000Z", "2026-12-14T11:40:00.000Z"]);
    expect(decide("2026-12-14T12:00:01Z", noon, null)).toBe("Is more than 30 days ahead.");
    expect(decide("2026-11-14T12:00:01Z", noon, null, 0)).toBe("Is more than 0 days ahead.");
  });
});

describe("how long an order takes", () => {
  const always = { zone: "Europe/Rome", hours: null, closingDays: [] };
  const now = new Date("2026-11-14T12:00:00Z");
  const promised = (wanted: Pick<NewOrder, "type" | "scheduled_for">, rules: Partial<OrderingRules> = {}) => {
    const decided = decideTiming(wanted, always, { ...RULES, ...rules }, now);
    return isTiming(decided) ? [decided.promised_at, decided.held_until].map((instant) => instant?.toISOString().slice(11, 16)) : decided;
  };

  test("an order for now is promised for the end of its preparation, which the owner may set for each type", () => {
    expect(promised({ type: "pickup" })).toEqual(["12:20", undefined]);
    expect(promised({ type: "delivery" })).toEqual(["12:40", undefined]);
    expect(promised({ type: "dine_in" })).toEqual(["12:15", undefined]);
    const types = [{ type: "pickup" as const, minimum_minor: 0, preparation_minutes: 5 }];
    expect(promised({ type: "pickup" }, { types })).toEqual(["12:05", undefined]);
  });

  test("an order for later is held until preparation has to begin; one that is nearly due is not held", () => {
    expect(promised({ type: "pickup", scheduled_for: "2026-11-14T13:00:00Z" })).toEqual(["13:00", "12:40"]);
    expect(promised({ type: "pickup", scheduled_for: "2026-11-14T12:20:00Z" })).toEqual(["12:20", undefined]);
    expect(promised({ type: "pickup", scheduled_for: "2026-11-14T12:10:00Z" })).toEqual(["12:10", undefined]);
  });

  test("busy: orders for a moment before its end take longer, and a chosen time keeps its promise", () => {
    const loads = [{ type: "pickup" as const, paused_until: null, busy_until: "2026-11-14T12:30:00Z", extra_minutes: 10 }];
    const busy = (wanted: Pick<NewOrder, "type" | "scheduled_for">, hours: Hours | null = null) => {
      const decided = decideTiming(wanted, { ...always, hours }, { ...RULES, loads }, now);
      return isTiming(decided) ? [decided.promised_at, decided.held_until].map((instant) => instant?.toISOString().slice(11, 16)) : decided;
    };
    expect(busy({ type: "pickup" })).toEqual(["12:30", undefined]);
    expect(busy({ type: "delivery" })).toEqual(["12:40", undefined]);
    expect(busy({ type: "pickup", scheduled_for: "2026-11-14T12:30:00Z" })).toEqual(["12:30", "12:10"]);
    const evening: Hours = [{ days: ["sat"], from: "13:15", to: "23:00" }];
    // Held until the opening at 12:15 UTC.
    expect(busy({ type: "pickup" }, evening)).toEqual(["12:45", "12:15"]);
  });

  test("held tickets are queued for an order that waits, fired for an accepted one, withdrawn for a closed one", () => {
    expect(ORDER_STATUSES.map((status) => releasedState(status))).toEqual([
      "queued",
      "fired",
      "withdrawn",
      "withdrawn",
      "withdrawn",
      "withdrawn",
    ]);
  });
});

describe("who offers what", () => {
  test("D86 a type that is not offered is refused", () => {
    expect(typeError(order(), RULES)).toEqual({});
    expect(Object.keys(typeError(order({ type: "dine_in" }), RULES))).toEqual(["type"]);
    expect(Object.keys(typeError(order(), { ...RULES, types: [] }))).toEqual(["type"]);
  });

  test("D200 a pause is judged by the moment the order is for, and says its end on the venue's clock", () => {
    const loads = [{ type: "pickup" as const, paused_until: "2026-11-14T12:30:00Z", busy_until: null, extra_minutes: null }];
    const clock = { zone: "Europe/Rome", now: new Date("2026-11-14T12:00:00Z") };
    const refused = (type: NewOrder["type"], moment: string) =>
      sentencesOf(orderErrors(pauseError(order({ type }), loads, new Date(moment), clock))).type;
    expect(refused("pickup", "2026-11-14T12:29:59.999Z")).toEqual(["Pickup orders are paused until 13:30."]);
    expect(refused("pickup", "2026-11-14T12:30:00Z")).toBeUndefined();
    expect(refused("delivery", "2026-11-14T12:00:00Z")).toBeUndefined();
  });

  test("D91 only dine-in needs a table, and one that is there", () => {
    const table = { id: 1, name: "One", code: "T1", branch_id: 1 };
    expect(tableError(order({ type: "dine_in", table_code: "T1" }), table)).toEqual({});
    expect(sentencesOf(orderErrors(tableError(order({ type: "dine_in", table_code: "T2" }), null)))).toEqual({
      table_code: ["There is no table with this code: GET /restaurant lists them."],
    });
    for (const table_code of ["", null])
      expect(sentencesOf(orderErrors(tableError(order({ type: "dine_in", table_code }), null)))).toEqual({
        table_code: ["Is required for a dine-in order: GET /restaurant lists the codes of the tables."],
      });
    expect(Object.keys(tableError(order({ type: "dine_in" }), null))).toEqual(["table_code"]);
    for (const type of ["pickup", "delivery"] as const) expect(tableError(order({ type, table_code: "nowhere" }), null)).toEqual({});
  });

  test("D87 the minimum is compared with the subtotal, and is enough", () => {
    const delivery = { address: null, feeMinor: 0, minimumMinor: 1500 };
    expect(minimumError(1500, delivery)).toEqual({});
    expect(sentencesOf(orderErrors(minimumError(1499, delivery)))).toEqual({
      lines: ["The order must come to at least 1500 in minor units; its dishes come to 1499."],
    });
    expect(minimumError(0, { ...delivery, minimumMinor: 0 })).toEqual({});
  });
});

describe("where an order goes", () => {
  const deliver = (city: string, rules = RULES) =>
    decideDelivery(order({ type: "delivery", delivery_address: { line1: "1 Test Street", city } }), rules);

  test("D88 D89 D87 a city is found whatever its case, accents and edges; the first zone that has it sets fee and minimum", () => {
    const found = (city: string) => {
      const { delivery, errors } = deliver(city);
      expect(errors).toEqual({});
      return [delivery.feeMinor, delivery.minimumMinor];
    };
    const near = ["Près-du-Labo", "pres-du-labo", "PRÈS-DU-LABO", " Pre\u0300s-du-Labo ", "sao paulo", "SÃO PAULO", "istanbul", "ISTANBUL"];
    for (const city of near) expect(found(city), city).toEqual([200, 1500]);
    expect(found("farville")).toEqual([0, 3000]);
    expect(found("Freetown")).toEqual([500, 0]);
    for (const city of ["Elsewhere", "Far", "Farvill", "Far ville", "Sao-Paulo", "Near"])
      expect(sentencesOf(orderErrors(deliver(city).errors)), city).toEqual({
        "delivery_address.city": [
          expect.stringMatching(/^The restaurant does not deliver there: it delivers to Près-du-Labo, São Paulo, .* Freetown\.$/),
        ],
      });
  });

  test("D88 D89 without zones the restaurant delivers everywhere, at the flat fee and the minimum of the type", () => {
    const { delivery, errors } = deliver("Anywhere", { ...RULES, delivery_zones: [] });
    expect([delivery.feeMinor, delivery.minimumMinor, errors]).toEqual([300, 1500, {}]);
    expect(deliver("Anywhere", { ...RULES, delivery_zones: [], types: [] }).delivery.minimumMinor).toBe(0);
  });

  test("D90 a delivery needs an address with a street and a city; the phone falls back to the customer's", () => {
    const lineErrors = (delivery_address: NonNullable<NewOrder["delivery_address"]> | null) =>
      Object.keys(decideDelivery(order({ type: "delivery", delivery_address }), RULES).errors);
    expect(Object.keys(decideDelivery(order({ type: "delivery" }), RULES).errors)).toEqual(["delivery_address"]);
    expect(lineErrors(null)).toEqual(["delivery_address"]);
    expect(lineErrors({})).toEqual(["delivery_address.line1", "delivery_address.city"]);
    expect(lineErrors({ line1: "", city: "Farville" })).toEqual(["delivery_address.line1"]);
    expect(lineErrors({ line1: "1 Test Street", city: "" })).toEqual(["delivery_address.city"]);
    const phoneOf = (phone: string | undefined) =>
      decideDelivery(
        order({ type: "delivery", delivery_address: { line1: "1", city: "Farville", ...(phone === undefined ? {} : { phone }) } }),
        RULES,
      ).delivery.address?.phone;
    expect([phoneOf("+39 06"), phoneOf(undefined), phoneOf("")]).toEqual(["+39 06", "+1 555 0100", "+1 555 0100"]);
  });

  test("D89 D90 any other type has no address and no fee, whatever was sent", () => {
    for (const [type, minimumMinor] of [
      ["pickup", 500],
      ["dine_in", 0],
    ] as const)
      expect(decideDelivery(order({ type, delivery_address: { line1: "1", city: "Nowhere" } }), RULES)).toEqual({
        delivery: { address: null, feeMinor: 0, minimumMinor },
        errors: {},
      });
  });
});

describe("which orders are listed", () => {
  const read = (query: Parameters<typeof parseOrderFilter>[0], zone = "Europe/Rome") => parseOrderFilter(query, zone);
  const lineErrors = (query: Parameters<typeof parseOrderFilter>[0]) => Object.keys(read(query).errors);

  test("D74 a list of statuses is trimmed, its empty parts do not count, and one unknown part spoils it", () => {
    expect(read({ status: "placed" }).filter).toEqual({ statuses: ["placed"] });
    expect(read({ status: " ready , placed,,cancelled " }).filter).toEqual({ statuses: ["ready", "placed", "cancelled"] });
    for (const status of ["", ",", " , ,"]) expect(read({ status })).toEqual({ filter: {}, errors: {} });
    for (const status of ["Placed", "placed,paid", "placed;ready", "placed ready"])
      expect(lineErrors({ status }), status).toEqual(["status"]);
  });

  test("D75 type and channel pass as they are", () => {
    expect(read({ type: "pickup", channel: "Glovo" }).filter).toEqual({ type: "pickup", channel: "Glovo" });
    expect(read({}).filter).toEqual({});
  });

  test("D76 D77 a date is a whole day on the restaurant's clock, also when it has 23 or 25 hours; a date-time is its second", () => {
    const day = (date: string) => {
      const { placedFrom, placedBefore } = read({ placed_from: date, placed_to: date }).filter;
      return [placedFrom?.toISOString(), placedBefore?.toISOString()];
    };
    expect(day("2026-11-14")).toEqual(["2026-11-13T23:00:00.000Z", "2026-11-14T23:00:00.000Z"]);
    expect(day("2027-03-28")).toEqual(["2027-03-27T23:00:00.000Z", "2027-03-28T22:00:00.000Z"]);
    expect(day("2027-10-31")).toEqual(["2027-10-30T22:00:00.000Z", "2027-10-31T23:00:00.000Z"]);
    expect(day("2026-11-14T13:05:00.9+01:00")).toEqual(["2026-11-14T12:05:00.000Z", "2026-11-14T12:05:01.000Z"]);
    expect(day("2026-11-14T13:05:00 01:00")).toEqual(["2026-11-14T12:05:00.000Z", "2026-11-14T12:05:01.000Z"]);
    expect(read({ updated_since: "2026-11-14" }).filter).toEqual({ updatedSince: new Date("2026-11-13T23:00:00Z") });
    expect(read({ updated_since: "2026-11-14T12:00:00.999z" }).filter).toEqual({ updatedSince: new Date("2026-11-14T12:00:00Z") });
    expect(read({ placed_to: "2026-11-14" }).filter).toEqual({ placedBefore: new Date("2026-11-14T23:00:00Z") });
  });

  test("D76 D02 D03 what is no date and no date-time is named; all of it at once", () => {
    for (const wrong of ["2026-02-30", "yesterday", "2026-11-14T12:00:00", "2026-11-14T24:00:00Z", "14.11.2026", "1794657600"])
      expect(lineErrors({ placed_from: wrong, placed_to: wrong, updated_since: wrong, status: "?" }).sort(), wrong).toEqual(
        ["placed_from", "placed_to", "status", "updated_since"].sort(),
      );
  });

  test("D78 a range that ends before it begins is refused on its upper end; the same day or second is a range", () => {
    const RANGES: [string, string, boolean][] = [
      ["2026-11-14", "2026-11-14", true],
      ["2026-11-14", "2026-11-13", false],
      ["2026-11-14T12:00:00Z", "2026-11-14T12:00:00Z", true],
      ["2026-11-14T12:00:00.9Z", "2026-11-14T12:00:00.1Z", true],
      ["2026-11-14T12:00:01Z", "2026-11-14T12:00:00Z", false],
      ["2026-11-14T12:00:00Z", "2026-11-14", true],
      ["2026-11-14T22:59:59Z", "2026-11-14", true],
      ["2026-11-14T23:00:00Z", "2026-11-14", false],
      ["2026-11-14", "2026-11-13T23:00:00Z", true],
      ["2026-11-14", "2026-11-13T22:59:59Z", false],
    ];
    expect(RANGES.map(([placed_from, placed_to]) => lineErrors({ placed_from, placed_to }))).toEqual(
      RANGES.map(([, , isRange]) => (isRange ? [] : ["placed_to"])),
    );
  });
});

describe("how an order moves", () => {
  const MOVES = [
    "placed accepted",
    "placed rejected",
    "placed cancelled",
    "accepted ready",
    "accepted cancelled",
    "ready completed",
    "ready cancelled",
  ];

  test("R3.1 D102 D103 of all 36 pairs exactly these seven are moves", () => {
    const pairs = ORDER_STATUSES.flatMap((from) => ORDER_STATUSES.map((to): [OrderStatus, OrderStatus] => [from, to]));
    expect(pairs).toHaveLength(36);
    expect(pairs.filter(([from, to]) => canMove(from, to)).map((pair) => pair.join(" "))).toEqual(MOVES);
  });

  test("D101 D104 what a move does to the kitchen", () => {
    expect(kitchenStep("accepted", null)).toEqual({ step: "fire" });
    expect(kitchenStep("rejected", "Too late")).toEqual({ step: "withdraw" });
    expect(kitchenStep("cancelled", null)).toEqual({ step: "withdraw" });
    expect(kitchenStep("cancelled", "Too late")).toEqual({ step: "void", reason: "Too late" });
    for (const to of ["ready", "completed"] as const) expect(kitchenStep(to, "Done")).toEqual({ step: "close" });
  });
});
