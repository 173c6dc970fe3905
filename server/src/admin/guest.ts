import type { Command } from "commander";
import { eraseGuest } from "#venue/guest-records/erasure/service.ts";
import { changeGuest, setStaffNote } from "#venue/guests/service.ts";
import { forVenue, withCommandContext } from "./command-context.ts";
import { print, withApiErrors } from "./print.ts";

type GuestChangeOptions = { name?: string; phone?: string; email?: string; optIn?: true; optOut?: true; json?: boolean };

export const addGuestCommands = (program: Command): void => {
  const guest = program.command("guest").description("guest profiles: details, consent, erasure");
  guest
    .command("change <slug> <id>")
    .description("details and consent")
    .option("--name <name>", "another name")
    .option("--phone <phone>", "another phone number")
    .option("--email <email>", "another e-mail address")
    .option("--opt-in", "the guest agrees to hear from the restaurant")
    .option("--opt-out", "the guest no longer does")
    .option("--json", "print JSON")
    .action(change);
  guest
    .command("note <slug> <id> [text]")
    .description("a note of the staff; without a text the note is removed")
    .option("--json", "print JSON")
    .action(note);
  guest
    .command("erase <slug> <id>")
    .description("erase a guest's data everywhere; it cannot be undone")
    .option("--json", "print JSON")
    .action(erase);
};

const change = (slug: string, id: string, { name, phone, email, optIn, optOut, json = false }: GuestChangeOptions): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    const wanted = {
      ...(name ? { name } : {}),
      ...(phone ? { phone } : {}),
      ...(email ? { email } : {}),
      ...(optIn ? { marketing_opted_in: true } : {}),
      ...(optOut ? { marketing_opted_in: false } : {}),
    };
    const changed = await forVenue(deps, slug, (ctx) => withApiErrors(() => changeGuest(ctx, Number(id), wanted)));
    print(json, changed, () => `${changed.name} ${changed.contact_shared ? "shares" : "does not share"} contact details.`);
  });

const note = (slug: string, id: string, text: string | undefined, { json = false }: { json?: boolean }): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    await forVenue(deps, slug, (ctx) => withApiErrors(() => setStaffNote(ctx, Number(id), text ?? null)));
    print(json, { id: Number(id), noted: text !== undefined }, () => (text === undefined ? "The note is removed." : "Noted."));
  });

const erase = (slug: string, id: string, { json = false }: { json?: boolean }): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    await forVenue(deps, slug, (ctx) => withApiErrors(() => eraseGuest(ctx, Number(id))));
    print(json, { id: Number(id), erased: true }, () => `Guest ${id} is erased.`);
  });
