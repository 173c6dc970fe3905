/** Order types that are paused or busy. Nothing ends them: each rule compares the stored end with a moment. */
import type { LoadChoice, OrderTypeState, TypeLoad } from "@comanda/contract/console/order-types.ts";
import type { OrderType } from "@comanda/contract/venue/orders.ts";
import { formatDate } from "#lib/instant.ts";
import { endOfServiceDay } from "#lib/service-day.ts";
import { wallClock } from "#lib/time-zone.ts";

/** As stored: an end may have passed. Instants are texts, because they are read inside JSON. */
export type StoredLoad = OrderTypeState;

const MINUTE_MS = 60 * 1000;
const BUSY_MINUTES = 60;

const isAfter = (end: string | null, moment: Date): end is string => end !== null && Date.parse(end) > moment.getTime();

const loadOf = (loads: readonly StoredLoad[], type: OrderType): StoredLoad | undefined => loads.find((load) => load.type === type);

/** When the pause ends in which the moment lies; null outside of one. The moment of the end itself is outside. */
export const pauseEndAt = (loads: readonly StoredLoad[], type: OrderType, moment: Date): Date | null => {
  const end = loadOf(loads, type)?.paused_until ?? null;
  return isAfter(end, moment) ? new Date(end) : null;
};

/** How much longer an order for this moment takes. */
export const extraMinutesAt = (loads: readonly StoredLoad[], type: OrderType, moment: Date): number => {
  const load = loadOf(loads, type);
  return load && isAfter(load.busy_until, moment) ? (load.extra_minutes ?? 0) : 0;
};

/** Leaves out the ends that have passed. */
export const loadAt = ({ type, paused_until, busy_until, extra_minutes }: StoredLoad, now: Date): OrderTypeState => ({
  type,
  paused_until: isAfter(paused_until, now) ? new Date(paused_until).toISOString() : null,
  ...(isAfter(busy_until, now)
    ? { busy_until: new Date(busy_until).toISOString(), extra_minutes }
    : { busy_until: null, extra_minutes: null }),
});

/** What the venue offers, in the owner's order. */
export const loadsAt = (types: readonly { type: OrderType }[], loads: readonly StoredLoad[], now: Date): OrderTypeState[] =>
  types.map(({ type }) => loadAt(loadOf(loads, type) ?? { type, paused_until: null, busy_until: null, extra_minutes: null }, now));

const sameInstant = (one: string | null, other: string | null): boolean =>
  one === other || (one !== null && other !== null && Date.parse(one) === Date.parse(other));

export const isSameLoad = (one: TypeLoad, other: TypeLoad): boolean =>
  sameInstant(one.paused_until, other.paused_until) &&
  sameInstant(one.busy_until, other.busy_until) &&
  one.extra_minutes === other.extra_minutes;

/** A whole minute, so that the time that people and guests read is the time at which it ends. */
const inMinutes = (now: Date, minutes: number): string =>
  new Date(Math.ceil((now.getTime() + minutes * MINUTE_MS) / MINUTE_MS) * MINUTE_MS).toISOString();

const busy = (extra_minutes: number, now: Date): Omit<TypeLoad, "paused_until"> => ({
  busy_until: inMinutes(now, BUSY_MINUTES),
  extra_minutes,
});

const CHANGES: Record<LoadChoice, (zone: string, now: Date) => Partial<TypeLoad>> = {
  pause_15: (_zone, now) => ({ paused_until: inMinutes(now, 15) }),
  pause_30: (_zone, now) => ({ paused_until: inMinutes(now, 30) }),
  pause_60: (_zone, now) => ({ paused_until: inMinutes(now, 60) }),
  pause_today: (zone, now) => ({ paused_until: endOfServiceDay(zone, now).toISOString() }),
  busy_10: (_zone, now) => busy(10, now),
  busy_20: (_zone, now) => busy(20, now),
  end_pause: () => ({ paused_until: null }),
  end_busy: () => ({ busy_until: null, extra_minutes: null }),
};

export const loadAfter = (present: OrderTypeState, to: LoadChoice, { zone, now }: { zone: string; now: Date }): OrderTypeState => ({
  ...present,
  ...CHANGES[to](zone, now),
});

const two = (value: number): string => String(value).padStart(2, "0");

/** On the venue's clock: 20:30, or with its date when that is another one. */
export const formatEnd = (zone: string, end: Date, now: Date): string => {
  const clock = wallClock(zone, end);
  const time = `${two(clock.hour)}:${two(clock.minute)}`;
  return formatDate(clock) === formatDate(wallClock(zone, now)) ? time : `${time} on ${formatDate(clock)}`;
};
