/** Guests in the console on a real database: search, notes, details, consent and its history, merge, erasure with a receipt. */
import type { FoundGuest, GuestProfile } from "@comanda/contract/console/guests.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { placeLabOrder } from "../../../../test/support/console-bodies.ts";
import { type ConsoleAnswer, createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { makeReservation } from "../../bookings/reservations/service/bookings.ts";
import { changeGuest } from "../../guests/service.ts";

let app: TestApp;
let lab: TestVenue;
let people: Record<"owner" | "manager" | "staff", TestUser>;
let calls = 0;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  const roles = ["owner", "manager", "staff"] as const;
  const made = await Promise.all(roles.map(async (role) => [role, await createUser(app, lab.slug, role)] as const));
  people = Object.fromEntries(made) as typeof people;
});
afterAll(() => app.close());

const base = "/venues/lab/guests";
/** `to` is a method and a path below the guests of the venue. */
const write = (
  role: keyof typeof people,
  to: `${"PUT" | "POST"} /${string}`,
  body: object,
  key = `key-${++calls}`,
): Promise<ConsoleAnswer> => {
  const [method = "", path = ""] = to.split(" ");
  return people[role].call(method, `${base}${path}`, { body, headers: { "idempotency-key": key } });
};
const profileOf = async (id: number): Promise<GuestProfile> => (await people.staff.call("GET", `${base}/${id}`)).body.data;
const find = async (search: string): Promise<FoundGuest[]> =>
  (await people.staff.call("GET", `${base}?search=${encodeURIComponent(search)}`)).body.data.guests;
const idBy = async (phone: string): Promise<number> => {
  const [row] = await app.database.asOwner<{ id: string }>("select id from guests where phone = $1 and erased_at is null", [phone]);
  return Number(row?.id);
};
/** A guest with one order and one booking. */
const newGuest = async (name: string, phone: string, email: string | null = null): Promise<number> => {
  await placeLabOrder(app, lab, { customer_name: name, customer_phone: phone, customer_email: email });
  return idBy(phone);
};
const eventsOf = async (id: number): Promise<{ type: string; erased: boolean; guest: Record<string, unknown> }[]> => {
  const rows = await app.database.asOwner<{ body: string }>(
    "select body from events where type like 'guest.%' and body::jsonb #>> '{data,guest,id}' = $1 order by created_at, id",
    [String(id)],
  );
  return rows.map(({ body }) => ({ type: JSON.parse(body).type, ...JSON.parse(body).data }));
};

test("JG-01 a guest is found by the end of the number, by digits inside, and by first and last name, those who came last first", async () => {
  const early = await newGuest("Miriam Abendroth", "+49 170 555 8123");
  app.clock.advance(60_000);
  const late = await newGuest("Abel Miriamson", "+49 170 555 9123");
  const idsOf = (found: FoundGuest[]) => found.map(({ id }) => id);
  expect(idsOf(await find("123"))).toEqual([late, early]);
  expect(idsOf(await find("0170 555 8123"))).toEqual([early]);
  expect(idsOf(await find("٥٥٥٨"))).toEqual([early]);
  expect(idsOf(await find("miriam"))).toEqual([late, early]);
  expect(idsOf(await find("abendr"))).toEqual([early]);
  expect(idsOf(await find("endro"))).toEqual([early]);
  expect(await find("12")).toEqual([]);
  expect(await find("50%")).toEqual([]);
  const all = (await people.staff.call("GET", base)).body.data.guests as FoundGuest[];
  expect(idsOf(all).slice(0, 2)).toEqual([late, early]);
});

