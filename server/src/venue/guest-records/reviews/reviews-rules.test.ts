import { expect, test } from "vitest";
import { type AskDecision, daytimeFrom, decideAsking, linkStateOf, type Rated, readComment, readRating } from "./rules.ts";

const NOON = new Date("2026-11-14T12:00:00Z");
const RULES = { is_on: true, wait_minutes: 60 };
const RATED: Rated = { guestId: 1, name: "Ada", phone: "+1 555 0100", email: null, overAt: NOON };
const decide = (rated: Partial<Rated>, { rules = RULES, now = NOON, dueAt = NOON, zone = "UTC", isActive = true } = {}): AskDecision =>
  decideAsking({ rated: { ...RATED, ...rated }, dueAt }, rules, { now, zone, isActive });

test("a guest is asked when it is over and there is an address; otherwise the reason is told", () => {
  expect(decide({})).toEqual({ step: "ask" });
  expect(decide({ phone: "", email: "ada@example.test" })).toEqual({ step: "ask" });
  expect(decide({}, { isActive: false })).toEqual({ step: "skip", reason: "the venue cannot be used" });
  expect(decide({}, { rules: { ...RULES, is_on: false } })).toEqual({ step: "skip", reason: "reviews are switched off" });
  expect(decide({ phone: "" })).toEqual({ step: "skip", reason: "there is no address" });
  expect(decide({ phone: null })).toMatchObject({ step: "skip" });
  expect(decide({ overAt: null })).toEqual({ step: "skip", reason: "it was called off" });
  expect(decide({}, { dueAt: new Date("2026-11-07T11:59:59Z") })).toEqual({ step: "skip", reason: "it is too long ago" });
});

test("a party that is still there is asked after it left", () => {
  const overAt = new Date("2026-11-14T12:20:00Z");
  expect(decide({ overAt })).toEqual({ step: "wait", until: new Date("2026-11-14T13:20:00Z") });
});

test.each([
  ["2026-11-14T09:00:00Z", "Europe/Rome", "2026-11-14T09:00:00Z"],
  ["2026-11-14T08:59:59Z", "Europe/Rome", "2026-11-14T09:00:00Z"],
  ["2026-11-14T20:00:00Z", "Europe/Rome", "2026-11-15T09:00:00Z"],
  ["2026-11-14T19:59:59Z", "Europe/Rome", "2026-11-14T19:59:59Z"],
  // The night in which summer time ends.
  ["2026-10-24T23:30:00Z", "Europe/Rome", "2026-10-25T09:00:00Z"],
  ["2026-11-14T12:00:00Z", "Asia/Tokyo", "2026-11-15T01:00:00Z"],
])("at %s in %s a guest is asked at %s", (now, zone, asked) => {
  expect(daytimeFrom(new Date(now), zone)).toEqual(new Date(asked));
});

test("a link works from the message to its last moment, once", () => {
  const expires_at = new Date(NOON.getTime() + 1);
  expect(linkStateOf({ state: "sent", expires_at }, NOON)).toBe("open");
  expect(linkStateOf({ state: "sent", expires_at: NOON }, NOON)).toBe("closed");
  expect(linkStateOf({ state: "used", expires_at: NOON }, NOON)).toBe("used");
  for (const state of ["waiting", "skipped", "ended"]) expect(linkStateOf({ state, expires_at }, NOON)).toBe("closed");
  expect(linkStateOf(undefined, NOON)).toBe("closed");
});

test("a comment has no characters that show nothing, at most 2000 of the others, and may be missing", () => {
  expect(readComment(" Lovely\r\npizza\u0000\u202e ")).toEqual({ comment: "Lovely\npizza" });
  expect(readComment(" \r\n ")).toEqual({ comment: null });
  expect(readComment("a".repeat(2000))?.comment).toHaveLength(2000);
  expect(readComment("a".repeat(2001))).toBeNull();
});

test("a rating is a whole number from 1 to 5", () => {
  expect(["1", "5"].map(readRating)).toEqual([1, 5]);
  for (const text of ["0", "6", "", "1.5", "05", " 5", "five", "1e0"]) expect(readRating(text)).toBeNull();
});
