import type { JobHandlers } from "#platform/jobs/service.ts";
import { type Post, readSenderName } from "#platform/notices/service.ts";
import { writeLink } from "./rules.ts";
import { freshenLink } from "./service.ts";

/** The secret is made here and goes into the mail alone: neither a row nor a job ever holds it. */
export const peopleJobs = (given: { post: Post; linkUrl: string }): Pick<JobHandlers, "send-link"> => ({
  "send-link": async (inVenue, { link_id }) => {
    const [fresh, venue] = await inVenue((ctx) => Promise.all([freshenLink(ctx, link_id), readSenderName(ctx)]));
    if (!fresh) return;
    const { link, secret, locale } = fresh;
    const text = writeLink(link.kind, locale, { url: `${given.linkUrl}#${secret}`, venue });
    const outcome = await given.post.send({ id: `link-${link.id}`, channel: "email", recipient: link.email, ...text }, venue);
    if (!outcome.isSent && !outcome.isFinal) throw new Error(`The mail could not be sent: ${outcome.reason}`);
    if (!outcome.isSent) await inVenue(async (ctx) => ctx.log.error({ link: link.id, reason: outcome.reason }, "a link could not be sent"));
  },
});
