/** Guests on a real database: contact only under consent, one event for one change, and a list that misses nothing. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Guest } from "@comanda/contract/venue/guests.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";
import { makeReservation } from "../bookings/reservations/service/bookings.ts";
import { addVisit, changeGuest, setStaffNote } from "./service.ts";

/** Within what a list waits for; and so long that a list which does not wait is surely done before. */
const SLOW_MS = 60;
const PLANTED_MS = 1500;

let app: TestApp;
let lab: TestVenue;
let ids: Record<"ada" | "dev" | "eva", number>;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  const rows = await app.database.asOwner<{ key: string; id: string }>("select key, id from guests where restaurant_id = $1", [lab.id]);
  ids = Object.fromEntries(rows.map(({ key, id }) => [key, Number(id)])) as typeof ids;
});
afterAll(() => app.close());

const read = async (id: number): Promise<Guest> => (await app.call(lab.token, "GET", `/guests/${id}`)).body.data;
const change = (id: number, wanted: Parameters<typeof changeGuest>[2]) =>
  forVenue(app.deps, lab.slug, (ctx) => changeGuest(ctx, id, wanted));
/** The ids of the guests a client is shown that asks for what changed since. */
const changedSince = async (since: string): Promise<number[]> => {
  const { body } = await app.call(lab.token, "GET", `/guests?per_page=100&updated_since=${encodeURIComponent(since)}`);
  return body.data.map((guest: Guest) => guest.id);
};
const events = async (id: number): Promise<{ type: string; data: { guest: Guest; erased: boolean } }[]> => {
  const rows = await app.database.asOwner<{ body: string }>(
    "select body from events where type like 'guest.%' and body::jsonb #>> '{data,guest,id}' = $1 order by created_at, id",
    [String(id)],
  );
  return rows.map(({ body }) => JSON.parse(body));
};
const entries = (id: number) =>
  app.database.asOwner("select from audit_entries where subject_kind = 'guest' and subject_id = $1", [String(id)]);

test("R2.8-02 D125 phone and e-mail are shown while the guest agrees, hidden before and after", async () => {
  const hidden = { phone: null, email: null, contact_shared: false, marketing_opted_in: false, marketing_opted_in_at: null };
  const shown = { phone: "+1 202-555-0104", email: "dev@example.com", contact_shared: true, marketing_opted_in: true };
  expect(await read(ids.dev)).toMatchObject(hidden);
  await change(ids.dev, { marketing_opted_in: true });
  expect(await read(ids.dev)).toMatchObject({ ...shown, marketing_opted_in_at: "2026-11-14T12:00:00+00:00" });
  // Agreeing again is not agreeing later.
  app.clock.advance(60_000);
  await change(ids.dev, { marketing_opted_in: true, locale: "it" });
  expect(await read(ids.dev)).toMatchObject({ ...shown, marketing_opted_in_at: "2026-11-14T12:00:00+00:00", locale: "it" });
  await change(ids.dev, { marketing_opted_in: false });
  expect(await read(ids.dev)).toMatchObject(hidden);
  const list = (await app.call(lab.token, "GET", "/guests?marketing_opted_in=false&per_page=100")).body.data;
  expect(list.map((guest: Guest) => guest.id)).toContain(ids.dev);
  for (const guest of list) expect(guest).toMatchObject(hidden);
  expect((await events(ids.dev)).map(({ data }) => [data.guest.phone !== null, data.guest.email !== null])).toEqual([
    [true, true],
    [true, true],
    [false, false],
  ]);
});

test("R6.2-07 a change of a guest is told once, and no change not at all", async () => {
  await change(ids.eva, { name: "Eva Changed", phone: "+1 202-555-0105" });
  expect(await events(ids.eva)).toMatchObject([
    { type: "guest.updated", data: { guest: { name: "Eva Changed", phone: null }, erased: false } },
  ]);
  expect(await entries(ids.eva)).toHaveLength(1);
  app.clock.advance(60_000);
  const moment = app.clock
    .now()
    .toISOString()
    .replace(/\.\d+Z/, "+00:00");
  await change(ids.eva, { name: "Eva Changed", email: null, marketing_opted_in: false });
  await change(ids.eva, {});
  expect(await events(ids.eva)).toHaveLength(1);
  expect(await entries(ids.eva)).toHaveLength(1);
  expect(await changedSince(moment)).toEqual([]);
});

