/** `comanda-admin webhook log` and `replay`, and what the webhook commands share. */
import type { Command } from "commander";
import { ApiError, UserError } from "#lib/errors.ts";
import { readDeliveries, readDelivery } from "#platform/events/webhook-deliveries/service/log.ts";
import { countFailedSince, replayDelivery, replayFailedSince } from "#platform/events/webhook-deliveries/service/resend.ts";
import { forVenue, readRowCount, withCommandContext } from "./command-context.ts";
import { print, table, withApiErrors } from "./print.ts";
import { readInstant } from "./venue.ts";

const LOG_ROWS = 50;
const STATES = ["ready", "waiting", "held", "done", "failed"];

export type JsonFlag = { json?: boolean };

export const addLogCommands = (webhook: Command): void => {
  webhook
    .command("log <slug> [delivery]")
    .description("the latest deliveries, or one with its bytes and every attempt")
    .option("--endpoint <id>", "only to this address")
    .option("--state <state>", "only ready, waiting, held, done or failed")
    .option("--rows <count>", "how many", String(LOG_ROWS))
    .option("--json", "print JSON")
    .action(log);
  webhook
    .command("replay <slug> [delivery]")
    .description("send a delivery again, or all that failed at an address")
    .option("--endpoint <id>", "all that failed at this address …")
    .option("--since <when>", "… and were made since this moment")
    .option("--dry-run", "only count what failed at the address")
    .option("--json", "print JSON")
    .action(replay);
};

export const readId = (text: string): number => {
  const id = Number(text);
  if (!Number.isSafeInteger(id) || id <= 0)
    throw new UserError(`${text} is not the number of an address or a delivery: see the list or the log.`);
  return id;
};

/** Which command lists the ids of each kind. */
const LISTS = { address: "list", delivery: "log" };

/** Works as `explained` does; an unknown id is answered with the command that lists the ids. */
export const explainedFor = (slug: string, kind: keyof typeof LISTS, id: string | undefined, work: () => Promise<void>): Promise<void> =>
  withApiErrors(() =>
    work().catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== "not_found") throw error;
      throw new UserError(`${slug} has no ${kind} ${id}: see comanda-admin webhook ${LISTS[kind]} ${slug}.`);
    }),
  );

type LogOptions = { endpoint?: string; state?: string; rows: string } & JsonFlag;

const log = (slug: string, delivery: string | undefined, { endpoint, state, rows, json = false }: LogOptions): Promise<void> =>
  withCommandContext(({ deps }) =>
    explainedFor(slug, "delivery", delivery, async () => {
      if (state !== undefined && !STATES.includes(state)) throw new UserError(`There is no state ${state}: use ${STATES.join(", ")}.`);
      if (delivery !== undefined) return showOne(await forVenue(deps, slug, (ctx) => readDelivery(ctx, readId(delivery))), json);
      const filter = { ...(endpoint === undefined ? {} : { endpointId: readId(endpoint) }), ...(state === undefined ? {} : { state }) };
      const found = await forVenue(deps, slug, (ctx) => readDeliveries(ctx, filter, readRowCount(rows, LOG_ROWS)));
      print(json, found, () =>
        table(
          found.map(({ id, event_type, url, attempts, last_status, last_duration_ms, due_at, explanation, created_at, ...row }) => ({
            id,
            event: event_type,
            url,
            state: row.state,
            attempts,
            last_status,
            ms: last_duration_ms,
            explanation,
            next: due_at,
            created_at,
          })),
        ),
      );
    }),
  );

const showOne = (delivery: Awaited<ReturnType<typeof readDelivery>>, json: boolean): void =>
  print(json, delivery, () =>
    [
      `${delivery.event_type} to ${delivery.url}: ${delivery.state}`,
      "",
      table(
        delivery.log.map(({ cycle, attempt, at, status, duration_ms, explanation, answer }) => ({
          round: cycle,
          attempt,
          at,
          status,
          ms: duration_ms,
          explanation,
          answer: answer.slice(0, 80),
        })),
      ),
      "",
      delivery.body,
    ].join("\n"),
  );

type ReplayOptions = { endpoint?: string; since?: string; dryRun?: boolean } & JsonFlag;

const replay = (
  slug: string,
  delivery: string | undefined,
  { endpoint, since, dryRun = false, json = false }: ReplayOptions,
): Promise<void> =>
  withCommandContext(({ deps }) =>
    explainedFor(slug, delivery === undefined ? "address" : "delivery", delivery ?? endpoint, async () => {
      if (delivery !== undefined) {
        if (dryRun || endpoint !== undefined)
          throw new UserError("--dry-run and --endpoint are for all that failed at an address: leave out the delivery.");
        await forVenue(deps, slug, (ctx) => replayDelivery(ctx, readId(delivery)));
        return print(json, { slug, replayed: 1 }, () => `Delivery ${delivery} is sent again.`);
      }
      if (endpoint === undefined)
        throw new UserError("Name a delivery, or an address with --endpoint to send all that failed there again.");
      const from = since === undefined ? new Date(0) : readInstant(since, "--since");
      const act = dryRun ? countFailedSince : replayFailedSince;
      const count = await forVenue(deps, slug, (ctx) => act(ctx, readId(endpoint), from));
      print(json, { slug, [dryRun ? "failed" : "replayed"]: count }, () =>
        dryRun ? `Failed deliveries that would be sent again: ${count}.` : `Failed deliveries that are sent again: ${count}.`,
      );
    }),
  );