test("JG-02 staff write a note without an event, and change details with one; a second person is told who was faster", async () => {
  const id = await newGuest("Otto", "+1 555 2001");
  expect((await write("staff", `PUT /${id}/note`, { seen_note: null, note: "Sits by the window" })).status).toBe(200);
  expect(await eventsOf(id)).toHaveLength(1);
  const lost = await write("manager", `PUT /${id}/note`, { seen_note: null, note: "Allergic" });
  expect(lost.status).toBe(409);
  expect(lost.body.error.details).toMatchObject({ guest: { note: "Sits by the window" }, changed_by: "staff" });
  const { name, phone, email, locale } = await profileOf(id);
  const seen = { name, phone, email, locale };
  const details = { ...seen, name: "Otto Weidt", email: "otto@example.com", locale: "de" };
  const first = await write("staff", `PUT /${id}/details`, { seen, details }, "same");
  const again = await write("staff", `PUT /${id}/details`, { seen, details }, "same");
  expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
  expect((await eventsOf(id)).map(({ type, guest }) => [type, guest.name])).toEqual([
    ["guest.created", "Otto"],
    ["guest.updated", "Otto Weidt"],
  ]);
  expect((await write("staff", `PUT /${id}/details`, { seen, details })).status).toBe(409);
  await newGuest("Other", "+1 555 2002");
  const taken = await write("staff", `PUT /${id}/details`, { seen: details, details: { ...details, phone: "+1 555-2002" } });
  expect([taken.status, Object.keys(taken.body.error.details)]).toEqual([422, ["phone"]]);
  const entries = await app.database.asOwner<{ text: string }>(
    "select a::text as text from audit_entries a where subject_kind = 'guest' and subject_id = $1",
    [String(id)],
  );
  expect(entries.filter(({ text }) => /Weidt|window|otto@/.test(text))).toEqual([]);
});

test("JG-03 consent has a history from the console, the command line and a file; staff may not record it", async () => {
  const id = await newGuest("Ines", "+1 555 3001");
  const given = { seen_is_given: false, is_given: true, source: "in_person" };
  expect((await write("staff", `POST /${id}/consents`, given)).status).toBe(403);
  expect((await write("manager", `POST /${id}/consents`, given)).status).toBe(201);
  expect((await write("manager", `POST /${id}/consents`, given)).status).toBe(409);
  app.clock.advance(60_000);
  await forVenue(app.deps, lab.slug, (ctx) => changeGuest(ctx, id, { marketing_opted_in: false }));
  const { consents, marketing_opted_in } = await profileOf(id);
  expect(marketing_opted_in).toBe(false);
  expect(consents.map(({ is_given, source, recorded_by }) => [is_given, source, recorded_by])).toEqual([
    [false, "command", expect.any(String)],
    [true, "in_person", "manager"],
  ]);
  expect((await eventsOf(id)).map(({ guest }) => guest.marketing_opted_in)).toEqual([false, true, false]);
  const [imported] = await app.database.asOwner<{ guest_id: string }>("select guest_id from guest_consents where source = 'file' limit 1");
  expect(imported).toBeDefined();
});

test("JG-06 a merge adds visits, keeps both numbers, and takes the stricter consent; the other guest is gone for the API", async () => {
  const [kept, other] = [await newGuest("Rosa", "+1 555 6001", "rosa@example.com"), await newGuest("R. Luxe", "+1 555 6002")];
  await forVenue(app.deps, lab.slug, (ctx) => changeGuest(ctx, kept, { marketing_opted_in: true }));
  await forVenue(app.deps, lab.slug, (ctx) =>
    makeReservation(ctx, { name: "R. Luxe", phone: "+1 555 6002", party_size: 2, date: "2026-12-01", time: "19:00" }),
  );
  await app.database.asOwner("update guests set visits_count = 3, total_spend_minor = 500, staff_note = 'Loud' where id = $1", [other]);
  await app.database.asOwner("update guests set visits_count = 2, total_spend_minor = 250, staff_note = 'Kind' where id = $1", [kept]);
  const [seen, seenOther] = [await profileOf(kept), await profileOf(other)];
  const body = { other_id: other, seen_version: seen.version, other_seen_version: seenOther.version };
  expect((await write("staff", `POST /${kept}/merge`, body)).status).toBe(403);
  expect((await write("manager", `POST /${kept}/merge`, { ...body, other_seen_version: "old" })).status).toBe(409);
  expect((await write("manager", `POST /${kept}/merge`, { ...body, other_id: kept })).status).toBe(422);
  app.clock.advance(5000);
  const since = app.clock.now().toISOString().slice(0, 19);
  const merged = await write("manager", `POST /${kept}/merge`, body);
  expect(merged.status, merged.text).toBe(200);
  expect(await profileOf(kept)).toMatchObject({
    visits_count: 5,
    total_spend_minor: 750,
    note: "Kind\nLoud",
    marketing_opted_in: false,
    other_contacts: [{ id: other, name: "R. Luxe", phone: "+1 555 6002" }],
    orders: [{}, {}],
    reservations: [{}],
  });
  expect((await profileOf(kept)).consents[0]).toMatchObject({ is_given: false, source: "merge" });
  expect((await app.call(lab.token, "GET", `/guests/${other}`)).status).toBe(404);
  const changed = (await app.call(lab.token, "GET", `/guests?per_page=100&updated_since=${since}Z`)).body.data;
  expect(changed.map(({ id }: { id: number }) => id)).toEqual([kept]);
  expect((await eventsOf(other)).at(-1)).toEqual({ type: "guest.updated", guest: { id: other }, erased: true });
  expect((await eventsOf(kept)).at(-1)).toMatchObject({ erased: false, guest: { visits_count: 5 } });
  for (const phone of ["+1 555 6001", "+1 (555) 6002"]) await placeLabOrder(app, lab, { customer_name: "Rosa", customer_phone: phone });
  expect((await profileOf(kept)).orders).toHaveLength(4);
  expect((await find("6002")).map(({ id }) => id)).toEqual([kept]);
  expect((await people.staff.call("GET", "/venues/lab/order-guest?phone=%2B15556002")).body.data.name).toBe("Rosa");
  expect((await people.staff.call("GET", `${base}/${other}`)).status).toBe(404);
});