test("D127 D128 a visit alone is no event, yet the profile has changed", async () => {
  app.clock.advance(60_000);
  const moment = app.clock
    .now()
    .toISOString()
    .replace(/\.\d+Z/, "+00:00");
  const before = await events(ids.ada);
  await forVenue(app.deps, lab.slug, async (ctx) => addVisit(ctx, ids.ada, 1250));
  expect(await read(ids.ada)).toMatchObject({ visits_count: 1, total_spend_minor: 1250, last_visit_at: moment });
  expect(await events(ids.ada)).toEqual(before);
  expect(await changedSince(moment)).toEqual([ids.ada]);
});

/** A change that is written but committed late; gives back how to wait for its end, once it is written. */
const writeSlowly = async (id: number, name: string, ms: number): Promise<{ ended: Promise<unknown> }> => {
  const { promise: written, resolve } = Promise.withResolvers<void>();
  const ended = forVenue(app.deps, lab.slug, async (ctx) => {
    await changeGuest(ctx, id, { name });
    resolve();
    await sleep(ms);
  });
  await written;
  return { ended };
};

/**
 * A profile does not show when it changed, so a client asks from the moment of its last question on. One such client
 * asks while a change is under way, and again later; gives back whether it ever heard of the change.
 */
const hearsOfSlowWriter = async (round: number, ms: number): Promise<boolean> => {
  const moment = () =>
    app.clock
      .now()
      .toISOString()
      .replace(/\.\d+Z/, "+00:00");
  app.clock.advance(5000);
  const first = moment();
  const { ended } = await writeSlowly(ids.ada, `Ada ${round}`, ms);
  app.clock.advance(5000);
  const second = moment();
  await change(ids.eva, { name: `Eva ${round}` });
  const seen = await changedSince(first);
  await ended;
  seen.push(...(await changedSince(second)));
  expect(seen).toContain(ids.eva);
  return seen.includes(ids.ada);
};

test("D128 a client that asks for changes gets one that was committed late", async () => {
  for (let round = 0; round < 10; round++) expect(await hearsOfSlowWriter(round, SLOW_MS), `round ${round}`).toBe(true);
});

test("R2.8-04 a note of the staff is in no answer, no event and no message", async () => {
  const canary = "Tips badly, seat by the window";
  for (const id of Object.values(ids)) await forVenue(app.deps, lab.slug, (ctx) => setStaffNote(ctx, id, canary));
  await change(ids.dev, { marketing_opted_in: true });
  const contact = { name: "Dev", phone: "+1 202-555-0104", email: "dev@example.com" };
  await forVenue(app.deps, lab.slug, (ctx) => makeReservation(ctx, { ...contact, party_size: 2, date: "2026-12-01", time: "19:00" }));
  const answers = await Promise.all(
    ["/guests?per_page=100", `/guests/${ids.dev}`, "/reservations", "/orders"].map((path) => app.call(lab.token, "GET", path)),
  );
  const rows = await app.database.asOwner<{ text: string }>(
    "select body as text from events union all select subject || body from notifications union all select a::text from audit_entries a",
  );
  const all = [...answers, ...rows].map(({ text }) => text).join("\n");
  expect(all).toContain("Dev");
  expect(all).not.toContain(canary);
  expect(all).not.toContain("staff_note");
});

test("planted fault: when late changes are not waited for, such a client misses one", async () => {
  await app.database.asOwner(
    "create or replace function commit_horizon() returns timestamptz language sql volatile as 'select clock_timestamp()'",
  );
  expect(await hearsOfSlowWriter(99, PLANTED_MS)).toBe(false);
});
