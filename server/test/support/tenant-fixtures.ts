/** The venues that meet in the tenant matrix: each with names of its own, living and removed rows of every kind. */
import { type OperationId, operationEntries, type operations } from "@comanda/contract/operations.ts";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { callFixtureOf, makerOf, operationCalls } from "./operation-calls.ts";
import { readSample, type SampleName, type TestApp, type TestVenue } from "./test-app.ts";

export type PlaceholderName = string | number;

/** Rows that a request names by number, in an order in which no kind is followed by one of the same table. */
const NUMBERED = {
  menus: { table: "menus", key: "wall" },
  categories: { table: "categories", key: "wall" },
  items: { table: "items", key: "wall" },
  modifier_groups: { table: "modifier_groups", key: "wall" },
  dishes: { table: "items", key: "wall-sold" },
  sizes: { table: "item_variants", key: "wall" },
  options: { table: "modifier_options", key: "wall" },
  branches: { table: "branches", key: "wall" },
  seats: { table: "dining_tables", key: "wall" },
} as const;
type Numbered = keyof typeof NUMBERED;
type ContractOperations = typeof operations;
/** Kinds that the API lets a client make, by their path: `orders` for `POST /orders`. */
type Makeable = {
  [Id in OperationId]: ContractOperations[Id] extends { method: "POST"; path: `/${infer P}` }
    ? P extends `${string}/${string}`
      ? never
      : P
    : never;
}[OperationId];
/** A kind that a path names has the name that it has in the path. */
export type RowKind = Numbered | Makeable | "guests" | "tables";
const KINDS = Object.keys(NUMBERED) as Numbered[];

/** Kinds that each run makes again by a request, with the operation that makes them; all others are in the venue file. */
export const MADE = operationEntries.flatMap(([, operation]) => {
  const maker = operation.method === "GET" ? makerOf(operation) : undefined;
  const kind = operation.path.split("/")[1] as RowKind;
  return maker === undefined || kind in NUMBERED ? [] : [{ kind, maker }];
});

/** Every list that has pages. */
export type Paged = {
  [Id in OperationId]: ContractOperations[Id] extends { query: { properties: { cursor: unknown } } } ? Id : never;
}[OperationId];
export const PAGED = operationEntries.flatMap(([id, { query, path }]) =>
  query?.properties.cursor === undefined ? [] : [{ id: id as Paged, path }],
);

/** A venue as the matrix sees it: names of its own, a living and a removed row of each kind. */
export type TenantFixture = TestVenue & {
  /** Part of every text a guest could read, so that a row of this venue is known wherever it turns up. */
  mark: string;
  alive: Record<RowKind, PlaceholderName>;
  /** What a request makes is never removed; a near miss is its removed row. A removed guest was erased. */
  removed: Record<RowKind, PlaceholderName>;
  /** A name of ours for something else. */
  stray: Record<RowKind, PlaceholderName>;
  /** Dishes whose sizes and options are named. */
  sized: number;
  topped: number;
  /** An order that is moved under an Idempotency-Key. */
  moved: string;
  /** A booking that is cancelled under an Idempotency-Key. */
  called: string;
  cursors: Record<Paged, string>;
  /** The last body that each kind was made with. */
  bodies: Partial<Record<RowKind, object>>;
};

/** Ids of different kinds come from different sequences; in ranges of their own, no number is by chance an id of two kinds. */
export const spreadIds = async ({ database }: TestApp): Promise<void> => {
  const sequences = await database.asOwner<{ name: string }>(
    "select sequencename as name from pg_sequences where schemaname = 'app' order by 1",
  );
  for (const [index, { name }] of sequences.entries())
    await database.asOwner("select setval($1::regclass, $2)", [`app.${name}`, 1024 * 1_000_000 * (index + 1)]);
};

