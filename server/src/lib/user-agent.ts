/** Browser and system out of a User-Agent header, for people who read a list of their devices. */

export type Device = { browser: string | null; system: string | null };

type Names = readonly (readonly [pattern: RegExp, name: string])[];

/** The first match wins: every browser also carries the names of those that it came after. */
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
