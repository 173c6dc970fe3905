/** Browser and system from a User-Agent header, for the list of a user's devices. */

export type Device = { browser: string | null; system: string | null };

type Names = readonly (readonly [pattern: RegExp, name: string])[];

/** The first match wins: browsers also carry the names of older ones. */
const BROWSERS: Names = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera|OPiOS)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, "Chrome"],
  [/\bVersion\/[\d.]+ .*\bSafari\//, "Safari"],
];

const SYSTEMS: Names = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

const nameIn = (names: Names, text: string): string | null => names.find(([pattern]) => pattern.test(text))?.[1] ?? null;

export const deviceOf = (userAgent: string | null): Device => ({
  browser: nameIn(BROWSERS, userAgent ?? ""),
  system: nameIn(SYSTEMS, userAgent ?? ""),
});
