/** The calls made to both databases. Each goes to a venue drawn at random. */
import { addDays, formatDate, parseDate } from "../../server/src/lib/instant.ts";
import type { BarName } from "../bars.ts";
import type { GrownDataset, GrowthCall } from "./grown-dataset.ts";
import { BOOKED_IN_DAYS, HEAVY_ORDERS_PERCENT, sizesOf } from "./scale.ts";

export type GrowthBar = Extract<BarName, `growth ${string}`>;

export type Scenario = {
  name: string;
  /** How much more a call may cost in the large database. */
  bar: GrowthBar;
  /** Gives the calls of one round; what must be there first is made here, outside of the clock. */
  prepare(dataset: GrownDataset, count: number): Promise<GrowthCall[]>;
};

const [FLAT, PAGE] = ["growth flat", "growth page"] as const;
/** Orders that a client still asks for: about the last month. */
const RECENT_SHARE = 24;
const DEEP_PAGES = { typical: 2, heavy: 100 };

const dayOf = (until: string, days: number): string => formatDate(addDays(parseDate(until) ?? { year: 1, month: 1, day: 1 }, days));

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));

const get = (
  name: string,
  bar: GrowthBar,
  pathOf: (dataset: GrownDataset, venue: number) => string,
  kind: "typical" | "heavy" = "typical",
): Scenario => ({
  name,
  bar,
  prepare: async (dataset, count) =>
    times(count, () => {
      const venue = dataset.draw(kind);
      return { venue, method: "GET", path: pathOf(dataset, venue) };
    }),
});

const orderById = (name: string, newestOf: (dataset: GrownDataset) => number): Scenario => ({
  name,
  bar: FLAT,
  prepare: async (dataset, count) =>
    (await dataset.someOrders(count, newestOf(dataset))).map(({ venue, id }) => ({ venue, method: "GET", path: `/orders/${id}` })),
});

/** No deeper than the orders of a venue go. */
const pagesOf = ({ scale }: GrownDataset, kind: "typical" | "heavy"): number => {
  const { heavy, typical } = sizesOf(scale);
  const ordersOfHeavy = (scale.orders * HEAVY_ORDERS_PERCENT) / 100;
  const orders = kind === "heavy" ? ordersOfHeavy / heavy : (scale.orders - ordersOfHeavy) / typical;
  return Math.min(DEEP_PAGES[kind], Math.floor((orders - 1) / 25));
};

/** Pages to the cursor once for each venue. */
const deepPage = (kind: "typical" | "heavy"): Scenario => {
  const cursors = new Map<string, string>();
  return {
    name: `page of 25 orders, ${kind} venue, ${DEEP_PAGES[kind] * 25} deep`,
    bar: PAGE,
    async prepare(dataset, count) {
      const calls: GrowthCall[] = [];
      for (const venue of times(count, () => dataset.draw(kind))) {
        const key = `${dataset.name} ${venue}`;
        const cursor = cursors.get(key) ?? (await pageThrough(dataset, venue, pagesOf(dataset, kind)));
        if (cursor === null) continue;
        cursors.set(key, cursor);
        calls.push({ venue, method: "GET", path: `/orders?cursor=${encodeURIComponent(cursor)}` });
      }
      return calls;
    },
  };
};

const pageThrough = async (dataset: GrownDataset, venue: number, pages: number): Promise<string | null> => {
  const perPage = pages > 4 ? 100 : 25;
  let cursor: string | null = null;
  for (let page = 0; page < (pages * 25) / perPage; page++) {
    const from: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await dataset.send({ venue, method: "GET", path: `/orders?per_page=${perPage}${from}` });
    cursor = (body as { meta: { next_cursor: string | null } }).meta.next_cursor;
    if (cursor === null) return null;
  }
  return cursor;
};

let placed = 0;

const orderBody = (dataset: GrownDataset, venue: number): object => {
  const dishes = dataset.dishes(venue);
  const lines = times(3, (index) => ({ item_id: dishes[(placed + index * 5) % dishes.length], quantity: 1 + index }));
  return { type: "pickup", customer_name: "Bench", customer_phone: `+39 06 ${placed % 50}`, lines };
};

const placeCall = (dataset: GrownDataset): GrowthCall => {
  const venue = dataset.draw("typical");
  placed++;
  return { venue, method: "POST", path: "/orders", body: orderBody(dataset, venue), key: `bench-${process.pid}-${Date.now()}-${placed}` };
};

const move: Scenario = {
  name: "move an order",
  bar: FLAT,
  async prepare(dataset, count) {
    const calls: GrowthCall[] = [];
    for (const call of times(count, () => placeCall(dataset))) {
      const { body } = await dataset.send(call);
      const { data } = body as { data: { id: string } };
      calls.push({ venue: call.venue, method: "POST", path: `/orders/${data.id}/status`, body: { status: "accepted" } });
    }
    return calls;
  },
};

const report = (kind: "typical" | "heavy", days: number): Scenario =>
  get(
    `report of ${days} day${days === 1 ? "" : "s"}, ${kind} venue`,
    FLAT,
    ({ scale: { until } }) => `/reports/sales-summary?from=${dayOf(until, -days)}&to=${dayOf(until, -1)}`,
    kind,
  );

export const SCENARIOS: Scenario[] = [
  get("one dish", FLAT, (dataset, venue) => `/items/${dataset.dishes(venue)[venue % 20]}`),
  orderById("one order of the last month", ({ scale }) => scale.orders / RECENT_SHARE),
  orderById("one order of any age", ({ scale }) => scale.orders),
  get("page of 25 orders, typical venue, first", PAGE, () => "/orders"),
  get("page of 25 orders, heavy venue, first", PAGE, () => "/orders", "heavy"),
  deepPage("typical"),
  deepPage("heavy"),
  get("orders by status", PAGE, () => "/orders?status=completed"),
  get("orders under way, heavy venue", PAGE, () => "/orders?status=placed,accepted,ready", "heavy"),
  get("orders changed in a week, heavy venue", PAGE, ({ scale }) => `/orders?updated_since=${dayOf(scale.until, -7)}`, "heavy"),
  get("page of 25 guests", PAGE, () => "/guests"),
  { name: "place an order", bar: FLAT, prepare: async (dataset, count) => times(count, () => placeCall(dataset)) },
  move,
  get("availability of one day", FLAT, ({ scale }) => `/availability?date=${dayOf(scale.until, BOOKED_IN_DAYS)}&party_size=2`),
  report("typical", 1),
  report("typical", 366),
  report("heavy", 1),
  report("heavy", 366),
];

/** Within the large database: a year against a day. */
export const YEARS = (["typical", "heavy"] as const).map((kind) => ({
  name: `report of a year against a day, ${kind} venue`,
  year: `report of 366 days, ${kind} venue`,
  day: `report of 1 day, ${kind} venue`,
}));
