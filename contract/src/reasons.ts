/**
 * Why a request is refused, for programs. A request with the header `Service-Reasons: 1` gets them in `error.reasons`, beside the sentences of
 * `details`. Each reason has its meaning and the parameters that belong to it.
 */
import { type Static, type TProperties, Type } from "typebox";

export const REASONS_HEADER = "Service-Reasons";
/** Any other value of the header counts as none. */
export const REASONS_WANTED = "1";

const reason = <P extends TProperties>(meaning: string, params: P) => ({ meaning, params: Type.Object(params) });

const Count = Type.Integer();
const Texts = Type.Array(Type.String());
const Moment = Type.String({ format: "date-time" });

/** Reasons for the shape of a request: one for each kind of check in its schema. */
const SHAPE_REASONS = {
  required: reason("The field is missing.", {}),
  not_an_integer: reason("The value is not a whole number.", {}),
  not_a_number: reason("The value is not a number.", {}),
  not_a_text: reason("The value is not a text.", {}),
  not_a_boolean: reason("The value is neither true nor false.", {}),
  not_a_list: reason("The value is not a list.", {}),
  not_an_object: reason("The value is not an object.", {}),
  wrong_type: reason("The value has none of the types in `allowed`.", { allowed: Texts }),
  not_one_of: reason("The value, or a part of it, is none of those in `allowed`.", { allowed: Texts }),
  too_low: reason("The number is below `min`.", { min: Type.Number() }),
  too_high: reason("The number is above `max`.", { max: Type.Number() }),
  blank: reason("The text is empty.", {}),
  too_short: reason("The text has fewer than `min` characters.", { min: Count }),
  too_long: reason("The text has more than `max` characters.", { max: Count }),
  too_few_entries: reason("The list has fewer than `min` entries.", { min: Count }),
  too_many_entries: reason("The list or map has more than `max` entries.", { max: Count }),
  too_many_languages: reason("The text would have more than `max` languages.", { max: Count }),
  no_text: reason("No language of the map has a text.", {}),
  not_a_language: reason("The name of the member is not a language code.", {}),
  wrong_pattern: reason("The text does not match `pattern`.", { pattern: Type.String() }),
  not_an_email: reason("The text is not an e-mail address.", {}),
  not_a_date: reason("The text is not a date of the calendar, written YYYY-MM-DD.", {}),
  not_a_time: reason("The text is not a time of day, written HH:MM.", {}),
  not_a_date_time: reason("The text is not a date-time with an offset.", {}),
  not_a_date_or_date_time: reason("The text is neither a date nor a date-time with an offset.", {}),
  nul_character: reason("The text contains the character U+0000.", {}),
  not_unicode: reason("The text is not well-formed Unicode.", {}),
  control_characters: reason("The text contains control characters.", {}),
  repeated: reason("The parameter or header is sent more than once.", {}),
  unknown_cursor: reason("The cursor is not one of this list.", {}),
  unknown_argument: reason("The tool of an agent has no such argument. `nearest`: the one that was probably meant.", {
    nearest: Type.Optional(Type.String()),
  }),
  not_valid: reason("The value is refused by a check that has no reason of its own.", {}),
};

/** Reasons for a body that cannot be read. The field is `body`. */
const BODY_REASONS = {
  not_json_type: reason("The body is not sent as application/json.", {}),
  not_utf8: reason("The body is not valid UTF-8.", {}),
  not_json: reason("The body is not valid JSON.", {}),
  compressed: reason("The body is compressed, which is not accepted.", {}),
  wrong_length: reason("The body is not as long as the request announced.", {}),
  too_deep: reason("The body is nested deeper than `max` levels.", { max: Count }),
  too_many_members: reason("The body has more than `max` members.", { max: Count }),
  too_many_values: reason("The body has more than `max` values.", { max: Count }),
};

const LIST_AND_REPORT_REASONS = {
  reversed_range: reason("The range ends before the value of the parameter `start`.", { start: Type.String() }),
  period_too_long: reason("The period has more than `days_max` days.", { days_max: Count }),
};

const DISH_REASONS = {
  unknown_category: reason("The restaurant has no such category.", {}),
  category_full: reason("The category has `dishes_max` dishes already.", { dishes_max: Count }),
  menus_full: reason("The restaurant has `dishes_max` dishes already.", { dishes_max: Count }),
  unknown_modifier_group: reason("The restaurant has no such modifier group.", {}),
  price_and_sizes: reason("The dish is given both a price and sizes with prices.", {}),
  price_required: reason("The dish is given neither a price nor sizes with prices.", {}),
  second_default: reason("Another size is the default already.", {}),
  priced_per_size: reason("The dish is priced per size, so it takes no price of its own.", {}),
};

/** The dish of a line, its name in the restaurant's main language, shortened. */
const DISH = { dish_id: Type.Integer(), dish: Type.String() };
const OPTION = { ...DISH, option_id: Type.Integer(), option: Type.String() };
const GROUP = { ...DISH, group_id: Type.Integer(), group: Type.String() };

