/** Reads the search parameters of these pages. Unknown and invalid values are dropped. */
import type { ActivityEntry } from "@comanda/contract/console/logs.ts";
import type { DeliverySummary } from "@comanda/contract/console/webhooks.ts";
import type { EventType } from "@comanda/contract/events/envelope.ts";

type RawSearch = Record<string, unknown>;

const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined => values.find((one) => one === String(value));
const id = (value: unknown): number | undefined => (Number.isSafeInteger(Number(value)) && Number(value) > 0 ? Number(value) : undefined);
const text = (value: unknown, lengthMax: number): string | undefined =>
  (typeof value === "string" || typeof value === "number") && value !== "" ? String(value).slice(0, lengthMax) : undefined;

/** Drops undefined values from the URL. */
const given = <T extends RawSearch>(values: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: NonNullable<T[K]> };

/** A valid date written as 2026-11-14. */
const day = (value: unknown): string | undefined => {
  const written = text(value, 10);
  return written !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(written) && !Number.isNaN(Date.parse(written)) ? written : undefined;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isEventId = (value: string): boolean => UUID.test(value);

export const DELIVERY_STATES: DeliverySummary["state"][] = ["ready", "waiting", "held", "done", "failed"];

export const readDeliverySearch = (raw: RawSearch) =>
  given({
    webhook: id(raw.webhook),
    state: oneOf(DELIVERY_STATES, raw.state),
    // The type is not checked against the known ones: an unknown one finds nothing.
    type: text(raw.type, 40) as EventType | undefined,
    event: text(raw.event, 36),
    open: id(raw.open),
  });
export type DeliverySearch = ReturnType<typeof readDeliverySearch>;

export const ACTORS: ActivityEntry["actor_kind"][] = ["staff", "screen", "token", "app", "operator", "system"];

export const readActivitySearch = (raw: RawSearch) =>
  given({
    area: text(raw.area, 40),
    actor: oneOf(ACTORS, raw.actor),
    subject: text(raw.subject, 80),
    from: day(raw.from),
    until: day(raw.until),
  });
export type ActivitySearch = ReturnType<typeof readActivitySearch>;

export const STATUS_CLASSES = ["2xx", "4xx", "429", "5xx"] as const;

export const readRequestSearch = (raw: RawSearch) =>
  given({ token: id(raw.token), status: oneOf(STATUS_CLASSES, raw.status), request: text(raw.request, 80), open: text(raw.open, 80) });
export type RequestSearch = ReturnType<typeof readRequestSearch>;
