import type { InGlobalTransaction, JobHandlers } from "#platform/jobs/service.ts";
import type { MessageSender } from "#platform/messages/notifications/service.ts";
import { writeSignUpMail } from "./rules/texts.ts";
import { prepareSignUpMail } from "./service/links.ts";

const SENDER_NAME = "Comanda";

type SignUpJobDeps = { sender: MessageSender; signUpUrl: string; inGlobalTransaction: InGlobalTransaction };

/** The secret is created here and is only in the mail: neither a row nor a job contains it. */
export const signUpJobs = ({ sender, signUpUrl, inGlobalTransaction }: SignUpJobDeps): Pick<JobHandlers, "send-sign-up"> => ({
  "send-sign-up": async (_, { sign_up_id: id }) => {
    const mail = await inGlobalTransaction((ctx) => prepareSignUpMail(ctx, id));
    if (!mail) return;
    const { kind, email, locale, secret, days } = mail;
    const text = writeSignUpMail(kind, locale, { url: secret === null ? signUpUrl : `${signUpUrl}#${secret}`, days });
    const outcome = await sender.send({ id: `sign-up-${id}`, channel: "email", recipient: email, ...text }, SENDER_NAME);
    if (!outcome.isSent && !outcome.isFinal) throw new Error(`The sign-up mail was not sent: ${outcome.reason}`);
    if (!outcome.isSent)
      await inGlobalTransaction(async (ctx) =>
        ctx.log.error({ sign_up: id, reason: outcome.reason }, "sign-up mail not sent: permanent failure"),
      );
  },
});
