/** Moves the dates of an example to another day. */
import { SAMPLE_DAY } from "../sandbox/sandbox-sample.ts";
import type { OperationExample } from "./operation-examples.ts";

/** Moves every date of an example, so that on this day its request can be sent and what it asks for lies ahead. */
export const exampleOn = (example: OperationExample, today: string): OperationExample => {
  const days = Math.round((Date.parse(today) - Date.parse(SAMPLE_DAY)) / DAY_MS);
  return days === 0 ? example : (moveDates(example, days) as OperationExample);
};

const DAY_MS = 24 * 60 * 60 * 1000;
const DATE = /^\d{4}-\d{2}-\d{2}(?=$|T)/;

const moveDates = (value: unknown, days: number): unknown => {
  if (typeof value === "string")
    return value.replace(DATE, (date) => new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10));
  if (Array.isArray(value)) return value.map((entry) => moveDates(entry, days));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, moveDates(entry, days)]));
};
