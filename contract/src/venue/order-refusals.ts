/** Why an order is refused: one reason and its sentence for each rule of contract §4.2. Values of a refusal fill the sentence's braces. */
import type { RefusalReason } from "../reasons.ts";
import { fillSentence, type RefusalValues } from "./refusal-sentence.ts";

export const ORDER_REFUSALS = {
  paused: "{type} orders are paused until {until}.",
  not_offered: "The restaurant does not offer this type of order: it offers {offered}.",
  table_required: "Is required for a dine-in order: GET /restaurant lists the codes of the tables.",
  unknown_table: "There is no table with this code: GET /restaurant lists them.",
  delivery_required: "Is required for a delivery.",
  not_delivered_there: "The restaurant does not deliver there: it delivers to {cities}.",
  not_a_time: "Must be a date-time with an offset, such as 2026-11-14T19:30:00+01:00.",
  past: "Lies in the past: it is {now} there.",
  too_far_ahead: "Is more than {days_max} days ahead.",
  closed_then: "The restaurant is closed at that time: it {opens}.",
  no_opening: "The restaurant does not open within the next two weeks.",
  unknown_dish: "There is no such dish: GET /items lists the dishes.",
  sold_out: "{dish} is sold out.",
  one_left: "Only 1 portion of {dish} is left.",
  few_left: "Only {remaining} portions of {dish} are left.",
  not_on_menu: "{dish} is not on the menu of this channel.",
  not_served_then: "{dish} is not served at that time.",
  no_sizes: "{dish} has no sizes: leave variant_id out.",
  size_required: "Choose a size of {dish}: {sizes}.",
  unknown_size: "{dish} has no such size: it has {sizes}.",
  unknown_option: "{dish} has no such option: GET /items/{dish_id} lists those that it has.",
  option_sold_out: "The option {option} of {dish} is sold out.",
  option_twice: "The option {option} of {dish} is chosen twice.",
  too_few_options: "{dish}: choose at least {min_select} of the options of {group}.",
  too_many_options: "{dish}: choose at most {max_select} of the options of {group}.",
  below_minimum: "The order must come to at least {minimum_minor} in minor units; its dishes come to {subtotal_minor}.",
  too_large: "The lines are too large for one order: send them as several orders.",
  too_much: "The order comes to more than can be charged.",
} as const satisfies Partial<Record<RefusalReason, string>>;

export const ORDER_REFUSAL_REASONS = Object.keys(ORDER_REFUSALS) as OrderRefusalReason[];
export type OrderRefusalReason = keyof typeof ORDER_REFUSALS;
export type OrderRefusal = { reason: OrderRefusalReason; values: RefusalValues };

export const refusalSentence = ({ reason, values }: OrderRefusal): string => fillSentence(ORDER_REFUSALS[reason], values);
