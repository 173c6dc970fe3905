/** The events of the contract: which there are, what each carries, and samples that keep to it to the letter. */
import { readdirSync, readFileSync } from "node:fs";
import { EVENT_TYPES, EVENTS, EventEnvelope, EventType, eventSchema, isSent, UNSENT_EVENTS } from "@comanda/contract/events/envelope.ts";
import { EVENT_SAMPLES } from "@comanda/contract/events/event-samples.ts";
import { openapiDocument } from "@comanda/contract/openapi/document.ts";
import { describe, expect, test } from "vitest";
import { strictCheck } from "../../../conformance/strict-schema.ts";

/** Written out a second time on purpose: a type that is renamed or lost in the table is missed here. */
const CONTRACT_TYPES = [
  "ping",
  "order.created",
  "order.status_changed",
  "order.paid",
  "reservation.created",
  "reservation.updated",
  "reservation.cancelled",
  "menu.item_updated",
  "payment.refunded",
  "guest.created",
  "guest.updated",
  "giftcard.issued",
  "giftcard.redeemed",
  "review.created",
  "stock.below_par",
  "shift.published",
  "experience.booked",
];

/** What is wrong with a body as one of this type; a member too many is a fault as well. */
const problems = Object.fromEntries(EVENT_TYPES.map((type) => [type, strictCheck(eventSchema(type))])) as Record<
  EventType,
  (body: unknown) => string[]
>;

type EventJson = { [key: string]: unknown };
type JsonPath = readonly (string | number)[];

const isObject = (value: unknown): value is EventJson => typeof value === "object" && value !== null;

/** Every member of the value at any depth. A map of languages has no members that must be there, so it is not entered. */
const membersOf = (value: unknown, path: JsonPath = []): JsonPath[] => {
  if (Array.isArray(value)) return value.flatMap((entry, index) => membersOf(entry, [...path, index]));
  if (!isObject(value) || isTranslations(value)) return [];
  return Object.entries(value).flatMap(([name, entry]) => [[...path, name], ...membersOf(entry, [...path, name])]);
};

const isTranslations = (value: EventJson): boolean => Object.keys(value).every((key) => /^[a-z]{2}$/.test(key) && key !== "id");

/** A copy in which the object that holds the path's last name was changed. */
const changedAt = (value: unknown, path: JsonPath, change: (holder: EventJson, name: string) => void): unknown => {
  const copy = structuredClone(value);
  const holder = path.slice(0, -1).reduce<unknown>((inner, name) => (inner as EventJson)[name], copy);
  change(holder as EventJson, String(path.at(-1)));
  return copy;
};

const without = (value: unknown, path: JsonPath) => changedAt(value, path, (holder, name) => delete holder[name]);
const withUnknownMember = (value: unknown, path: JsonPath) =>
  changedAt(value, path, (holder) => Object.assign(holder, { unknown_member: 1 }));

describe("R6.2-14 the contract's types, no more and no fewer", () => {
  const webhooks = openapiDocument("http://127.0.0.1:4000").webhooks as object;
  const places: Record<string, readonly string[]> = {
    "the list": EVENT_TYPES,
    "the enum of the envelope": (EventType as unknown as { enum: string[] }).enum,
    "the words for people": Object.keys(EVENTS),
    "the samples": Object.keys(EVENT_SAMPLES),
    "the webhooks of the document": Object.keys(webhooks),
  };
  for (const [place, types] of Object.entries(places))
    test(`R6.2-14 ${place}`, () => {
      expect(types).toHaveLength(CONTRACT_TYPES.length);
      expect([...types].sort()).toEqual([...CONTRACT_TYPES].sort());
    });
});

