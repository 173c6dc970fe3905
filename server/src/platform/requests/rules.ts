/** How requests are counted: hour by hour, and only so many kept one by one. */

const HOUR_MS = 60 * 60 * 1000;
export const HOURS_SHOWN = 24;

export const hourOf = (moment: Date): Date => new Date(Math.floor(moment.getTime() / HOUR_MS) * HOUR_MS);

export type Counts = { requests: number; errors: number; limited: number };
export const NOTHING: Counts = { requests: 0, errors: 0, limited: 0 };

/** Being told to wait is not an error of the request: it has a count of its own. */
export const countOf = (status: number): Counts => ({
  requests: 1,
  errors: status >= 400 && status !== 429 ? 1 : 0,
  limited: status === 429 ? 1 : 0,
});

export const add = (a: Counts, b: Counts): Counts => ({
  requests: a.requests + b.requests,
  errors: a.errors + b.errors,
  limited: a.limited + b.limited,
});

/** The last 24 hours, the running one last; hours without a request are zeros. */
export const lastHours = (rows: readonly (Counts & { hour: Date })[], now: Date): Counts[] => {
  const first = hourOf(now).getTime() - (HOURS_SHOWN - 1) * HOUR_MS;
  const hours: Counts[] = Array.from({ length: HOURS_SHOWN }, () => NOTHING);
  for (const { hour, ...counts } of rows) {
    const index = (hour.getTime() - first) / HOUR_MS;
    const before = hours[index];
    if (before) hours[index] = add(before, counts);
  }
  return hours;
};

const STATUSES = { "2xx": [200, 299], "4xx": [400, 499], "5xx": [500, 599], "429": [429, 429] } as const;

export const statusesOf = (name: keyof typeof STATUSES): [number, number] => [...STATUSES[name]];
