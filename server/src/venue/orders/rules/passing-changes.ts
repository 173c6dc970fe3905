/** What would make a rule pass that refuses: one change of the request for each refusal, or null where the caller can change nothing. */
import type { PassingChange } from "@comanda/contract/venue/order-quote.ts";
import type { OrderRefusalReason } from "@comanda/contract/venue/order-refusals.ts";
import { formatInstant } from "#lib/time-zone.ts";
import type { SellableItem } from "#venue/menu/rules/items.ts";
import { nextOpening } from "#venue/settings/rules/opening-hours.ts";
import { branchOf, calendarOf, type OrderContext, type WantedOrder } from "./decide-order.ts";
import type { DeliveryTerms } from "./order-policy.ts";
import type { Refusals } from "./refusals.ts";

export type QuoteContext = OrderContext & {
  /** The codes of the active tables; empty unless the order is for a table. */
  tableCodes: readonly string[];
};

/** The field and values of one refusal, and the order it is about. */
export type RefusedField = {
  field: string;
  values: Record<string, number | string>;
  wanted: WantedOrder;
  context: QuoteContext;
  /** Indices of the lines of which no portions were counted. */
  uncounted: ReadonlySet<number>;
  subtotalMinor: number;
  delivery: DeliveryTerms;
};

type Suggest = (refused: RefusedField) => PassingChange | null;

/** A long list would not be read, and every value of it is as good. */
const VALUES_MAX = 100;

const oneOf = (field: string, values: readonly (number | string)[]): PassingChange | null =>
  values.length === 0 ? null : { field, change: "one_of", value: values.slice(0, VALUES_MAX) };
const remove = (field: string): PassingChange => ({ field, change: "remove", value: null });
const give = (field: string): PassingChange => ({ field, change: "give", value: null });
const split: PassingChange = { field: "lines", change: "split", value: null };
const atTime = (change: "from" | "until", instant: Date, { context }: RefusedField): PassingChange => ({
  field: "scheduled_for",
  change,
  value: formatInstant(context.zone, instant),
});

const lineOf = (field: string): number => Number(/^lines\.(\d+)/.exec(field)?.[1]);
const removeLine: Suggest = ({ field }) => remove(`lines.${lineOf(field)}`);
const itemOf = ({ field, wanted, context }: RefusedField): SellableItem | undefined =>
  context.priceList.items.find(({ id }) => id === wanted.lines[lineOf(field)]?.item_id);
const anySize: Suggest = (refused) =>
  oneOf(
    refused.field,
    (itemOf(refused)?.variants ?? []).map(({ id }) => id),
  );
const tableCode: Suggest = ({ field, context }) => oneOf(field, context.tableCodes);

const DAY_MS = 24 * 60 * 60 * 1000;
/** Times are written in whole seconds. */
const secondAfter = (instant: Date): Date => new Date(Math.ceil(instant.getTime() / 1000) * 1000);

/** While closed no time is taken, and the pause would be judged by now. */
const openAfter = (instant: Date, { context: { settings, zone } }: RefusedField): Date =>
  nextOpening(calendarOf(branchOf(settings.branches, settings.table), zone), instant) ?? instant;

/** A line with a fault besides its portions was not counted. Once for a quote: each refused line would go through all faults again. */
export const uncountedLines = (errors: Refusals): ReadonlySet<number> =>
  new Set(
    Object.entries(errors)
      .filter(
        ([field, ofField]) => field.startsWith("lines.") && !ofField.every(({ reason }) => reason === "one_left" || reason === "few_left"),
      )
      .map(([field]) => lineOf(field)),
  );

/** What is left after the lines before this one. */
const fewerPortions: Suggest = (refused) => {
  const { field, wanted, uncounted, values } = refused;
  const index = lineOf(field);
  const line = wanted.lines[index];
  const before = wanted.lines.slice(0, index).filter(({ item_id }, at) => item_id === line?.item_id && !uncounted.has(at));
  const left = Number(values.remaining) - before.reduce((sum, { quantity }) => sum + quantity, 0);
  return left > 0 ? { field: `lines.${index}.quantity`, change: "at_most", value: left } : removeLine(refused);
};

