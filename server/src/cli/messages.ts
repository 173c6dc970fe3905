import type { Command } from "commander";
import { readMessages } from "#platform/notices/service.ts";
import { print, table } from "./print.ts";
import { forVenue, withSession } from "./session.ts";

const ROWS = 100;

export const addMessagesCommand = (program: Command): void => {
  program
    .command("messages <slug>")
    .description("what guests were told, newest first")
    .option("--json", "print JSON")
    .action((slug: string, { json = false }: { json?: boolean }) =>
      withSession(async ({ deps }) => {
        const messages = await forVenue(deps, slug, (ctx) => readMessages(ctx, ROWS));
        print(json, messages, () =>
          table(
            messages.map(({ id, created_at, kind, channel, recipient, state, attempts, last_failure }) => ({
              id,
              created_at,
              kind,
              channel,
              recipient,
              state,
              attempts,
              last_failure,
            })),
          ),
        );
      }),
    );
};
