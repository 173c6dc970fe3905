/** Hourly counts of requests, and the status filters of the request log. */

const HOUR_MS = 60 * 60 * 1000;
export const HOURS_SHOWN = 24;

export const hourOf = (moment: Date): Date => new Date(Math.floor(moment.getTime() / HOUR_MS) * HOUR_MS);

export type RequestCounts = { requests: number; errors: number; limited: number };
export const ZERO_COUNTS: RequestCounts = { requests: 0, errors: 0, limited: 0 };

/** 429 is counted as limited, not as an error. */
export const countOf = (status: number): RequestCounts => ({
  requests: 1,
  errors: status >= 400 && status !== 429 ? 1 : 0,
  limited: status === 429 ? 1 : 0,
});

export const addCounts = (a: RequestCounts, b: RequestCounts): RequestCounts => ({
  requests: a.requests + b.requests,
  errors: a.errors + b.errors,
  limited: a.limited + b.limited,
});

/** The last 24 hours, the current one last. Hours without a request are zeros. */
export const lastHours = (rows: readonly (RequestCounts & { hour: Date })[], now: Date): RequestCounts[] => {
  const first = hourOf(now).getTime() - (HOURS_SHOWN - 1) * HOUR_MS;
  const hours: RequestCounts[] = Array.from({ length: HOURS_SHOWN }, () => ZERO_COUNTS);
  for (const { hour, ...counts } of rows) {
    const index = (hour.getTime() - first) / HOUR_MS;
    const before = hours[index];
    if (before) hours[index] = addCounts(before, counts);
  }
  return hours;
};

const STATUSES = { "2xx": [200, 299], "4xx": [400, 499], "5xx": [500, 599], "429": [429, 429] } as const;

export const statusesOf = (name: keyof typeof STATUSES): [number, number] => [...STATUSES[name]];
