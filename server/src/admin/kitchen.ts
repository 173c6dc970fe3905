import type { Command } from "commander";
import { listTickets } from "#venue/kitchen/service.ts";
import { forVenue, readRowCount, withCommandContext } from "./command-context.ts";
import { print, table } from "./print.ts";

const TICKET_ROWS = 50;

export const addKitchenCommand = (program: Command): void => {
  program
    .command("kitchen <slug>")
    .description("the latest tickets of a venue's kitchen")
    .option("--rows <count>", "how many", String(TICKET_ROWS))
    .option("--json", "print JSON")
    .action((slug: string, { rows, json = false }: { rows: string; json?: boolean }) =>
      withCommandContext(async ({ deps }) => {
        const tickets = await forVenue(deps, slug, (ctx) => listTickets(ctx, readRowCount(rows, TICKET_ROWS)));
        print(json, tickets, () =>
          table(
            tickets.map(({ id, order_id, station, state, lines, release_at, created_at }) => ({
              id,
              order: order_id,
              station,
              state,
              lines: lines.length,
              release_at,
              created_at,
            })),
          ),
        );
      }),
    );
};
