import type { InHouse, JobHandlers } from "#platform/jobs/service.ts";
import { type Post, readSenderName, staffLanguage } from "#platform/notices/service.ts";
import { listStaff } from "#platform/staff/service.ts";
import { writeLink } from "./rules.ts";
import { freshenLink, prepareLink } from "./service.ts";

type Given = { post: Post; linkUrl: string; inHouse: InHouse };

/** The secret is made here and goes into the mail alone: neither a row nor a job ever holds it. */
export const linkJobs = (given: Given): Pick<JobHandlers, "send-link" | "prepare-link"> => ({
  "prepare-link": (_, { request_id }) => given.inHouse((ctx) => prepareLink(ctx, request_id)),
  "send-link": async (inVenue, { link_id }) => {
    const found = await inVenue(async (ctx) => ({
      fresh: await freshenLink(ctx, link_id),
      venue: await readSenderName(ctx),
      staff: await listStaff(ctx),
      language: ctx.tenant.default_language,
    }));
    const { fresh, venue } = found;
    if (!fresh) return;
    const { link, secret, locale, hasPassword } = fresh;
    const invited = found.staff.find(({ email }) => email === link.email)?.locale ?? null;
    const language = staffLanguage({ own: locale, invited, venue: found.language });
    const kind = link.kind === "invitation" && hasPassword ? "added" : link.kind;
    const text = writeLink(kind, language, { url: `${given.linkUrl}#${secret}`, venue });
    const outcome = await given.post.send({ id: `link-${link.id}`, channel: "email", recipient: link.email, ...text }, venue);
    if (!outcome.isSent && !outcome.isFinal) throw new Error(`The mail could not be sent: ${outcome.reason}`);
    if (!outcome.isSent) await inVenue(async (ctx) => ctx.log.error({ link: link.id, reason: outcome.reason }, "a link could not be sent"));
  },
});
