import { ROLES, type Role } from "@comanda/contract/console/operation.ts";
import { type Command, Option } from "commander";
import type { Deps } from "#deps.ts";
import type { Ctx } from "#lib/context.ts";
import { UserError } from "#lib/errors.ts";
import { LANGUAGES } from "#platform/messages/notifications/rules/texts.ts";
import { addStaff, listStaff } from "#platform/people/memberships/service.ts";
import { resetStaffSecondFactor } from "#platform/sign-in/accounts/service.ts";
import { type LinkKind, linkUrlOf } from "#platform/sign-in/one-time-links/rules/link-policy.ts";
import { createLinkForOperator, sendInvitation } from "#platform/sign-in/one-time-links/service.ts";
import { sandboxIdOf } from "#venue/sandbox/service.ts";
import {
  type AccessChoice,
  type CreatedAccess,
  countAccess,
  endCreatedAccess,
  type MemberRemoval,
  NO_ACCESS,
  readCreatedAccess,
  removeMember,
} from "#venue/team/offboarding/service.ts";
import { forVenue, forVenueId, withCommandContext } from "./command-context.ts";
import { print, table } from "./print.ts";

type RemoveOptions = { endTokens?: true; keepTokens?: true; json?: boolean };
type InviteOptions = { email: string; name: string; role: string; locale?: string; json?: boolean };

export const addStaffCommands = (program: Command): void => {
  const staff = program
    .command("staff")
    .description("who works in a venue and may sign in to its console: invite, list, remove, reset a lost factor");
  staff
    .command("invite <slug>")
    .description("mail a link to choose a password; without a mail server the link is printed")
    .requiredOption("--email <address>", "where the link is sent")
    .requiredOption("--name <name>", "how the person is called")
    .requiredOption("--role <role>", ROLES.join(", "))
    .addOption(new Option("--locale <language>", "language of the mail").choices(LANGUAGES))
    .option("--json", "print JSON")
    .action(inviteStaff);
  staff.command("list <slug>").description("the staff of a venue").option("--json", "print JSON").action(list);
  staff
    .command("remove <slug> <email>")
    .description("their next request in this venue is refused; what they made that still gives access is shown")
    .option("--end-tokens", "end the tokens, apps, webhook addresses and screens that this user created or paired")
    .option("--keep-tokens", "leave them as they are")
    .option("--json", "print JSON")
    .action(remove);
  staff
    .command("reset-factor <slug> <email>")
    .description("remove the second factor of a user who has lost phone and recovery codes: verify their identity first")
    .option("--json", "print JSON")
    .action(resetFactor);
};

const resetFactor = (slug: string, email: string, { json = false }: { json?: boolean }): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    await resetFactorAt(deps, slug, email.toLowerCase());
    print(
      json,
      { slug, email, reset: true },
      () => `${email} signs in without a code from now on, and is told so by mail. All sessions have ended.`,
    );
  });

export const resetFactorAt = (deps: Deps, slug: string, email: string): Promise<void> =>
  forVenue(
    deps,
    slug,
    async (ctx) => {
      if (!(await listStaff(ctx)).some((one) => one.email === email)) throw notThere(slug, email);
      if (!(await resetStaffSecondFactor(ctx, email))) throw new UserError(`${email} has no second factor.`);
    },
    { revokes: true },
  );

const notThere = (slug: string, email: string): UserError =>
  new UserError(`${email} does not work at ${slug}. See \`comanda-admin staff list ${slug}\`.`);

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const inviteStaff = (slug: string, { email, name, role, locale, json = false }: InviteOptions): Promise<void> =>
  withCommandContext(async ({ deps, rootUrl }) => {
    if (!EMAIL.test(email)) throw new UserError(`${email} is not an e-mail address.`);
    if (!ROLES.includes(role as Role)) throw new UserError(`There is no role ${role}. The roles are: ${ROLES.join(", ")}.`);
    const address = email.toLowerCase();
    const inviting = async (ctx: Ctx): Promise<{ secret: string; kind: LinkKind } | null> => {
      await addStaff(ctx, { email: address, name, role: role as Role, locale: locale ?? null });
      if (deps.config.smtpUrl === null) return createLinkForOperator(ctx, address);
      await sendInvitation(ctx, address);
      return null;
    };
    // An existing member may get a lower role.
    const link = await forVenue(deps, slug, inviting, { revokes: true });
    const url = link && `${linkUrlOf(rootUrl, deps.config.cell)}#${link.secret}`;
    print(json, { slug, email: address, role, link: url }, () =>
      url
        ? `${url}\n\nNo mail server is set, so here is the link for ${name}. It works ${link.kind === "reset" ? "for one hour" : "for seven days"}, once.`
        : `A link is on its way to ${address}.`,
    );
  });

