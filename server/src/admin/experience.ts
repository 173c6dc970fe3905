import { COUNTER_TICKET_METHODS, TICKETS_MAX } from "@comanda/contract/console/experience-limits.ts";
import type { Command } from "commander";
import { UserError } from "#lib/errors.ts";
import { formatAmount } from "#lib/money.ts";
import { paySeenTickets } from "#venue/bookings/experiences/service/sales.ts";
import { readDesk, readSheet } from "#venue/bookings/experiences/service/sessions.ts";
import { bookTickets } from "#venue/bookings/experiences/service/tickets.ts";
import { forVenue, withCommandContext } from "./command-context.ts";
import { print, table, withApiErrors } from "./print.ts";

type ListOptions = { from?: string; json?: boolean };
type SellOptions = { name: string; tickets: string; method: string; phone?: string; email?: string; json?: boolean };

export const addExperienceCommands = (program: Command): void => {
  const experience = program.command("experience").description("sessions that guests buy tickets for");
  experience
    .command("list <slug>")
    .description("sessions, with what is sold, held and left")
    .option("--from <date>", "from this day on; today without it")
    .option("--json", "print JSON")
    .action(list);
  experience.command("guests <slug> <session>").description("the guest list of a session").option("--json", "print JSON").action(guests);
  experience
    .command("sell <slug> <session>")
    .description("sell tickets, and record what staff took for them")
    .requiredOption("--name <name>", "who comes")
    .requiredOption("--tickets <count>", "how many")
    .option("--method <method>", COUNTER_TICKET_METHODS.join(", "), "cash")
    .option("--phone <number>", "the guest's number")
    .option("--email <address>", "the guest's address")
    .option("--json", "print JSON")
    .action(sell);
};

const list = (slug: string, { from, json = false }: ListOptions): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    const desk = await forVenue(deps, slug, (ctx) => withApiErrors(() => readDesk(ctx, from)));
    const names = new Map(desk.experiences.map(({ id, name }) => [id, name[desk.default_language] ?? ""]));
    print(json, desk, () =>
      table(
        desk.sessions.map(({ id, experience_id, starts_at, capacity, sold, held, is_cancelled }) => ({
          session: id,
          experience: names.get(experience_id) ?? "",
          starts_at,
          sold,
          held,
          left: capacity - sold - held,
          is_cancelled,
        })),
      ),
    );
  });

const guests = (slug: string, session: string, { json = false }: { json?: boolean }): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    const { bookings } = await forVenue(deps, slug, (ctx) => withApiErrors(() => readSheet(ctx, Number(session))));
    print(json, bookings, () =>
      table(bookings.map(({ id, name, phone, tickets, arrived, state }) => ({ booking: id, name, phone, tickets, arrived, state }))),
    );
  });

const readMethod = (text: string): (typeof COUNTER_TICKET_METHODS)[number] => {
  const method = COUNTER_TICKET_METHODS.find((known) => known === text);
  if (!method) throw new UserError(`--method is one of ${COUNTER_TICKET_METHODS.join(", ")}.`);
  return method;
};

/** Booked and paid in one transaction. */
const sell = (slug: string, session: string, options: SellOptions): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    const { name, json = false } = options;
    const [phone, email] = [options.phone?.trim() || null, options.email?.trim() || null];
    const [tickets, method] = [Number(options.tickets), readMethod(options.method)];
    if (!(Number.isSafeInteger(tickets) && tickets >= 1 && tickets <= TICKETS_MAX))
      throw new UserError(`--tickets is a whole number from 1 to ${TICKETS_MAX}.`);
    const { currency, ...sold } = await forVenue(deps, slug, (ctx) =>
      withApiErrors(async () => {
        const booked = await bookTickets(ctx, Number(session), () => ({ tickets, name, phone, email }));
        const paid =
          booked.state === "paid" ? booked : await paySeenTickets(ctx, booked.id, () => ({ seen_version: booked.version, method }));
        return { ...paid, currency: ctx.tenant.currency };
      }),
    );
    print(json, sold, () => `Tickets ${sold.id} are paid: ${sold.tickets} for ${formatAmount(sold.amount_minor, currency)}.`);
  });
