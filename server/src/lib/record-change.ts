/** Records that a subject of the venue changed: the commit gives all changes of a transaction the venue's next number. */
import { AREA_OF_SUBJECT, type ChangedKind } from "@comanda/contract/console/change-areas.ts";
import type { Ctx } from "./context.ts";

export type ChangedSubject = { kind: ChangedKind; id: number | string };

export const recordChange = ({ db, now }: Pick<Ctx, "db" | "now">, { kind, id }: ChangedSubject, eventId: string | null = null): void =>
  db.recordChange({ area: AREA_OF_SUBJECT[kind], subject: String(id), eventId, at: now });