describe("which types are sent", () => {
  const SOURCES = new URL("../../src/", import.meta.url);
  /** Every type that a statement of the service emits, by the text of its sources. */
  const emittedIn = (texts: string[]): string[] =>
    [
      ...new Set(texts.flatMap((text) => [...text.matchAll(/\bemit(?:To|All)?\(\s*ctx,[^"]*?"([a-z_.]+)"/g)].map(([, type = ""]) => type))),
    ].sort();
  const sources = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => readFileSync(new URL(name, SOURCES), "utf8"));
  const expected = EVENT_TYPES.filter(isSent).sort();

  test("exactly those that the list does not call unsent", () => {
    expect(emittedIn(sources)).toEqual(expected);
    expect(expected.length + UNSENT_EVENTS.length).toBe(EVENT_TYPES.length);
  });

  test("planted: a type that is sent and not in the list, and one that is no longer sent, are found", () => {
    expect(emittedIn([...sources, 'emit(ctx, "planted.sent", { planted });'])).not.toEqual(expected);
    expect(emittedIn(sources.map((text) => text.replaceAll('"order.paid"', "type")))).not.toEqual(expected);
  });

  test("the reference marks those that are not", () => {
    const webhooks = openapiDocument("http://127.0.0.1:4000").webhooks as Record<string, { post: { description: string } }>;
    const marked = EVENT_TYPES.filter((type) => webhooks[type]?.post.description.startsWith("**Not yet sent.** "));
    expect(marked.sort()).toEqual([...UNSENT_EVENTS].sort());
  });
});

describe("the envelope", () => {
  for (const type of EVENT_TYPES)
    test(`${type} has exactly the five members, all required, and its own type`, () => {
      const { properties, required } = eventSchema(type);
      expect(Object.keys(properties)).toEqual(["id", "type", "created_at", "restaurant", "data"]);
      expect(required).toEqual(Object.keys(properties));
      expect(properties.type).toMatchObject({ const: type });
      expect(EventEnvelope.properties.restaurant.required).toEqual(["id", "slug", "currency"]);
    });
});

describe("the samples", () => {
  for (const type of EVENT_TYPES) {
    const body = EVENT_SAMPLES[type];
    const members = membersOf(body);

    test(`${type} keeps to its schema, with no member beside it`, () => {
      expect(problems[type](body)).toEqual([]);
      expect(body.type).toBe(type);
    });

    test(`${type} planted: each member taken away, and a strange one beside it, is found out`, () => {
      expect(members.length).toBeGreaterThan(8);
      const passes = (planted: unknown) => problems[type](planted).length === 0;
      expect(members.filter((path) => passes(without(body, path)))).toEqual([]);
      expect(members.filter((path) => passes(withUnknownMember(body, path)))).toEqual([]);
    });

    test(`${type} is no body of another type`, () => {
      const others = EVENT_TYPES.filter((other) => other !== type && problems[other](body).length === 0);
      expect(others).toEqual([]);
    });
  }

  test("have an id each, and ids tell their moment as those of the service do", () => {
    const bodies = Object.values(EVENT_SAMPLES);
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(bodies.length);
    for (const { id, created_at } of bodies) {
      const idMs = Number.parseInt(id.replace("-", "").slice(0, 12), 16);
      expect(Math.abs(idMs - Date.parse(created_at)), id).toBeLessThan(3000);
    }
  });
});

describe("what single types promise", () => {
  test("D158 ping carries a message", () => {
    expect(Object.keys(EVENT_SAMPLES.ping.data)).toEqual(["message"]);
  });

  test("D168 D169 a gift card shows four characters of its code and never the code", () => {
    const issued = EVENT_SAMPLES["giftcard.issued"];
    expect(Object.keys(issued.data.gift_card)).not.toContain("code");
    const whole = { ...issued, data: { gift_card: { ...issued.data.gift_card, code_last4: "4KTB-7QXM" } } };
    expect(problems["giftcard.issued"](whole)).not.toEqual([]);
    const { gift_card, redemption } = EVENT_SAMPLES["giftcard.redeemed"].data;
    expect(gift_card.balance_minor).toBe(gift_card.initial_minor - redemption.amount_minor);
  });

  test("D170 a rating is 1 to 5, and a review may come without words, order, booking or name", () => {
    const { review } = EVENT_SAMPLES["review.created"].data;
    const judged = (changes: object) =>
      problems["review.created"]({ ...EVENT_SAMPLES["review.created"], data: { review: { ...review, ...changes } } });
    for (const rating of [1, 5]) expect(judged({ rating })).toEqual([]);
    for (const rating of [0, 6, 4.5, null]) expect(judged({ rating })).not.toEqual([]);
    expect(judged({ comment: null, order_id: null, reservation_id: null, guest_name: null })).toEqual([]);
  });

  test("R6.2-12 D171 stock.below_par has exactly these members, and shows the crossing", () => {
    const { data } = EVENT_SAMPLES["stock.below_par"];
    const [integer, text, number] = [expect.any(Number), expect.any(String), expect.any(Number)];
    expect(data).toStrictEqual({
      stock: {
        ingredient: { id: integer, name: text, sku: text, unit: text },
        branch_id: integer,
        on_hand: number,
        par_level: number,
        previous_on_hand: number,
      },
    });
    expect(data.stock.previous_on_hand).toBeGreaterThanOrEqual(data.stock.par_level);
    expect(data.stock.on_hand).toBeLessThan(data.stock.par_level);
  });

  test("R6.2-12 D171 ids are whole numbers, and quantities may have fractions", () => {
    const body = EVENT_SAMPLES["stock.below_par"];
    const judged = (path: JsonPath, value: unknown) =>
      problems["stock.below_par"](changedAt(body, path, (holder, name) => Object.assign(holder, { [name]: value })));
    for (const name of ["on_hand", "par_level", "previous_on_hand"]) {
      expect(judged(["data", "stock", name], 0.125)).toEqual([]);
      expect(judged(["data", "stock", name], "5")).not.toEqual([]);
    }
    for (const path of [
      ["data", "stock", "branch_id"],
      ["data", "stock", "ingredient", "id"],
    ])
      expect(judged(path, 1.5)).not.toEqual([]);
    for (const name of ["name", "sku", "unit"]) expect(judged(["data", "stock", "ingredient", name], null)).not.toEqual([]);
  });

  test("D172 the sample's week is seven days, and its shifts begin inside it", () => {
    const { week_start, week_end, shifts } = EVENT_SAMPLES["shift.published"].data;
    expect(Date.parse(week_end) - Date.parse(week_start)).toBe(6 * 24 * 60 * 60 * 1000);
    for (const { starts_at } of shifts) expect(starts_at >= week_start && starts_at.slice(0, 10) <= week_end).toBe(true);
  });

  test("D173 an experience is told with its date and its time of day", () => {
    const body = EVENT_SAMPLES["experience.booked"];
    const judged = (changes: object) =>
      problems["experience.booked"]({
        ...body,
        data: { experience_booking: { ...body.data.experience_booking, ...changes } },
      });
    for (const changes of [{ time: "7:30 pm" }, { date: "27.11.2026" }, { tickets: 0 }, { paid_at: null }])
      expect(judged(changes), JSON.stringify(changes)).not.toEqual([]);
  });
});

test("every type says in a sentence when it occurs", () => {
  for (const { occursWhen } of Object.values(EVENTS)) expect(occursWhen).toMatch(/^Sent .*\.$/);
});
