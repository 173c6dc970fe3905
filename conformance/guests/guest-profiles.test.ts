/** Guests: their list, and which of their fields are shown. */
import { describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { expectInvalid, expectRefused } from "../expectations.ts";
import { activeVenues, essential, lab, neighbour } from "../target.ts";
import { allGuests, getGuest, guestPageOf, listGuests, newGuest, readGuest } from "./guests.ts";

const FIELDS = [
  "contact_shared created_at email id last_visit_at locale marketing_opted_in marketing_opted_in_at",
  "name phone total_spend_minor visits_count",
].flatMap((line) => line.split(" "));

const list = (query: string) => call(lab.tokens.full, "GET", "/guests", { query });
const idsOf = (guests: readonly { id: number }[]): number[] => guests.map(({ id }) => id);
const optedIn = { marketing_opted_in: "true" };

describe("a guest", () => {
  test("R2.8-01 has its fields and no other, in the list and alone", async () => {
    for (const guest of await allGuests(lab)) expect(Object.keys(guest).sort()).toEqual(FIELDS);
    const { guest } = await newGuest(lab);
    expect(Object.keys(await readGuest(lab, guest.id)).sort()).toEqual(FIELDS);
  });

  for (const venue of activeVenues)
    test(`R2.8-02 R2.8-05 ${venue.slug}: contact details and the moment of consent are there exactly for those who agreed`, async () => {
      const guests = await allGuests(venue);
      expect(guests.some((guest) => guest.marketing_opted_in)).toBe(true);
      expect(guests.some((guest) => !guest.marketing_opted_in)).toBe(true);
      for (const { marketing_opted_in, marketing_opted_in_at, contact_shared, phone, email } of guests) {
        expect(contact_shared).toBe(marketing_opted_in);
        expect(marketing_opted_in_at !== null).toBe(marketing_opted_in);
        if (marketing_opted_in) expect(phone ?? email).not.toBeNull();
        else expect([phone, email]).toEqual([null, null]);
      }
    });

  test("R2.8-02 consent is never assumed: who orders with a number and an address is shown without them", async () => {
    const { guest } = await newGuest(lab);
    expect(guest).toMatchObject({
      phone: null,
      email: null,
      contact_shared: false,
      marketing_opted_in: false,
      marketing_opted_in_at: null,
    });
  });

  test("R2.8-04 no answer has a note about a guest, under any name", async () => {
    for (const venue of [lab, neighbour]) {
      const answer = await call(venue.tokens.full, "GET", "/guests", { query: "per_page=100" });
      expect(answer.text).not.toMatch(/"[^"]*(note|remark|comment|staff)[^"]*":/i);
      const [guest] = guestPageOf(answer).data;
      expect((await getGuest(venue, guest?.id ?? 0)).text).not.toMatch(/"[^"]*(note|remark|comment|staff)[^"]*":/i);
    }
  });

  test("R2.8-05 visits and spending are whole numbers from 0 on", async () => {
    for (const { visits_count, total_spend_minor, last_visit_at } of await allGuests(lab)) {
      for (const count of [visits_count, total_spend_minor]) expect(Number.isInteger(count) && count >= 0).toBe(true);
      expect(last_visit_at === null).toBe(visits_count === 0);
    }
  });
});

describe("GET /guests", () => {
  test("R4.4-01 in the order of their ids, each once, as each is alone", async () => {
    const guests = await allGuests(neighbour);
    const ids = idsOf(guests);
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
    for (const guest of await allGuests(neighbour, optedIn)) expect(await readGuest(neighbour, guest.id)).toEqual(guest);
  });

  test("R4.4-01 one alone comes with empty meta and links; 404 for an unknown or malformed id", async () => {
    const [guest] = (await listGuests(lab, { per_page: 1 })).data;
    expect((await getGuest(lab, guest?.id ?? 0)).body).toEqual({ data: guest, meta: {}, links: {} });
    for (const id of [9007199254740991, "0", "-1", "abc", "1.5"]) expectRefused(await getGuest(lab, id), "not_found");
  });

  test("R4.4-01 R4.0-05 R4.0-06 R4.0-07 page by page with a filter, there and back", async () => {
    const expected = idsOf(await allGuests(lab, optedIn));
    expect(expected.length).toBeGreaterThanOrEqual(3);
    const seen: number[] = [];
    let page = await listGuests(lab, { ...optedIn, per_page: 1 });
    seen.push(...idsOf(page.data));
    while (page.links.next !== null) {
      const followed = guestPageOf(await call(lab.tokens.full, "GET", page.links.next));
      expect(followed).toEqual(await listGuests(lab, { ...optedIn, per_page: 1, cursor: String(page.meta.next_cursor) }));
      const back = guestPageOf(await call(lab.tokens.full, "GET", String(followed.links.prev)));
      expect(idsOf(back.data)).toEqual(idsOf(page.data));
      page = followed;
      seen.push(...idsOf(page.data));
    }
    expect(seen).toEqual(expected);
  });

  test("RX-13 RX-14 the neighbour's guests are 404 and in none of our lists", async () => {
    const theirs = idsOf(await allGuests(neighbour));
    expect(idsOf(await allGuests(lab)).filter((id) => theirs.includes(id))).toEqual([]);
    expectRefused(await getGuest(lab, theirs[0] ?? 0), "not_found");
  });

  test("R1-07 a plan without reservations and reporting still has its guests", async () => {
    expect((await listGuests(essential)).data.length).toBeGreaterThan(0);
  });
});

describe("marketing_opted_in", () => {
  for (const [text, agreed] of Object.entries({ true: true, "1": true, false: false, "0": false }))
    test(`R4.4-02 ${text} selects those who ${agreed ? "agreed" : "did not"}`, async () => {
      const guests = await allGuests(lab, { marketing_opted_in: text });
      expect(guests.length).toBeGreaterThanOrEqual(2);
      for (const { marketing_opted_in } of guests) expect(marketing_opted_in).toBe(agreed);
    });

  test("R4.4-02 both halves together are all", async () => {
    const halves = [...(await allGuests(lab, { marketing_opted_in: "1" })), ...(await allGuests(lab, { marketing_opted_in: "0" }))];
    expect(idsOf(await allGuests(lab))).toEqual(expect.arrayContaining(idsOf(halves)));
  });

  for (const text of ["yes", "TRUE", "2", "null", "true,false", "-1"])
    test(`R4.4-02 422 for ${text}`, async () => {
      expectInvalid(await list(`marketing_opted_in=${text}`), "marketing_opted_in");
    });
});

describe("writing", () => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE"])
    test(`R4.4-04 405 for ${method}, on the list and on one guest`, async () => {
      const { guest } = await newGuest(lab);
      for (const path of ["/guests", `/guests/${guest.id}`]) {
        const answer = await call(lab.tokens.full, method, path, { body: { name: "Changed" } });
        expectRefused(answer, "method_not_allowed");
        expect(answer.headers.get("allow")).toContain("GET");
      }
      expect(await readGuest(lab, guest.id)).toEqual(guest);
    });
});