/** Reasons for new orders and bookings. `past` to `unknown_table` apply to both. */
const ORDER_REASONS = {
  past: reason("The time lies in the past.", {}),
  too_far_ahead: reason("The time is more than `days_max` days ahead.", { days_max: Count }),
  closed_then: reason("The restaurant is closed at that time. `opens_at`: when it opens next, for an order.", {
    opens_at: Type.Optional(Moment),
  }),
  unknown_table: reason("The restaurant has no such table.", {}),
  paused: reason("The restaurant takes no orders of this type until `ends_at`.", { ends_at: Moment }),
  not_offered: reason("The restaurant does not offer this type of order.", {}),
  table_required: reason("A dine-in order needs the code of a table.", {}),
  delivery_required: reason("A delivery needs this part of the address.", {}),
  not_delivered_there: reason("The restaurant does not deliver to this city.", {}),
  no_opening: reason("The restaurant does not open within the next two weeks.", {}),
  unknown_dish: reason("The restaurant has no such dish.", {}),
  sold_out: reason("The dish is sold out.", DISH),
  one_left: reason("One portion of the dish is left.", { ...DISH, remaining: Count }),
  few_left: reason("Only `remaining` portions of the dish are left.", { ...DISH, remaining: Count }),
  not_on_menu: reason("The dish is not on the menu of this channel.", DISH),
  not_served_then: reason("The dish is not served at that time.", DISH),
  no_sizes: reason("The dish has no sizes.", DISH),
  size_required: reason("The dish is priced per size, and the line names none.", DISH),
  unknown_size: reason("The dish has no such size.", DISH),
  unknown_option: reason("The dish has no such option.", DISH),
  option_sold_out: reason("The option is sold out.", OPTION),
  option_twice: reason("The line names the option twice.", OPTION),
  too_few_options: reason("A group of options needs at least `min_select` choices.", { ...GROUP, min_select: Count }),
  too_many_options: reason("A group of options allows at most `max_select` choices.", { ...GROUP, max_select: Count }),
  below_minimum: reason("The dishes come to less than `minimum_minor`.", { minimum_minor: Count }),
  too_large: reason("The lines are too large for one order.", {}),
  too_much: reason("The order comes to more than can be charged.", {}),
};

const BOOKING_REASONS = {
  closing_day: reason("The restaurant is closed on that day.", {}),
  party_too_large: reason("The party has more than `party_size_max` guests.", { party_size_max: Count }),
  skipped_by_clocks: reason("The clocks skip that time on that day.", {}),
  too_soon: reason("The time is less than `lead_minutes` minutes ahead.", { lead_minutes: Count }),
  no_free_table: reason("No table is free for this party at that time.", {}),
  table_too_small: reason("The table is too small for this party.", {}),
  table_taken: reason("The table is taken at that time.", {}),
  tables_apart: reason("The tables belong to different branches.", {}),
  unknown_branch: reason("The restaurant has no such branch.", {}),
};

const STATE_REASONS = {
  too_many_waiting: reason("Of a 429: the token has `max` waiting calls already.", { max: Count }),
  invalid_transition: reason("What has the status `from` cannot move to `to`.", { from: Type.String(), to: Type.String() }),
  idempotency_key_in_use: reason("The first request with this key is still running.", {}),
  idempotency_key_reused: reason("The key was used with another request.", {}),
};

export const REASONS = {
  ...SHAPE_REASONS,
  ...BODY_REASONS,
  ...LIST_AND_REPORT_REASONS,
  ...DISH_REASONS,
  ...ORDER_REASONS,
  ...BOOKING_REASONS,
  ...STATE_REASONS,
};

/** True for a reason about the shape of a request, which is checked before any rule of the restaurant. */
export const isShapeReason = (reason: string): boolean => Object.hasOwn(SHAPE_REASONS, reason) || Object.hasOwn(BODY_REASONS, reason);

export type RefusalReason = keyof typeof REASONS;
export const REFUSAL_REASONS = Object.keys(REASONS) as RefusalReason[];
export type ReasonParams<R extends RefusalReason> = Static<(typeof REASONS)[R]["params"]>;

/** One refusal as `error.reasons` has it: the field as in `details`, or what the error is about. */
export type FieldReason = { [R in RefusalReason]: { field: string; reason: R; params: ReasonParams<R> } }[RefusalReason];

/** Parameters may be left out where a reason requires none. */
export type ParamsArgument<R extends RefusalReason> =
  Record<never, never> extends ReasonParams<R> ? [params?: ReasonParams<R>] : [params: ReasonParams<R>];

/** Picks the values that are parameters of the reason. The caller makes sure that they are there. */
export const paramsOf = <R extends RefusalReason>(reason: R, values: Record<string, number | string>): ReasonParams<R> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(REASONS[reason].params.properties, name))) as ReasonParams<R>;
