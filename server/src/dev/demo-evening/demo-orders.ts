/** Orders of made-up guests, from the dishes that the venue serves now. */
import type { Item } from "@comanda/contract/venue/menu.ts";
import type { NewOrder } from "@comanda/contract/venue/orders.ts";

/** All phone numbers of the demo begin so. It never touches an order with another one. */
export const DEMO_PHONE = "+39 06 5550 ";

const NAMES = ["Chiara Neri", "Luca Ferri", "Sofia Conti", "Davide Riva", "Elena Greco", "Paolo Serra", "Marta Villa", "Andrea Gallo"];
/** What guests write to the kitchen or the driver, and how often they write nothing. */
const NOTES = {
  dine_in: [null, null, "No onions, please", "Birthday: one candle"],
  pickup: [null, null, null, "Cutlery for two, please"],
  delivery: [null, null, "Ring twice, the bell is quiet"],
};
const STREETS = ["Via dei Serpenti 12", "Via Urbana 47", "Piazza degli Zingari 3"];
const LINES_MIN = 2;
const LINES_MAX = 4;

type Pick = <T>(from: readonly T[]) => T | undefined;

/** Required choices are made, the first ones; an optional one now and then. */
const optionsOf = ({ modifier_groups }: Item, chance: () => number): number[] =>
  modifier_groups.flatMap(({ min_select, options }) => {
    const offered = options.filter(({ is_available }) => is_available);
    return offered.slice(0, min_select > 0 ? min_select : chance() < 0.3 ? 1 : 0).map(({ id }) => id);
  });

const lineOf = (item: Item, chance: () => number): NewOrder["lines"][number] => ({
  item_id: item.id,
  variant_id: item.variants[Math.floor(chance() * item.variants.length)]?.id ?? null,
  quantity: chance() < 0.7 ? 1 : 2,
  option_ids: optionsOf(item, chance),
});

/** Null when the venue serves nothing. */
export const makeDemoOrder = (items: readonly Item[], tableCodes: readonly string[], chance: () => number): NewOrder | null => {
  const pick: Pick = (from) => from[Math.floor(chance() * from.length)];
  const count = LINES_MIN + Math.floor(chance() * (LINES_MAX - LINES_MIN + 1));
  const chosen = new Map(Array.from({ length: count }, () => pick(items)).flatMap((item) => (item ? [[item.id, item] as const] : [])));
  if (chosen.size === 0) return null;
  const guest = Math.floor(chance() * NAMES.length);
  const common = {
    channel: pick(["web", "phone", "whatsapp"] as const) ?? "web",
    customer_name: NAMES[guest] ?? "Chiara Neri",
    customer_phone: `${DEMO_PHONE}${String(guest + 1).padStart(2, "0")}`,
    lines: [...chosen.values()].map((item) => lineOf(item, chance)),
  };
  const table = pick(tableCodes);
  const kind = chance();
  if (kind < 0.35 && table !== undefined) return { ...common, type: "dine_in", table_code: table, note: pick(NOTES.dine_in) ?? null };
  if (kind < 0.6)
    return {
      ...common,
      lines: common.lines.map((line) => ({ ...line, quantity: line.quantity + 2 })),
      type: "delivery",
      note: pick(NOTES.delivery) ?? null,
      delivery_address: { line1: pick(STREETS) ?? "", city: "Roma" },
    };
  return { ...common, type: "pickup", note: pick(NOTES.pickup) ?? null };
};
