/** What the server refuses of a plan, by the table that it belongs to. */

import { fieldErrors } from "#kit/error-text.ts";
import { readBookingsToCome } from "../bookings-to-come.ts";
import type { DraftTable } from "./floor-draft.ts";

/** `booked`: how many bookings to come the table has, which keep it. */
export type TableError = { field: string; sentence: string; booked: number | null };
export type FloorErrors = { byTable: Map<number, TableError[]>; removedIds: number[]; others: string[] };

export const NO_FLOOR_ERRORS: FloorErrors = { byTable: new Map(), removedIds: [], others: [] };

const readError = (field: string, sentence: string): TableError => ({ field, sentence, booked: readBookingsToCome(sentence) });

/** `sent` are the tables in the order in which they were saved. */
export const readFloorErrors = (error: unknown, sent: readonly DraftTable[]): FloorErrors => {
  const found: FloorErrors = { byTable: new Map(), removedIds: [], others: [] };
  const add = (id: number, one: TableError): void => void found.byTable.set(id, [...(found.byTable.get(id) ?? []), one]);
  for (const [path, sentence] of Object.entries(fieldErrors(error))) {
    const [area = "", place = "", field = ""] = path.split(".");
    const table = area === "tables" ? sent[Number(place)] : undefined;
    if (area === "removed") {
      found.removedIds.push(Number(place));
      add(Number(place), readError("removed", sentence));
    } else if (table && field !== "") add(table.id, readError(field, sentence));
    else found.others.push(sentence);
  }
  return found;
};
