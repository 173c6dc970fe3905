import { ROLES, type Role } from "@comanda/contract/console-operation.ts";
import type { Command } from "commander";
import { Misuse } from "#lib/errors.ts";
import { linkUrlOf } from "#platform/people/rules.ts";
import { invite, inviteInPerson } from "#platform/people/service.ts";
import { addStaff, listStaff, removeStaff } from "#platform/staff/service.ts";
import { print, table } from "./print.ts";
import { forVenue, withSession } from "./session.ts";

type InviteOptions = { email: string; name: string; role: string; locale?: string; json?: boolean };

export const addStaffCommands = (program: Command): void => {
  const staff = program.command("staff").description("who works in a venue and may sign in to its console: invite, list, remove");
  staff
    .command("invite <slug>")
    .description("send somebody a link to choose a password; without a mail server the link is printed")
    .requiredOption("--email <address>", "where the link is sent")
    .requiredOption("--name <name>", "how the person is called")
    .requiredOption("--role <role>", ROLES.join(", "))
    .option("--locale <language>", "language of the mail")
    .option("--json", "print JSON")
    .action(inviteStaff);
  staff.command("list <slug>").description("everybody who works there").option("--json", "print JSON").action(list);
  staff
    .command("remove <slug> <email>")
    .description("their next request in this venue is refused")
    .option("--json", "print JSON")
    .action(remove);
};

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const inviteStaff = (slug: string, { email, name, role, locale, json = false }: InviteOptions): Promise<void> =>
  withSession(async ({ deps, rootUrl }) => {
    if (!EMAIL.test(email)) throw new Misuse(`${email} is not an e-mail address.`);
    if (!ROLES.includes(role as Role)) throw new Misuse(`There is no role ${role}. The roles are: ${ROLES.join(", ")}.`);
    const address = email.toLowerCase();
    const link = await forVenue(deps, slug, async (ctx) => {
      await addStaff(ctx, { email: address, name, role: role as Role, locale: locale ?? null });
      if (deps.config.smtpUrl === null) return inviteInPerson(ctx, address);
      await invite(ctx, address);
      return null;
    });
    const url = link && `${linkUrlOf(rootUrl, deps.config.cell)}#${link.secret}`;
    print(json, { slug, email: address, role, link: url }, () =>
      url
        ? `${url}\n\nNo mail server is set, so here is the link for ${name}. It works for seven days, once.`
        : `A link is on its way to ${address}.`,
    );
  });

const list = (slug: string, { json = false }: { json?: boolean }): Promise<void> =>
  withSession(async ({ deps }) => {
    const rows = await forVenue(deps, slug, listStaff);
    print(json, rows, () => table(rows.map(({ email, name, role, created_at }) => ({ email, name, role, created_at }))));
  });

const remove = (slug: string, email: string, { json = false }: { json?: boolean }): Promise<void> =>
  withSession(async ({ deps }) => {
    const isRemoved = await forVenue(deps, slug, (ctx) => removeStaff(ctx, email.toLowerCase()));
    if (!isRemoved) throw new Misuse(`${email} does not work at ${slug}. See \`comanda staff list ${slug}\`.`);
    print(json, { slug, email, removed: true }, () => `${email} no longer works at ${slug}.`);
  });
