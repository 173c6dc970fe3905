/** Acts in a sandbox: what a program asks for is done by the services that staff, guests and devices use. */
import type { DoneAct, SandboxAct } from "@comanda/contract/sandbox/sandbox-operations.ts";
import type { RecordedChange } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { ApiError, because, validationError } from "#lib/errors.ts";
import { readEventTypes } from "#platform/events/service.ts";
import { missingFields, subjectNamed } from "../rules.ts";
import { ACTS } from "./acts.ts";

/** The context of an act: it has the same database, and keeps the changes that are recorded in it. */
const noting = (ctx: Ctx): { acting: Ctx; changes: RecordedChange[] } => {
  const changes: RecordedChange[] = [];
  const recordChange = (change: RecordedChange): void => {
    changes.push(change);
    ctx.db.recordChange(change);
  };
  return { acting: { ...ctx, db: { ...ctx.db, recordChange } }, changes };
};

/** Services explain a refusal to people in sentences. A program gets a reason as well. */
const withReasons = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "validation_failed" || error.reasons.length > 0) throw error;
    const details = Object.entries(error.details as Record<string, string[]>);
    throw validationError(
      Object.fromEntries(details.map(([field, sentences]) => [field, sentences.map((sentence) => because(sentence, "not_valid"))])),
    );
  }
};

export const runAct = async (ctx: Ctx, wanted: SandboxAct): Promise<DoneAct> => {
  const missing = missingFields(wanted);
  if (Object.keys(missing).length > 0) throw validationError(missing);
  const { acting, changes } = noting(ctx);
  const perform = ACTS[wanted.act] as (ctx: Ctx, wanted: SandboxAct) => ReturnType<(typeof ACTS)["trigger"]>;
  const { subject, gift_card_code = null } = await withReasons(() => perform(acting, wanted));
  const told = changes.flatMap(({ eventId, subject: id }) => (eventId === null ? [] : [{ eventId, id }]));
  const types = await readEventTypes(
    ctx,
    told.map(({ eventId }) => eventId),
  );
  const { event } = wanted;
  const caused = event === undefined ? undefined : told.find(({ eventId }) => types.get(eventId) === event);
  return {
    act: wanted.act,
    subject: subject ?? (event !== undefined && caused ? subjectNamed(event, caused.id) : null),
    gift_card_code,
    events: [...types].map(([id, type]) => ({ id, type })),
  };
};
