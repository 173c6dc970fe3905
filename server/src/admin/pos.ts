import type { Command } from "commander";
import { connectPos, disconnectPos, readPushes } from "#venue/kitchen/pos/service.ts";
import { checkedKeys, forVenue, readRowCount, withCommandContext } from "./command-context.ts";
import { print, table } from "./print.ts";

const PUSH_ROWS = 50;

export const addPosCommands = (program: Command): void => {
  const pos = program.command("pos").description("a venue's point of sale: connect, disconnect, list what was pushed to it");
  pos
    .command("connect <slug>")
    .description("push every new order to this address; the signing secret is shown this once")
    .requiredOption("--url <url>", "where the point of sale listens, as https://…")
    .option("--json", "print JSON")
    .action(connect);
  pos.command("disconnect <slug>").description("push nothing more").option("--json", "print JSON").action(disconnect);
  pos
    .command("list <slug>")
    .description("the latest pushes and their results")
    .option("--rows <count>", "how many", String(PUSH_ROWS))
    .option("--json", "print JSON")
    .action(list);
};

const connect = (slug: string, { url, json = false }: { url: string; json?: boolean }): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    const keys = await checkedKeys(deps);
    const { secret } = await forVenue(deps, slug, async (ctx) => connectPos(ctx, url, keys));
    print(
      json,
      { slug, url, secret },
      () => `${secret}\n\nKeep it now: it is not shown again. Orders of ${slug} are pushed to ${url}, signed with it.`,
    );
  });

const disconnect = (slug: string, { json = false }: { json?: boolean }): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    const wasConnected = await forVenue(deps, slug, disconnectPos);
    print(json, { slug, connected: false }, () =>
      wasConnected ? `${slug} has no point of sale any more.` : `${slug} had no point of sale connected.`,
    );
  });

const list = (slug: string, { rows, json = false }: { rows: string; json?: boolean }): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    const pushes = await forVenue(deps, slug, (ctx) => readPushes(ctx, readRowCount(rows, PUSH_ROWS)));
    print(json, pushes, () =>
      table(
        pushes.map(({ id, order_id, state, attempts, last_status, explanation, last_duration_ms, next_attempt_at, created_at }) => ({
          id,
          order: order_id,
          state,
          attempts,
          last_status,
          explanation,
          ms: last_duration_ms,
          next_attempt_at,
          created_at,
        })),
      ),
    );
  });
