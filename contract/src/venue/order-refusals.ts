/** Why an order is refused: one reason and its sentence for each rule of contract §4.2. Values of a refusal fill the sentence's braces. */
import type { RefusalReason } from "../reasons.ts";
import { fillSentence, type RefusalValues } from "./refusal-sentence.ts";

export const ORDER_REFUSALS = {
  paused: "{type} orders are paused until {until}.",
  not_offered: "The restaurant does not offer this type of order.",
  table_required: "Is required for a dine-in order.",
  unknown_table: "There is no such table.",
  delivery_required: "Is required for a delivery.",
  not_delivered_there: "The restaurant does not deliver there.",
  not_a_time: "Must be a valid date-time.",
  past: "Lies in the past.",
  too_far_ahead: "Is too far ahead.",
  closed_then: "The restaurant is closed at that time.",
  no_opening: "The restaurant does not open within the next two weeks.",
  unknown_dish: "There is no such dish.",
  sold_out: "This dish is sold out.",
  one_left: "Only 1 portion is left.",
  few_left: "Only {remaining} portions are left.",
  not_on_menu: "This dish is not on the menu.",
  not_served_then: "This dish is not served at that time.",
  no_sizes: "This dish has no sizes.",
  size_required: "Choose a size of this dish.",
  unknown_size: "This dish has no such size.",
  unknown_option: "This dish has no such option.",
  option_sold_out: "This option is sold out.",
  option_twice: "This option is chosen twice.",
  too_few_options: "Choose at least {min_select} of the options of a group.",
  too_many_options: "Choose at most {max_select} of the options of a group.",
  below_minimum: "The order must come to at least {minimum_minor} in minor units.",
  too_large: "The lines are too large for one order: send them as several orders.",
  too_much: "The order comes to more than can be charged.",
} as const satisfies Partial<Record<RefusalReason, string>>;

export const ORDER_REFUSAL_REASONS = Object.keys(ORDER_REFUSALS) as OrderRefusalReason[];
export type OrderRefusalReason = keyof typeof ORDER_REFUSALS;
export type OrderRefusal = { reason: OrderRefusalReason; values: RefusalValues };

export const refusalSentence = ({ reason, values }: OrderRefusal): string => fillSentence(ORDER_REFUSALS[reason], values);
