/** Instants in a restaurant's time zone. Offsets come from the runtime's time zone data and are cached. */

/** Local date and time in the zone. */
export type WallClock = { year: number; month: number; day: number; hour: number; minute: number; second: number; weekday: number };

const MINUTE_MS = 60_000;
/** One look-up is cached for a quarter of an hour, unless the offset changes within it (Goose Bay changed at 00:01). */
const QUARTER_MS = 15 * MINUTE_MS;
const CACHE_MAX = 50_000;

const formatters = new Map<string, Intl.DateTimeFormat>();
/** Offsets by zone, then by quarter of an hour. Null: the offset changes within this quarter. */
const offsets = new Map<string, Map<number, number | null>>();
let offsetCount = 0;

export const isZone = (zone: string): boolean => zone === "UTC" || Intl.supportedValuesOf("timeZone").includes(zone);

export const offsetMinutes = (zone: string, instant: Date): number => offsetAt(zone, instant.getTime());

export const offsetAt = (zone: string, epochMs: number): number => {
  const quarter = Math.floor(epochMs / QUARTER_MS);
  const offset = offsets.get(zone)?.get(quarter);
  if (offset !== undefined) return offset ?? readOffset(zone, epochMs);
  const start = readOffset(zone, quarter * QUARTER_MS);
  remember(zone, quarter, start === readOffset(zone, (quarter + 1) * QUARTER_MS - 1) ? start : null);
  return offsetAt(zone, epochMs);
};

const remember = (zone: string, quarter: number, offset: number | null): void => {
  if (offsetCount >= CACHE_MAX) {
    offsets.clear();
    offsetCount = 0;
  }
  let ofZone = offsets.get(zone);
  if (!ofZone) {
    ofZone = new Map();
    offsets.set(zone, ofZone);
  }
  ofZone.set(quarter, offset);
  offsetCount += 1;
};

export const wallClock = (zone: string, instant: Date): WallClock => {
  const local = new Date(instant.getTime() + offsetMinutes(zone, instant) * MINUTE_MS);
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
    // Monday is 0, as in the contract's own week.
    weekday: (local.getUTCDay() + 6) % 7,
  };
};

/** RFC 3339 with a numeric offset and whole seconds; UTC is written +00:00. */
export const formatInstant = (zone: string, instant: Date): string => {
  const offset = offsetMinutes(zone, instant);
  const local = new Date(instant.getTime() + offset * MINUTE_MS).toISOString().slice(0, 19);
  const size = Math.abs(offset);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${local}${offset < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
};

const readOffset = (zone: string, epochMs: number): number => {
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
    formatters.set(zone, formatter);
  }
  const name = formatter.formatToParts(epochMs).find((part) => part.type === "timeZoneName")?.value ?? "";
  const match = /^GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(name);
  if (!match) throw new Error(`No offset known for the zone ${zone}`);
  const [, sign, hours = "0", minutes = "0"] = match;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
};