export const createTenantFixture = async (
  app: TestApp,
  sample: SampleName,
  slug: string,
  kind: "live" | "sandbox" = "live",
): Promise<TenantFixture> => {
  const mark = `<${slug}>`;
  const prepare = (file: VenueFile, keys: string[]): void => {
    file.restaurant.slug = slug;
    addRows(file, keys);
    Object.assign(file, marked(file, mark));
  };
  await app.venue(sample, (file) => prepare(file, ["wall", "doomed"]));
  // The second import no longer names the doomed rows, so they are removed the way an owner removes them.
  const venue = await app.venue(sample, (file) => prepare(file, ["wall"]));
  if (kind === "sandbox") await app.database.asOwner("update restaurants set kind = 'sandbox' where id = $1", [venue.id]);
  const token = kind === "sandbox" ? await app.token(slug, { kind: "sandbox" }) : venue.token;
  const floor: TenantFixture = {
    ...venue,
    token,
    mark,
    ...(await rowsOf(app, venue)),
    moved: "",
    called: "",
    cursors: {} as TenantFixture["cursors"],
    bodies: {},
  };
  await prepareRun(app, floor);
  for (const { id, path } of PAGED) floor.cursors[id] = (await app.call(token, "GET", `${path}?per_page=1`)).body.meta.next_cursor;
  return floor;
};

/** An order can be moved only once and a booking cancelled only once, so each run needs new ones. */
export const prepareRun = async (app: TestApp, floor: TenantFixture): Promise<void> => {
  const make = async (kind: RowKind, maker: OperationId): Promise<PlaceholderName> => {
    const body = await bodyFor(app, floor, kind, maker);
    floor.bodies[kind] = body;
    const answer = await app.call(floor.token, "POST", `/${kind}`, { body });
    if (answer.status !== 201) throw new Error(`${kind}: ${answer.text}`);
    return answer.body.data.id;
  };
  // Two of each, so that every list has a second page.
  const spare: Partial<Record<RowKind, PlaceholderName>> = {};
  for (const { kind, maker } of MADE) {
    floor.alive[kind] = await make(kind, maker);
    floor.removed[kind] = nearMiss(floor.alive[kind]);
    spare[kind] = await make(kind, maker);
  }
  for (const { kind } of MADE) floor.stray[kind] = strayFor(kind, floor);
  [floor.moved, floor.called] = [String(spare.orders), String(spare.reservations)];
};

const nearMiss = (id: PlaceholderName): PlaceholderName =>
  typeof id === "number" ? id + 1 : `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`;

/** The id of a row of another kind, written in the same way. */
const strayFor = (kind: RowKind, { alive }: TenantFixture): PlaceholderName => {
  if (typeof alive[kind] === "number") return alive.items;
  return kind === "orders" ? alive.reservations : alive.orders;
};

const bodyFor = async (app: TestApp, floor: TenantFixture, kind: RowKind, maker: OperationId): Promise<object> => {
  if (kind === "orders") return order(floor);
  if (kind === "reservations") return booking(floor);
  const [call] = await operationCalls({ ...callFixtureOf(app, floor), name: `Guest ${floor.mark}` })[maker]();
  return call?.body ?? {};
};

let bookings = 0;

/** Each at a time of its own, two hours from the next, so that no booking is in the way of another. */
export const booking = (own: TenantFixture, parts: object = {}) => {
  const turn = bookings++;
  return {
    name: `Guest ${own.mark}`,
    phone: "+1 555 0100",
    party_size: 1,
    date: new Date(Date.UTC(2026, 10, 20 + (turn % 300))).toISOString().slice(0, 10),
    time: `${String(8 + 2 * (Math.floor(turn / 300) % 6)).padStart(2, "0")}:00`,
    ...parts,
  };
};

/** The key is the venue, not its name: test files of one process use the same names for different venues. */
const keyed = new WeakMap<TenantFixture, Map<PlaceholderName, object>>();

/** Returns one booking for each key: at the venue's own table, which no other tenant can name. */
export const bookingUnder = (key: PlaceholderName, own: TenantFixture): object => {
  const bodies = keyed.get(own) ?? new Map<PlaceholderName, object>();
  const body = bodies.get(key) ?? booking(own, { table_id: own.alive.seats });
  keyed.set(own, bodies.set(key, body));
  return body;
};

export const order = (own: TenantFixture, parts: object = {}) => ({
  type: "pickup",
  customer_name: `Guest ${own.mark}`,
  customer_phone: "+1 555 0100",
  lines: [{ item_id: own.alive.dishes, quantity: 1 }],
  ...parts,
});

