/** Mistakes about the fields and rules of orders and bookings: what each refusal has to name, by its reason. */
import type { RefusalReason } from "@comanda/contract/reasons.ts";
import type { RefusalCase } from "../refusal-cases.ts";
import { type Mistake, type MistakeWorld, sendMistake } from "./mistake.ts";

/** The sentence, and the parameters beside it. */
const CURES: Partial<Record<RefusalReason, RegExp>> = {
  required: /customer_name: Is required/,
  not_an_integer: /whole number/,
  too_low: /at least 1\..*"min":1/,
  too_high: /at most 99\..*"max":99/,
  too_few_entries: /lines: Must have at least 1 entry.*"min":1/,
  too_many_entries: /at most \d+ entries/,
  too_long: /at most (\d+) characters.*"max":\1/,
  not_an_email: /such as ada@example\.com/,
  not_one_of: /Must be one .*dine_in|Must be one or more of placed/,
  not_a_date_time: /with an offset, such as 2026-11-14T19:30:00\+01:00/,
  not_a_date_or_date_time: /with an offset, such as 2026-11-14T19:30:00\+01:00/,
  not_a_date: /valid date/,
  not_a_time: /from 00:00 to 23:59/,
  wrong_pattern: /Must match/,
  past: /Lies in the past.*t is 2026-11-14T\d\d:00:00[+-]\d\d:00 there/,
  too_far_ahead: /\d+ days ahead.*"days_max":\d+/,
  closed_then: /opens next at 2026-11-15T18:00:00\+01:00.*"opens_at"|closed at that time\. GET \/availability/,
  paused: /paused until 23:00/,
  not_offered: /it offers pickup, delivery/,
  table_required: /GET \/restaurant lists the codes/,
  unknown_table: /GET \/restaurant lists/,
  delivery_required: /delivery_address: Is required for a delivery/,
  not_delivered_there: /it delivers to \w+/,
  below_minimum: /at least 1500 in minor units; its dishes come to \d+.*"minimum_minor":1500/,
  unknown_dish: /no such dish: GET \/items/,
  sold_out: /\w+ is sold out.*"dish":"\w+.*"dish_id":\d+/,
  one_left: /1 portion of \w+/,
  few_left: /3 portions of \w+/,
  not_on_menu: /\w+ is not on the menu.*"dish":"/,
  no_sizes: /has no sizes: leave variant_id out/,
  size_required: /Choose a size of .*: \d+ \(\w+.*"dish":"/,
  unknown_size: /has no such size: it has \d+ \(/,
  unknown_option: /\w+ has no such option: GET \/items\/\d+/,
  option_sold_out: /The option \w+ of \w+.* is sold out.*"option":"/,
  option_twice: /The option \w+ of \w+.* twice/,
  too_few_options: /\w+.*: choose at least 1 of the options of \w+.*"group_id":\d+,"group":"\w+/,
  too_many_options: /\w+.*: choose at most 1 of the options of \w+.*"group":"/,
  party_too_large: /At most 6 guests.*"party_size_max":6/,
  skipped_by_clocks: /an hour later/,
  too_soon: /at least 120 minutes ahead, and it is 2026-11-14T13:00:00\+01:00/,
  closing_day: /another day: GET \/availability/,
  no_free_table: /GET \/availability lists the free times/,
  table_too_small: /too small/,
  table_taken: /taken at that time/,
  reversed_range: /Lies before from|Lies before placed_from/,
  period_too_long: /366/,
  invalid_transition: /cannot (?:change|become).*"from":"(?:placed|cancelled)"/,
};

const CODES: Partial<Record<RefusalReason, [number, string]>> = { invalid_transition: [409, "invalid_transition"] };

/** The requests that meet every reason, judged by their words. */
export const ruleMistakes = (world: MistakeWorld, cases: readonly RefusalCase[]): Mistake[] =>
  cases.flatMap(({ reason, field, token, method = "GET", path, options }): Mistake[] => {
    const cure = CURES[reason];
    if (cure === undefined) return [];
    const [status, code] = CODES[reason] ?? [422, "validation_failed"];
    return [{ sent: `${reason} of ${field}`, status, code, cure, send: () => sendMistake(world, method, path, { token, ...options }) }];
  });

export const fieldMistakes = ({ plain, ...world }: MistakeWorld): Mistake[] => {
  const order = (sent: string, changes: object, cure: RegExp): Mistake => ({
    sent,
    status: 422,
    code: "validation_failed",
    cure,
    send: () => {
      const body = { type: "pickup", customer_name: "Ada", customer_phone: "1", lines: [{ item_id: plain, quantity: 1 }], ...changes };
      return sendMistake(world, "POST", "/orders", { body });
    },
  });
  return [
    order("101 lines", { lines: Array.from({ length: 101 }, () => ({ item_id: plain, quantity: 1 })) }, /at most 100 entries.*"max":100/),
    order('quantity "2"', { lines: [{ item_id: plain, quantity: "2" }] }, /lines\.0\.quantity: Must be a whole number/),
    order("a name of 121 characters", { customer_name: "x".repeat(121) }, /customer_name: .*at most 120 characters/),
    order("scheduled_for without an offset", { scheduled_for: "2026-11-15T19:00:00" }, /with an offset, such as/),
    order(
      "three fields at once",
      { customer_name: "", customer_phone: 1, type: "picnic" },
      /"message":"type: Must be one of .* \(2 more\)"/,
    ),
  ];
};
