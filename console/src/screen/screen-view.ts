/** What a device shows, from what the service said about it. */
import type { ScreenState } from "@comanda/contract/console/screens.ts";

/** How long a code is valid after it was made. */
export const CODE_VALID_MS = 10 * 60 * 1000;

/** `end`: why a device that showed something shows nothing now. `validUntil`: the end of the code on this device's clock. */
export type KnownScreen = ScreenState & { end: "expired" | "ended" | null; validUntil: number | null; isKept?: true };
export type ScreenStep = "start" | "code" | "expired" | "ended" | "paired";

export const ENDED_SCREEN: KnownScreen = {
  state: "none",
  code: null,
  expires_at: null,
  screen: null,
  venue_name: null,
  end: "ended",
  validUntil: null,
};

/** The service is away, and this device was paired when it last asked. */
export const KEPT_SCREEN: KnownScreen = { ...ENDED_SCREEN, state: "paired", end: null, isKept: true };

const endOf = (before: KnownScreen | undefined, state: ScreenState["state"]): KnownScreen["end"] => {
  if (state !== "none") return null;
  if (before?.state === "paired") return "ended";
  return before?.state === "pairing" ? "expired" : (before?.end ?? null);
};

export const takeAnswer = (before: KnownScreen | undefined, answer: ScreenState): KnownScreen => {
  const isSameCode = before?.state === "pairing" && before.code === answer.code;
  const expiresAt = answer.expires_at === null ? null : Date.parse(answer.expires_at);
  return { ...answer, end: endOf(before, answer.state), validUntil: isSameCode ? before.validUntil : expiresAt };
};

/** A new code is valid for ten minutes. When the clock of the device says something else, the clock is wrong. */
export const takeNewCode = (answer: ScreenState, now: number): KnownScreen => {
  const left = Date.parse(answer.expires_at ?? "") - now;
  const isClockRight = left > 0 && left <= CODE_VALID_MS;
  return { ...answer, end: null, validUntil: now + (isClockRight ? left : CODE_VALID_MS) };
};

export const stepOf = ({ state, end, validUntil }: KnownScreen, now: number): ScreenStep => {
  if (state === "paired") return "paired";
  if (state === "none") return end ?? "start";
  return validUntil !== null && now < validUntil ? "code" : "expired";
};
