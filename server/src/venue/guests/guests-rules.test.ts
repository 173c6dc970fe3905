/** What a search for guests means, and what two profiles of one person become. */
import { expect, test } from "vitest";
import { mergeProfiles, parseGuestSearch } from "./rules.ts";

test.each([
  ["+49 (170) 555-12", { digits: "4917055512" }],
  ["0170 555", { digits: "170555" }],
  ["٥٥٥١", { digits: "5551" }],
  ["0062", { digits: "0062" }],
  ["00", null],
  ["12", null],
  ["   ", null],
  [" Ada ", { name: "Ada" }],
  ["Table 4", { name: "Table 4" }],
])("%j is a search for %j", (text, wanted) => expect(parseGuestSearch(text)).toEqual(wanted));

const guest = {
  phone: "+1" as string | null,
  email: null as string | null,
  locale: null as string | null,
  staff_note: null as string | null,
  marketing_opted_in: true,
  marketing_opted_in_at: new Date("2026-01-01T00:00:00Z") as Date | null,
  visits_count: 2,
  total_spend_minor: 100,
  last_visit_at: null as Date | null,
  created_at: new Date("2026-02-01T00:00:00Z"),
};

test("what the guest lacks comes from the other profile, and figures are added", () => {
  const other = { ...guest, phone: "+2", email: "a@b.c", visits_count: 5, last_visit_at: new Date(5), created_at: new Date(3) };
  expect(mergeProfiles(guest, other)).toMatchObject({
    phone: "+1",
    email: "a@b.c",
    visits_count: 7,
    total_spend_minor: 200,
    last_visit_at: new Date(5),
    created_at: new Date(3),
  });
  expect(mergeProfiles({ ...guest, total_spend_minor: Number.MAX_SAFE_INTEGER }, other).total_spend_minor).toBe(Number.MAX_SAFE_INTEGER);
});

test.each([
  [true, true, true],
  [true, false, false],
  [false, true, false],
  [false, false, false],
])("consent %s and %s is %s", (one, two, result) => {
  const merged = mergeProfiles({ ...guest, marketing_opted_in: one }, { ...guest, marketing_opted_in: two });
  expect([merged.marketing_opted_in, merged.marketing_opted_in_at !== null]).toEqual([result, result]);
});

test("notes are joined, and the same note is kept once", () => {
  const noted = (note: string | null) => ({ ...guest, staff_note: note });
  expect(mergeProfiles(noted("a"), noted("b")).staff_note).toBe("a\nb");
  expect(mergeProfiles(noted("a"), noted("a")).staff_note).toBe("a");
  expect(mergeProfiles(noted(null), noted(null)).staff_note).toBeNull();
});