type OptionGroup = SellableItem["modifier_groups"][number];

/** The line's choices beside each group of its dish, in one pass over the dish and one over the choices. */
const groupsOf = (refused: RefusedField): { group: OptionGroup; chosen: number[] }[] => {
  const { option_ids = [] } = refused.wanted.lines[lineOf(refused.field)] ?? {};
  const groups = (itemOf(refused)?.modifier_groups ?? []).map((group) => ({ group, chosen: [] as number[] }));
  const chosenOf = new Map(groups.flatMap(({ group, chosen }) => group.options.map(({ id }) => [id, chosen])));
  for (const id of new Set(option_ids)) chosenOf.get(id)?.push(id);
  return groups;
};

/** Above the limit the line is the shorter answer. */
const changeOptions = (change: "add" | "remove", refused: RefusedField, value: number[]): PassingChange | null =>
  value.length > VALUES_MAX ? removeLine(refused) : { field: refused.field, change, value };

const moreOptions: Suggest = (refused) => {
  const lacking = groupsOf(refused).filter(({ group, chosen }) => chosen.length < group.min_select);
  const added = lacking.map(({ group, chosen }) => {
    const free = group.options.filter(({ id, is_available }) => is_available && !chosen.includes(id));
    return free.slice(0, group.min_select - chosen.length).map(({ id }) => id);
  });
  const isEnough = lacking.every(({ group, chosen }, index) => chosen.length + (added[index]?.length ?? 0) >= group.min_select);
  return isEnough ? changeOptions("add", refused, added.flat()) : removeLine(refused);
};

const fewerOptions: Suggest = (refused) =>
  changeOptions(
    "remove",
    refused,
    groupsOf(refused).flatMap(({ group, chosen }) => (group.max_select === null ? [] : chosen.slice(group.max_select))),
  );

const CHANGES: Record<OrderRefusalReason, Suggest> = {
  not_offered: ({ field, context }) =>
    oneOf(
      field,
      context.settings.ordering.types.map(({ type }) => type),
    ),
  paused: (refused) => atTime("from", openAfter(secondAfter(new Date(refused.values.ends_at ?? 0)), refused), refused),
  table_required: tableCode,
  unknown_table: tableCode,
  delivery_required: ({ field }) => give(field),
  not_delivered_there: ({ field, context }) =>
    oneOf(
      field,
      context.settings.ordering.delivery_zones.flatMap(({ cities }) => cities),
    ),
  // Without a time the order is for now, or held for the next opening.
  not_a_time: ({ field }) => remove(field),
  // A time that is just ahead has passed when the order arrives.
  past: ({ field }) => remove(field),
  too_far_ahead: (refused) => atTime("until", new Date(refused.context.now.getTime() + Number(refused.values.days_max) * DAY_MS), refused),
  closed_then: (refused) =>
    refused.values.opens_at === undefined ? remove(refused.field) : atTime("from", new Date(refused.values.opens_at), refused),
  no_opening: () => null,
  unknown_dish: removeLine,
  not_on_menu: removeLine,
  not_served_then: removeLine,
  sold_out: removeLine,
  one_left: fewerPortions,
  few_left: fewerPortions,
  no_sizes: ({ field }) => remove(field),
  size_required: anySize,
  unknown_size: anySize,
  unknown_option: ({ field }) => remove(field),
  option_sold_out: ({ field }) => remove(field),
  option_twice: ({ field }) => remove(field),
  too_few_options: moreOptions,
  too_many_options: fewerOptions,
  below_minimum: ({ field, subtotalMinor, delivery }) => ({ field, change: "add_minor", value: delivery.minimumMinor - subtotalMinor }),
  too_large: () => split,
  too_much: () => split,
};

export const passingChange = (reason: OrderRefusalReason, refused: RefusedField): PassingChange | null => CHANGES[reason](refused);
