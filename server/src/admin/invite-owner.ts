/** `comanda-admin venue invite`: a new owner may open a venue in the browser. */
import { type Command, Option } from "commander";
import { signUpPlanOf } from "#compose/sign-up-plan.ts";
import { openDb } from "#db/pool.ts";
import { UserError } from "#lib/errors.ts";
import { LANGUAGES } from "#platform/messages/notifications/rules/texts.ts";
import { requirePlan } from "#platform/tenants/service.ts";
import { SIGN_UP_DAYS, signUpUrlOf } from "#venue/setup/sign-up/rules/link-policy.ts";
import { inviteToSignUp } from "#venue/setup/sign-up/service/links.ts";
import { withCommandContext, withoutVenue } from "./command-context.ts";
import { print } from "./print.ts";

const DAYS_MAX = 90;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

type InviteOwnerOptions = { email: string; plan?: string; days: string; locale?: string; json?: boolean };

export const addInviteOwnerCommand = (venue: Command): void => {
  venue
    .command("invite")
    .description("mail a link by which a new owner opens a venue in the browser; without a mail server the link is printed")
    .requiredOption("--email <address>", "where the link is sent")
    .option("--plan <plan>", "plan of the venue, if not SIGN_UP_PLAN")
    .option("--days <count>", "how long the link works", String(SIGN_UP_DAYS.invited))
    .addOption(new Option("--locale <language>", "language of the mail").choices(LANGUAGES))
    .option("--json", "print JSON")
    .action(inviteOwner);
};

const readDays = (text: string): number => {
  const days = Number(text);
  if (!Number.isInteger(days) || days < 1 || days > DAYS_MAX) throw new UserError(`--days takes a whole number from 1 to ${DAYS_MAX}.`);
  return days;
};

const inviteOwner = ({ email, plan, days: text, locale, json = false }: InviteOwnerOptions): Promise<void> =>
  withCommandContext(async ({ deps, rootUrl }) => {
    if (!EMAIL.test(email)) throw new UserError(`${email} is not an e-mail address.`);
    const address = email.toLowerCase();
    const days = readDays(text);
    const named = await requirePlan(openDb(deps.pool), plan ?? signUpPlanOf(deps.config));
    const invitation = { email: address, plan: named, locale: locale ?? null, days };
    const { secret } = await withoutVenue(deps, (ctx) => inviteToSignUp(ctx, invitation, deps.config.smtpUrl !== null));
    const link = secret && `${signUpUrlOf(rootUrl, deps.config.cell)}#${secret}`;
    print(json, { email: address, plan: named, days, link }, () =>
      link
        ? `${link}\n\nNo mail server is set, so here is the link for ${address}. It works once, for ${days} days, and opens a venue on the plan ${named}.`
        : `A link is on its way to ${address}. It works once, for ${days} days, and opens a venue on the plan ${named}.`,
    );
  });