/** Every name in a venue file with the mark behind it. */
export const marked = <T>(value: T, mark: string): T => {
  if (Array.isArray(value)) return value.map((entry) => marked(entry, mark)) as T;
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, entry]) => [name, name === "name" ? withMark(entry, mark) : marked(entry, mark)]);
  return Object.fromEntries(members) as T;
};

const withMark = (name: unknown, mark: string): unknown =>
  typeof name === "string"
    ? `${name} ${mark}`
    : Object.fromEntries(Object.entries(name as object).map(([language, text]) => [language, text && `${text} ${mark}`]));

/** One row of each kind under each key; a size and an option of their own in dishes that stay. */
const addRows = (file: VenueFile, keys: string[]): void => {
  const [branch] = file.branches;
  const [category] = readSample("lab").menus.flatMap((menu) => menu.categories);
  const [item] = category?.items ?? [];
  if (!branch || !category || !item) throw new Error("The sample has no dish to copy");
  const named = keys.map((key) => ({ key, name: { en: key }, price_minor: 100 }));
  const plain = { ...item, tax: null };
  for (const place of file.branches) Object.assign(place, { hours: null, closing_days: [] });
  Object.assign(file.booking, { allow_overbooking: true, party_size_max: 20, lead_minutes: 0, horizon_days: 365, service_periods: null });
  for (const { key, name } of named) {
    const options = named.map((option) => ({ ...option, is_available: true }));
    file.modifier_groups.push({ key, name, min_select: 0, max_select: null, options });
    file.branches.push({ key, name, is_default: false, address: null, hours: null, closing_days: [] });
    file.guests.push({ ...GUEST, key });
    file.tables.push({ key, branch: branch.key, name: key, code: `${key} ${file.restaurant.slug}`, seats: 2, is_active: true });
    const others = [
      { ...plain, key: "wall-sold" },
      { ...plain, key: "wall-sized", price_minor: null, variants: named.map((size) => ({ ...size, is_default: false })) },
      { ...plain, key: "wall-topped", modifier_groups: ["wall"] },
    ];
    const items = [{ ...plain, key }, ...(key === "wall" ? others : [])];
    file.menus.push({ key, name, is_active: true, hours: null, categories: [{ ...category, key, items }] });
  }
};

const GUEST = {
  name: "Guest",
  phone: null,
  email: null,
  locale: null,
  marketing_opted_in: false,
  marketing_opted_in_at: null,
  staff_note: null,
};

type FixtureRows = Pick<TenantFixture, "alive" | "removed" | "stray" | "sized" | "topped">;

const rowsOf = async ({ database }: TestApp, { id: restaurantId, slug }: TestVenue): Promise<FixtureRows> => {
  const find = async (table: string, key: string, isAlive: boolean): Promise<number> => {
    const [row] = await database.asOwner<{ id: string }>(
      `select id from ${table} where restaurant_id = $1 and key = $2 and (deleted_at is null) = $3`,
      [restaurantId, key, isAlive],
    );
    if (!row) throw new Error(`${slug} has no ${isAlive ? "living" : "removed"} row ${key} in ${table}`);
    return Number(row.id);
  };
  const tables = { alive: `wall ${slug}`, removed: `doomed ${slug}`, stray: `WALL ${slug}` };
  const guest = async (key: string): Promise<number> => {
    const [row] = await database.asOwner<{ id: string }>("select id from guests where restaurant_id = $1 and key = $2", [
      restaurantId,
      key,
    ]);
    return Number(row?.id);
  };
  await database.asOwner("update guests set erased_at = now() where restaurant_id = $1 and key = 'doomed'", [restaurantId]);
  const names = {
    alive: { tables: tables.alive, guests: await guest("wall") },
    removed: { tables: tables.removed, guests: await guest("doomed") },
  } as Pick<FixtureRows, "alive" | "removed">;
  for (const kind of KINDS) {
    const { table, key } = NUMBERED[kind];
    names.alive[kind] = await find(table, key, true);
    names.removed[kind] = await find(table, "doomed", false);
  }
  const strays = KINDS.map((kind, index) => [kind, names.alive[KINDS[(index + 1) % KINDS.length] as Numbered]]);
  const stray = { ...Object.fromEntries(strays), tables: tables.stray, guests: names.alive.items } as FixtureRows["stray"];
  return { ...names, stray, sized: await find("items", "wall-sized", true), topped: await find("items", "wall-topped", true) };
};
