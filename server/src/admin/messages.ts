import type { Command } from "commander";
import { listMessages } from "#platform/messages/notifications/service.ts";
import { forVenue, withCommandContext } from "./command-context.ts";
import { print, table } from "./print.ts";

const ROWS = 100;

export const addMessagesCommand = (program: Command): void => {
  program
    .command("messages <slug>")
    .description("messages to guests, newest first")
    .option("--json", "print JSON")
    .action((slug: string, { json = false }: { json?: boolean }) =>
      withCommandContext(async ({ deps }) => {
        const messages = await forVenue(deps, slug, (ctx) => listMessages(ctx, ROWS));
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
