import type { InGlobalTransaction, JobHandlers } from "#platform/jobs/service.ts";
import { type MessageSender, readSenderName, recordLinkOutcome, staffLanguage } from "#platform/messages/notifications/service.ts";
import { listStaff } from "#platform/people/memberships/service.ts";
import { writeLinkMail } from "./rules/texts.ts";
import { prepareLink, renewLinkSecret } from "./service.ts";

type LinkJobDeps = { sender: MessageSender; linkUrl: string; inGlobalTransaction: InGlobalTransaction };

/** The secret is created here and is only in the mail: neither a row nor a job contains it. */
export const linkJobs = (given: LinkJobDeps): Pick<JobHandlers, "send-link" | "prepare-link"> => ({
  "prepare-link": (_, { request_id }) => given.inGlobalTransaction((ctx) => prepareLink(ctx, request_id)),
  "send-link": async (inVenue, { link_id }) => {
    const found = await inVenue(async (ctx) => ({
      renewed: await renewLinkSecret(ctx, link_id),
      venue: await readSenderName(ctx),
      staff: await listStaff(ctx),
      language: ctx.tenant.default_language,
    }));
    const { renewed, venue } = found;
    if (!renewed) return;
    const { link, secret, locale, hasPassword } = renewed;
    const invited = found.staff.find(({ email }) => email === link.email)?.locale ?? null;
    const language = staffLanguage({ own: locale, invited, venue: found.language });
    const kind = link.kind === "invitation" && hasPassword ? "known" : link.kind;
    const text = writeLinkMail(kind, language, { url: `${given.linkUrl}#${secret}`, venue });
    const outcome = await given.sender.send({ id: `link-${link.id}`, channel: "email", recipient: link.email, ...text }, venue);
    if (link.kind === "invitation") await inVenue((ctx) => recordLinkOutcome(ctx, link_id, outcome));
    if (!outcome.isSent && !outcome.isFinal) throw new Error(`The link mail was not sent: ${outcome.reason}`);
    if (!outcome.isSent)
      await inVenue(async (ctx) => ctx.log.error({ link: link.id, reason: outcome.reason }, "link mail not sent: permanent failure"));
  },
});