const list = (slug: string, { json = false }: { json?: boolean }): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    const rows = await forVenue(deps, slug, listStaff);
    print(json, rows, () => table(rows.map(({ email, name, role, created_at }) => ({ email, name, role, created_at }))));
  });

const remove = (slug: string, email: string, { endTokens, keepTokens, json = false }: RemoveOptions): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    if (endTokens && keepTokens) throw new UserError("Say --end-tokens or --keep-tokens, not both.");
    const decision: AllOrNone = endTokens ? "end" : keepTokens ? "keep" : null;
    const { outcome, access } = await removeFrom(deps, slug, { email: email.toLowerCase(), decision });
    if (outcome === "unknown") throw notThere(slug, email);
    if (outcome === "undecided")
      throw new UserError(
        `${email} made what still gives access to ${slug}:\n\n${describeAccess(access)}\n\nNothing was changed. Say --end-tokens to end all of it with the removal, or --keep-tokens to leave it.`,
      );
    print(json, { slug, email, removed: true, access: decision ?? "none", ...access }, () =>
      [
        `${email} no longer works at ${slug}.`,
        ...(countAccess(access) === 0 ? [] : [`${decision === "end" ? "Ended" : "Still works"}:\n\n${describeAccess(access)}`]),
      ].join(" "),
    );
  });

/** The command decides about everything at once. */
type AllOrNone = "end" | "keep" | null;

type StaffRemoval = { email: string; decision: AllOrNone };

const choiceOf = (decision: AllOrNone): AccessChoice | null => decision && { tokens: decision, screens: decision };

/** The sandbox first: if the command dies between the two, the person still works there and the command can be repeated. */
export const removeFrom = async (deps: Deps, slug: string, { email, decision }: StaffRemoval): Promise<MemberRemoval> => {
  const isStaff = await forVenue(deps, slug, async (ctx) => (await listStaff(ctx)).some((one) => one.email === email));
  const sandboxId = isStaff ? await forVenue(deps, slug, sandboxIdOf) : null;
  const ofSandbox = sandboxId === null ? NO_ACCESS : await forVenueId(deps, sandboxId, (ctx) => readCreatedAccess(ctx, email));
  if (decision === null && countAccess(ofSandbox) > 0) {
    const ofVenue = await forVenue(deps, slug, (ctx) => readCreatedAccess(ctx, email));
    return { outcome: "undecided", access: together(ofVenue, ofSandbox) };
  }
  if (sandboxId !== null && decision === "end")
    await forVenueId(deps, sandboxId, (ctx) => endCreatedAccess(ctx, email, { tokens: "end", screens: "end" }), { revokes: true });
  const { outcome, access } = await forVenue(deps, slug, (ctx) => removeMember(ctx, email, choiceOf(decision)), { revokes: true });
  return { outcome, access: together(access, ofSandbox) };
};

const together = (a: CreatedAccess, b: CreatedAccess): CreatedAccess => ({
  tokens: [...a.tokens, ...b.tokens],
  apps: [...a.apps, ...b.apps],
  webhooks: [...a.webhooks, ...b.webhooks],
  tills: [...a.tills, ...b.tills],
  screens: [...a.screens, ...b.screens],
});

const describeAccess = ({ tokens, apps, webhooks, tills, screens }: CreatedAccess): string =>
  table([
    ...tokens.map(({ name, hint, last_used_at }) => ({ what: "token", name, which: hint, last_used: last_used_at })),
    ...apps.map(({ name, client_id }) => ({ what: "app", name, which: client_id, last_used: null })),
    ...webhooks.map(({ id, url }) => ({ what: "webhook address", name: url, which: String(id), last_used: null })),
    ...tills.map(({ id, url }) => ({ what: "till", name: url, which: String(id), last_used: null })),
    ...screens.map(({ id, name, seen_at }) => ({ what: "screen", name, which: String(id), last_used: seen_at })),
  ]);
