/** Records that a subject of the venue changed: the commit gives all changes of a transaction the venue's next number. */
import { AREA_OF_SUBJECT, type ChangedKind } from "@comanda/contract/console/change-areas.ts";
import type { Ctx } from "./context.ts";
import { realNow } from "./venue-clock.ts";

export type ChangedSubject = { kind: ChangedKind; id: number | string };

type Changing = Pick<Ctx, "db" | "now"> & Partial<Pick<Ctx, "tenant">>;

export const recordChange = (ctx: Changing, { kind, id }: ChangedSubject, eventId: string | null = null): void =>
  ctx.db.recordChange({ area: AREA_OF_SUBJECT[kind], subject: String(id), eventId, at: realNow(ctx) });
