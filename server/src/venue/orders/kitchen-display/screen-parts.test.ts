/** What a screen is of: its stations and branch may leave the venue, and what it may change is what it shows. */
import { randomUUID } from "node:crypto";
import type { Kitchen, KitchenTicket } from "@comanda/contract/console/kitchen.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { placeLabOrder } from "../../../../test/support/console-bodies.ts";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { pairScreen, type TestScreen } from "../../../../test/support/paired-screen.ts";
import { startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { changeOf } from "./rules.ts";

let app: TestApp;
let lab: TestVenue;
let manager: TestUser;
let branches: number[];

beforeAll(async () => {
  app = await startApp();
  app.clock.set(new Date().toISOString());
  lab = await app.venue("lab");
  manager = await createUser(app, lab.slug, "manager");
  const screens = (await manager.call("GET", `/venues/${lab.slug}/screens`)).body.data;
  branches = screens.branches.map(({ id }: { id: number }) => id);
});
afterAll(() => app.close());

const read = async (screen: TestScreen, query = ""): Promise<Kitchen> => (await screen.call("GET", `/kitchen${query}`)).body.data;
const NOTHING_MISSING = { stations: [], is_branch_missing: false };

const accepted = async (changes: Record<string, unknown> = {}): Promise<string> => {
  const id = await placeLabOrder(app, lab, changes);
  expect((await app.call(lab.token, "POST", `/orders/${id}/status`, { body: { status: "accepted" } })).status).toBe(200);
  return id;
};

test("a screen is told which of its stations the menu no longer has, and whether its branch was removed", async () => {
  await app.database.asOwner("update categories set station = 'Grill' where restaurant_id = $1 and station = 'Bench'", [lab.id]);
  const [grill, all, annex] = [
    await pairScreen(app, lab.slug, manager, { stations: ["Grill"] }),
    await pairScreen(app, lab.slug, manager),
    await pairScreen(app, lab.slug, manager, { branch_id: branches[1] ?? null }),
  ];
  for (const screen of [grill, all, annex]) expect((await read(screen)).missing).toEqual(NOTHING_MISSING);
  const { position } = await read(grill);
  await app.database.asOwner("update categories set station = 'Fire' where restaurant_id = $1 and station = 'Grill'", [lab.id]);
  await app.database.asOwner("update branches set deleted_at = now() where restaurant_id = $1 and id = $2", [lab.id, branches[1]]);
  await accepted();
  const told = await read(grill, `?after=${encodeURIComponent(position)}`);
  expect([told.is_whole, told.tickets, told.missing]).toEqual([false, [], { stations: ["Grill"], is_branch_missing: false }]);
  expect((await read(annex)).missing).toEqual({ stations: [], is_branch_missing: true });
  expect((await read(all)).missing).toEqual(NOTHING_MISSING);
  await manager.call("PATCH", `/venues/${lab.slug}/screens/${grill.id}`, { body: { stations: ["Fire"] } });
  const mended = await read(grill);
  expect([mended.missing, mended.tickets.length > 0]).toEqual([NOTHING_MISSING, true]);
});

test("a station whose last category was removed is missing too", async () => {
  await app.database.asOwner(
    `insert into categories select (jsonb_populate_record(c, jsonb_build_object('id', c.id + 1000000, 'key', 'cellar', 'station', 'Cellar'))).*
     from categories c where restaurant_id = $1 limit 1`,
    [lab.id],
  );
  const cellar = await pairScreen(app, lab.slug, manager, { stations: ["Cellar"] });
  expect((await read(cellar)).missing).toEqual(NOTHING_MISSING);
  await app.database.asOwner("update categories set deleted_at = now() where restaurant_id = $1 and station = 'Cellar'", [lab.id]);
  expect((await read(cellar)).missing.stations).toEqual(["Cellar"]);
});

test("a screen sells out what its stations cook; a screen of all stations any dish", async () => {
  const order = await accepted();
  const all = await pairScreen(app, lab.slug, manager);
  const ticket = (await read(all)).tickets.find(({ order_id }) => order_id === order) as KitchenTicket;
  const dish = ticket.lines[0]?.item_id;
  const [own, other] = [
    await pairScreen(app, lab.slug, manager, { stations: [ticket.station] }),
    await pairScreen(app, lab.slug, manager, { stations: ["Shelf"] }),
  ];
  expect(ticket.station).not.toBe("Shelf");
  const sellOut = (screen: TestScreen) =>
    screen.call("POST", `/kitchen/dishes/${dish}/sold-out`, { body: {}, headers: { "idempotency-key": randomUUID() } });
  const isAvailable = async (): Promise<boolean> => (await app.call(lab.token, "GET", `/items/${dish}`)).body.data.is_available;
  expect([(await sellOut(other)).status, await isAvailable()]).toEqual([404, true]);
  expect([(await sellOut(own)).status, await isAvailable()]).toEqual([200, false]);
  expect((await sellOut(all)).status).toBe(200);
});

test("an acknowledgement leaves a line open that was struck after the screen was drawn", async () => {
  const all = await pairScreen(app, lab.slug, manager);
  const { data } = (await app.call(lab.token, "GET", "/items?per_page=100&available=true")).body;
  type Sold = { id: number; price_minor: number | null; modifier_groups: unknown[]; variants: unknown[] };
  const dish = (data as Sold[]).find(
    ({ price_minor, modifier_groups, variants }) => price_minor && !modifier_groups.length && !variants.length,
  );
  const order = await accepted({ lines: [1, 2, 3].map((quantity) => ({ item_id: dish?.id, quantity })) });
  const lines: { id: number }[] = (await app.call(lab.token, "GET", `/orders/${order}`)).body.data.items;
  const strike = (place: number) =>
    manager.call("POST", `/venues/${lab.slug}/orders/${order}/lines/${lines[place]?.id}/strike`, {
      body: { seen_status: "accepted", reason: "ordered twice" },
      headers: { "idempotency-key": randomUUID() },
    });
  expect((await strike(0)).status).toBe(200);
  const shown = (await read(all)).tickets.find(({ order_id }) => order_id === order) as KitchenTicket;
  expect((await strike(1)).status).toBe(200);
  const tap = { change: "acknowledge", seen_state: "fired", struck_lines: [0] };
  const answer = await all.call("POST", `/kitchen/tickets/${shown.id}`, { body: tap, headers: { "idempotency-key": randomUUID() } });
  expect(answer.body.data.lines.map((line: KitchenTicket["lines"][number]) => [line.is_struck, line.is_acknowledged])).toEqual([
    [true, true],
    [true, false],
    [false, false],
  ]);
});

test("what a cook acknowledges are the struck lines that were shown; without them, all", () => {
  const lines: { voided?: true; acknowledged?: true }[] = [{ voided: true }, { voided: true }, {}];
  const ticket = {
    state: "fired" as const,
    lines,
    is_priority: false,
    done_at: null,
    acknowledged_at: null,
  };
  const tap = { change: "acknowledge" as const, seen_state: "fired" as const };
  const acknowledgedBy = (struck_lines?: number[]) => {
    const changed = changeOf(ticket, { ...tap, ...(struck_lines ? { struck_lines } : {}) }, new Date());
    return typeof changed === "object" && "next" in changed ? changed.next.lines.map(({ acknowledged }) => acknowledged === true) : changed;
  };
  expect(acknowledgedBy([0])).toEqual([true, false, false]);
  expect(acknowledgedBy([0, 1, 2])).toEqual([true, true, false]);
  expect(acknowledgedBy([2])).toBe("unchanged");
  expect(acknowledgedBy()).toEqual([true, true, false]);
});
