import { PRODUCT_NAME } from "#lib/product-name.ts";
import type { InGlobalTransaction, JobHandlers, VenueRound } from "#platform/jobs/service.ts";
import type { MessageSender } from "#platform/messages/notifications/service.ts";
import { removalLimits, warnOpenedBefore } from "./rules/never-live.ts";
import { writeSignUpMail } from "./rules/texts.ts";
import { prepareSignUpMail } from "./service/links.ts";
import { removeVenue, warnOfRemoval } from "./service/never-live.ts";
import { findNeverLive } from "./store.ts";

type SignUpJobDeps = { sender: MessageSender; signUpUrl: string; inGlobalTransaction: InGlobalTransaction };

/** The secret is created here and is only in the mail: neither a row nor a job contains it. */
export const signUpJobs = ({ sender, signUpUrl, inGlobalTransaction }: SignUpJobDeps): Pick<JobHandlers, "send-sign-up"> => ({
  "send-sign-up": async (_, { sign_up_id: id }) => {
    const mail = await inGlobalTransaction((ctx) => prepareSignUpMail(ctx, id));
    if (!mail) return;
    const { kind, email, locale, secret, days } = mail;
    const text = writeSignUpMail(kind, locale, { url: secret === null ? signUpUrl : `${signUpUrl}#${secret}`, days });
    const outcome = await sender.send({ id: `sign-up-${id}`, channel: "email", recipient: email, ...text }, PRODUCT_NAME);
    if (!outcome.isSent && !outcome.isFinal) throw new Error(`The sign-up mail was not sent: ${outcome.reason}`);
    if (!outcome.isSent)
      await inGlobalTransaction(async (ctx) =>
        ctx.log.error({ sign_up: id, reason: outcome.reason }, "sign-up mail not sent: permanent failure"),
      );
  },
});

const TEN_MINUTES_MS = 10 * 60_000;

/** Owners of venues that were never taken live are warned, and the venues are removed a week later. */
export const removalWarnings: VenueRound = {
  everyMs: TEN_MINUTES_MS,
  findVenues: (db, now) => findNeverLive(db, warnOpenedBefore(now), null),
  run: (inVenue) => inVenue((ctx) => warnOfRemoval(ctx)),
  failure: "a venue that never was live could not be warned; it is tried again in ten minutes",
};

export const removals: VenueRound = {
  everyMs: TEN_MINUTES_MS,
  findVenues: (db, now) => {
    const { openedBefore, warnedBefore } = removalLimits(now);
    return findNeverLive(db, openedBefore, warnedBefore);
  },
  run: (inVenue) => inVenue((ctx) => removeVenue(ctx)),
  isAlone: true,
  failure: "a venue that never was live could not be removed; it is tried again in ten minutes",
};