test("a merged guest takes over the other's number as its own, and a chain of merges leads to the last one", async () => {
  const ids = [await newGuest("One", "+1 555 6101"), await newGuest("Two", "+1 555 6102"), await newGuest("Three", "+1 555 6103")];
  const [one = 0, two = 0, three = 0] = ids;
  const merge = async (kept: number, other: number) => {
    const [a, b] = [await profileOf(kept), await profileOf(other)];
    return write("owner", `POST /${kept}/merge`, { other_id: other, seen_version: a.version, other_seen_version: b.version });
  };
  expect((await merge(two, one)).status).toBe(200);
  expect((await merge(three, two)).status).toBe(200);
  for (const phone of ["+1 555 6101", "+1 555 6102"]) await placeLabOrder(app, lab, { customer_name: "X", customer_phone: phone });
  expect((await profileOf(three)).orders).toHaveLength(5);
  const { name, phone, email, locale } = await profileOf(three);
  const seen = { name, phone, email, locale };
  const taken = await write("staff", `PUT /${three}/details`, { seen, details: { ...seen, phone: "+1 555 6101" } });
  expect(taken.status, taken.text).toBe(200);
  expect(await profileOf(three)).toMatchObject({ phone: "+1 555 6101", other_contacts: [{ phone: null }, { phone: "+1 555 6102" }] });
});

test("JG-04 an owner erases a guest with a receipt without personal data; merged profiles are erased with it", async () => {
  const [kept, other] = [await newGuest("Zelda Quist", "+1 555 4001", "zelda@example.com"), await newGuest("Zel Quist", "+1 555 4002")];
  const [a, b] = [await profileOf(kept), await profileOf(other)];
  await write("owner", `POST /${kept}/merge`, { other_id: other, seen_version: a.version, other_seen_version: b.version });
  expect((await write("owner", `POST /${kept}/erasure`, { seen_version: a.version })).status).toBe(409);
  const { version } = await profileOf(kept);
  expect((await write("manager", `POST /${kept}/erasure`, { seen_version: version })).status).toBe(403);
  const erased = await write("owner", `POST /${kept}/erasure`, { seen_version: version });
  expect(erased.status, erased.text).toBe(200);
  expect(erased.body.data).toMatchObject({ guest_id: kept, erased_by: "owner", erased: { profiles: 2, orders: 2, reservations: 0 } });
  const [entry] = await app.database.asOwner<{ after: object }>(
    "select after from audit_entries where action = 'guest.erased' and subject_id = $1",
    [String(kept)],
  );
  expect(entry?.after).toEqual({ erased: erased.body.data.erased });
  expect((await people.owner.call("GET", `${base}/${kept}`)).status).toBe(404);
  expect(await find("4002")).toEqual([]);
  const again = await newGuest("Zel", "+1 555 4002");
  expect([kept, other]).not.toContain(again);
});
