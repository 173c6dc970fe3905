/**
 * Reads where a page stands in the numbered changes of a venue, what changed after that, and which events the changes of a subject have.
 */
import type { NumberedArea } from "@comanda/contract/console/change-areas.ts";
import { sql } from "kysely";
import type { Ctx } from "#lib/context.ts";
import { oneRow } from "./query.ts";

export type ChangePosition = { epoch: string; number: number };

export const readChangePosition = ({ db }: Ctx): Promise<ChangePosition> =>
  oneRow(db.query(sql<ChangePosition>`select epoch, number from change_position()`));

const ALL = "all";
/** More changed rows than this are not listed one by one. */
const ROWS_MAX = 500;

/** The subjects of an area that changed after the number; "all" stands for more than are listed one by one. */
export const readChangedSubjects = async ({ db, tenant }: Ctx, area: NumberedArea, afterNumber: number): Promise<string[]> => {
  const rows = await db.query(sql<{ subject: string }>`
    select subject from changes where restaurant_id = ${tenant.id} and number > ${afterNumber} and area = ${area}
    order by number limit ${ROWS_MAX + 1}`);
  return rows.length > ROWS_MAX ? [ALL] : [...new Set(rows.map(({ subject }) => subject))];
};

/** Returns the ids of events whose changes are still kept. */
export const readEventIds = async (
  { db, tenant }: Ctx,
  subjects: Partial<Record<NumberedArea, readonly (string | number)[]>>,
): Promise<string[]> => {
  const wanted = Object.entries(subjects).flatMap(([area, ids]) => ids.map((id) => ({ area, subject: String(id) })));
  const rows = await db.query(sql<{ event_id: string }>`
    select distinct c.event_id
    from unnest(${wanted.map(({ area }) => area)}::text[], ${wanted.map(({ subject }) => subject)}::text[]) as about (area, subject)
    cross join lateral (
      select event_id from changes
      where restaurant_id = ${tenant.id} and subject = about.subject and area = about.area and event_id is not null
    ) c`);
  return rows.map(({ event_id }) => event_id);
};
