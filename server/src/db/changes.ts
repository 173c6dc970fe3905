/** Numbers the changes of a transaction directly before its commit, and notifies this process of them after it. */
import type { NumberedArea } from "@comanda/contract/console/change-areas.ts";
import { sql } from "kysely";
import type pg from "pg";
import { tellableError } from "#lib/described-error.ts";
import { precompiled, type RecordedChange } from "./query.ts";

export type CommittedChanges = { restaurantId: number; number: number; areas: NumberedArea[] };

/** One entry for each subject and each event. A subject with an event needs none without. */
const mergeChanges = (changes: readonly RecordedChange[]): RecordedChange[] => {
  const merged = new Map<string, RecordedChange>();
  for (const change of changes) {
    const subject = `${change.area} ${change.subject}`;
    if (change.eventId === null) merged.set(subject, merged.get(subject) ?? change);
    else if (merged.get(subject)?.eventId === null || !merged.has(subject)) merged.set(subject, change);
    else merged.set(`${subject} ${change.eventId}`, change);
  }
  return [...merged.values()];
};

/** More subjects of one area than this are recorded as "all": a page reads such an area as a whole. */
const SUBJECTS_MAX = 200;

const boundChanges = (changes: readonly RecordedChange[]): RecordedChange[] => {
  const areas = Object.entries(Object.groupBy(changes, ({ area }) => area));
  return areas.flatMap(([, ofArea]) => {
    const [first] = ofArea;
    const withoutEvent = ofArea.filter(({ eventId }) => eventId === null);
    if (!first || withoutEvent.length <= SUBJECTS_MAX) return ofArea;
    return [...ofArea.filter(({ eventId }) => eventId !== null), { ...first, subject: "all", eventId: null }];
  });
};

/** The counter is the last row that a transaction locks, and its commit is sent with this statement. */
const numberStatement = precompiled(
  (areas: string[], subjects: string[], eventIds: (string | null)[], at: Date) => sql<{ number: number }>`
    with counter as (
      insert into change_counters (restaurant_id, number) values (current_tenant(), 1)
      on conflict (restaurant_id) do update set number = change_counters.number + 1 returning number
    )
    insert into changes (restaurant_id, number, position, area, subject, event_id, at)
    select current_tenant(), counter.number, c.position, c.area, c.subject, c.event_id, ${at}::timestamptz
    from counter, unnest(${areas}::text[], ${subjects}::text[], ${eventIds}::uuid[]) with ordinality as c (area, subject, event_id, position)
    returning number`,
);

/** Null when nothing changed. */
export const numberChanges = (recorded: readonly RecordedChange[]) => {
  const changes = boundChanges(mergeChanges(recorded));
  const [first] = changes;
  if (!first) return null;
  return numberStatement(
    changes.map(({ area }) => area),
    changes.map(({ subject }) => subject),
    changes.map(({ eventId }) => eventId),
    first.at,
  );
};

type ChangeListener = (changes: CommittedChanges) => void;
const listeners = new WeakMap<pg.Pool, Set<ChangeListener>>();

/** Calls the listener after each commit of this pool that changed something. Returns a function that ends it. */
export const onCommittedChanges = (pool: pg.Pool, listener: ChangeListener): (() => void) => {
  const ofPool = listeners.get(pool) ?? new Set();
  listeners.set(pool, ofPool.add(listener));
  return () => void ofPool.delete(listener);
};

export const announceChanges = (pool: pg.Pool, restaurantId: number, number: number, changes: readonly RecordedChange[]): void => {
  const areas = [...new Set(changes.map(({ area }) => area))];
  for (const listener of listeners.get(pool) ?? [])
    try {
      listener({ restaurantId, number, areas });
    } catch (error) {
      // The change is committed: its caller must not get an error for it.
      process.emitWarning(tellableError(error));
    }
};
