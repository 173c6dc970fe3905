import type { ScreenState } from "@comanda/contract/console/screens.ts";
import { expect, test } from "vitest";
import { CODE_VALID_MS, ENDED_SCREEN, stepOf, takeAnswer, takeNewCode } from "./screen-view.ts";

const NOW = Date.parse("2026-11-16T20:00:00Z");
const none: ScreenState = { state: "none", code: null, expires_at: null, screen: null, venue_name: null };
const pairing = (leftMs: number, code = "482913"): ScreenState => ({
  ...none,
  state: "pairing",
  code,
  expires_at: new Date(NOW + leftMs).toISOString(),
});
const paired: ScreenState = { ...none, state: "paired" };

test("a device that was never paired starts", () => {
  expect(stepOf(takeAnswer(undefined, none), NOW)).toBe("start");
});

test("a code is shown until its time has come", () => {
  const known = takeAnswer(undefined, pairing(1000));
  expect([stepOf(known, NOW), stepOf(known, NOW + 1000)]).toEqual(["code", "expired"]);
});

test("a code that the service no longer has is expired, and stays so", () => {
  const gone = takeAnswer(takeNewCode(pairing(60_000), NOW), none);
  expect([stepOf(gone, NOW), stepOf(takeAnswer(gone, none), NOW)]).toEqual(["expired", "expired"]);
});

test("a paired device that the service no longer knows was ended, and can begin again", () => {
  const ended = takeAnswer(takeAnswer(undefined, paired), none);
  expect([stepOf(ended, NOW), stepOf(takeAnswer(ended, none), NOW), stepOf(ENDED_SCREEN, NOW)]).toEqual(["ended", "ended", "ended"]);
  expect(stepOf(takeNewCode(pairing(60_000), NOW), NOW)).toBe("code");
});

test("a wrong clock does not end a new code", () => {
  for (const wrongBy of [-CODE_VALID_MS * 2, CODE_VALID_MS * 2]) {
    const known = takeNewCode(pairing(CODE_VALID_MS + wrongBy), NOW);
    expect(known.validUntil).toBe(NOW + CODE_VALID_MS);
    const again = takeAnswer(known, pairing(CODE_VALID_MS + wrongBy));
    expect(stepOf(again, NOW + CODE_VALID_MS - 1)).toBe("code");
  }
});
