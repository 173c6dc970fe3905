/**
 * Does what became due when the clock of a sandbox was moved. Many jobs share a transaction, because one for each would take seconds for a day
 * of a busy venue. When a job fails, its batch is undone and tried again; after half a minute the queues run each of its jobs alone, as any other.
 */
import type { QueueName } from "#db/pg-boss.ts";
import type { Ctx } from "#lib/context.ts";
import { BECAME_DUE, type DueJob, deleteJobs, type InVenue, type JobHandlers, lockDueJobs } from "#platform/jobs/service.ts";

/** Keeps each transaction short, because the sandbox is locked meanwhile and lists by `updated_since` wait for it. */
const BATCH_JOBS = 100;

/** Each job of these is about one subject and reads nothing that another one changes, so their statements may share round trips. */
const OF_ONE_SUBJECT: readonly QueueName[] = ["release-held-tickets", "end-sold-out", "expire-gift-card", "expire-ticket-hold"];

type AnyJob = (inVenue: InVenue, data: Record<string, unknown>) => Promise<void>;
type VenueHandlers = Omit<JobHandlers, "catch-up-sandbox">;

export const catchUpJobs = (handlers: VenueHandlers): Pick<JobHandlers, "catch-up-sandbox"> => ({
  "catch-up-sandbox": async (inVenue) => {
    // Alone in the sandbox: the jobs of a batch take their locks one after the other, in no common order.
    while (await inVenue((ctx) => runBatch(ctx, handlers), "exclusive"));
  },
});

/** False when nothing is due any more. */
const runBatch = async (ctx: Ctx, handlers: VenueHandlers): Promise<boolean> => {
  if (ctx.tenant.kind !== "sandbox") return false;
  const jobs = await lockDueJobs(ctx, BATCH_JOBS);
  const run = ({ name, data }: DueJob): Promise<void> => {
    const { restaurant_id: _, [BECAME_DUE]: __, ...rest } = data;
    return (handlers[name as keyof VenueHandlers] as AnyJob)((work) => work(ctx), rest);
  };
  for (const together of runsOf(jobs)) {
    // All have ended before an error ends the transaction.
    const failed = (await Promise.allSettled(together.map(run))).find((outcome) => outcome.status === "rejected");
    if (failed) throw failed.reason;
  }
  const ids = jobs.map(({ id }) => id);
  if (ids.length > 0) deleteJobs(ctx, ids);
  return jobs.length === BATCH_JOBS;
};

/** Groups the jobs in their order: neighbours that are of one queue and about different subjects, or one alone. */
const runsOf = (jobs: readonly DueJob[]): DueJob[][] => {
  const runs: DueJob[][] = [];
  for (const job of jobs) {
    const last = runs.at(-1);
    const isNext = last?.[0]?.name === job.name && OF_ONE_SUBJECT.includes(job.name);
    if (last && isNext && last.every((other) => subjectOf(other) !== subjectOf(job))) last.push(job);
    else runs.push([job]);
  }
  return runs;
};

const subjectOf = ({ data: { order_id, kind, id, gift_card_id, booking_id } }: DueJob): string =>
  JSON.stringify([order_id, kind, id, gift_card_id, booking_id]);
