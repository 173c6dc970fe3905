import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { Misuse, Refusal } from "#lib/errors.ts";
import {
  countFailedSince,
  pauseEndpoint,
  readDeliveries,
  readDelivery,
  removeEndpoint,
  replayDelivery,
  replayFailedSince,
  resumeEndpoint,
  sendPing,
} from "#platform/deliveries/service.ts";
import {
  addEndpoint,
  CHOOSABLE_EVENTS,
  changeEndpoint,
  readEndpoints,
  rotateSecret,
  SECRET_SHOWN_AFTER_MS,
} from "#platform/webhooks/service.ts";
import { explained, print, table } from "./print.ts";
import { fittingKeys, forVenue, readRowCount, withSession } from "./session.ts";
import { readInstant } from "./venue.ts";

const LOG_ROWS = 50;
const STATES = ["ready", "waiting", "held", "done", "failed"];

type Json = { json?: boolean };

export const addWebhookCommands = (program: Command): void => {
  const webhook = program.command("webhook").description("addresses that hear of events: add, list, change, rotate, ping, log, replay");
  webhook
    .command("add <slug>")
    .description("send events to this address; the signing secret is shown this once")
    .requiredOption("--url <url>", "where the receiver listens, as https://…")
    .option("--events <list>", "event types separated by commas, or all", "all")
    .option("--description <text>", "what it is for")
    .option("--json", "print JSON")
    .action(add);
  webhook.command("list <slug>").description("the addresses and how they are doing").option("--json", "print JSON").action(list);
  webhook
    .command("change <slug> <id>")
    .description("another address, other events, another description")
    .option("--url <url>", "where the receiver listens, as https://…")
    .option("--events <list>", "event types separated by commas, or all")
    .option("--description <text>", "what it is for")
    .option("--json", "print JSON")
    .action(change);
  webhook
    .command("rotate <slug> <id>")
    .description("a new signing secret; the old one signs beside it for 24 hours")
    .option("--json", "print JSON")
    .action(rotate);
  for (const { name, meaning, act } of SWITCHES)
    webhook.command(`${name} <slug> <id>`).description(meaning).option("--json", "print JSON").action(switchTo(name, act));
  addLogCommands(webhook);
};

const addLogCommands = (webhook: Command): void => {
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

const SWITCHES = [
  { name: "ping", meaning: "send a test event to this address", act: sendPing },
  { name: "pause", meaning: "hold events back; they are sent when it is resumed", act: pauseEndpoint },
  { name: "resume", meaning: "send what was held back, and what comes", act: resumeEndpoint },
  { name: "remove", meaning: "send nothing more to this address", act: removeEndpoint },
] as const;

const readId = (text: string): number => {
  const id = Number(text);
  if (!Number.isSafeInteger(id) || id <= 0)
    throw new Misuse(`${text} is not the number of an address or a delivery: see the list or the log.`);
  return id;
};

/** What was asked for by its number, and which command shows the numbers there are. */
const LISTS = { address: "list", delivery: "log" };

/** As `explained`; what is not there is told with where to look. */
const explainedFor = (slug: string, kind: keyof typeof LISTS, id: string | undefined, work: () => Promise<void>): Promise<void> =>
  explained(() =>
    work().catch((error: unknown) => {
      if (!(error instanceof Refusal) || error.code !== "not_found") throw error;
      throw new Misuse(`${slug} has no ${kind} ${id}: see comanda webhook ${LISTS[kind]} ${slug}.`);
    }),
  );

const readEvents = (list: string): string[] => (list === "all" ? [...CHOOSABLE_EVENTS] : list.split(",").map((part) => part.trim()).filter(Boolean)); // biome-ignore format: one thought

type Wanted = { url: string; events: string; description?: string };

const add = (slug: string, { url, events, description = "", json = false }: Wanted & Json): Promise<void> =>
  withSession(({ deps }) =>
    explained(async () => {
      const wanted = { url, events: readEvents(events), description };
      const keys = await fittingKeys(deps);
      const { endpoint, secret } = await forVenue(deps, slug, (ctx) => addEndpoint(ctx, wanted, keys));
      print(
        json,
        { slug, id: endpoint.id, url: endpoint.url, events: endpoint.events, secret },
        () =>
          `${secret}\n\nKeep it now: it is not shown again. ${endpoint.url} hears of ${endpoint.events.length} kinds of events of ${slug}, signed with it.\nTry it: comanda webhook ping ${slug} ${endpoint.id}`,
      );
    }),
  );

const list = (slug: string, { json = false }: Json): Promise<void> =>
  withSession(async ({ deps }) => {
    const endpoints = await forVenue(deps, slug, readEndpoints);
    print(json, endpoints, () =>
      table(
        endpoints.map(({ id, url, events, is_paused, attempts, successes, p95_ms, pending, failing_since, explanation }) => ({
          id,
          url,
          events: events.length === CHOOSABLE_EVENTS.length ? "all" : events,
          state: is_paused ? "paused" : failing_since === null ? "working" : "failing",
          "24_h": attempts === 0 ? null : `${successes} of ${attempts}`,
          p95_ms,
          pending,
          failing_since,
          last_failure: explanation,
        })),
      ),
    );
  });

const change = (slug: string, id: string, { json = false, events, ...wanted }: Partial<Wanted> & Json): Promise<void> =>
  withSession(({ deps }) =>
    explainedFor(slug, "address", id, async () => {
      const asked = { ...wanted, ...(events === undefined ? {} : { events: readEvents(events) }) };
      if (Object.keys(asked).length === 0) throw new Misuse("Say what to change: --url, --events or --description.");
      await forVenue(deps, slug, (ctx) => changeEndpoint(ctx, readId(id), asked));
      print(json, { slug, id: readId(id), ...asked }, () => `Address ${id} of ${slug} is changed.`);
    }),
  );

const rotate = (slug: string, id: string, { json = false }: Json): Promise<void> =>
  withSession(({ deps }) =>
    explainedFor(slug, "address", id, async () => {
      const keys = await fittingKeys(deps);
      const { secret, previousUntil } = await forVenue(deps, slug, (ctx) => rotateSecret(ctx, readId(id), keys));
      await sleep(SECRET_SHOWN_AFTER_MS);
      print(
        json,
        { slug, id: readId(id), secret, previous_until: previousUntil },
        () => `${secret}\n\nKeep it now: it is not shown again. The one before it signs as well until ${previousUntil.toISOString()}.`,
      );
    }),
  );

const switchTo =
  (name: string, act: (typeof SWITCHES)[number]["act"]) =>
  (slug: string, id: string, { json = false }: Json): Promise<void> =>
    withSession(({ deps }) =>
      explainedFor(slug, "address", id, async () => {
        const done = await forVenue(deps, slug, async (ctx) => act(ctx, readId(id)));
        print(json, { slug, id: readId(id), done: name, ...done }, () =>
          name === "ping"
            ? `A test event is on its way: comanda webhook log ${slug} --endpoint ${id}`
            : `Address ${id} of ${slug}: ${name} done.`,
        );
      }),
    );

type LogOptions = { endpoint?: string; state?: string; rows: string } & Json;

const log = (slug: string, delivery: string | undefined, { endpoint, state, rows, json = false }: LogOptions): Promise<void> =>
  withSession(({ deps }) =>
    explainedFor(slug, "delivery", delivery, async () => {
      if (state !== undefined && !STATES.includes(state)) throw new Misuse(`There is no state ${state}: use ${STATES.join(", ")}.`);
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

type ReplayOptions = { endpoint?: string; since?: string; dryRun?: boolean } & Json;

const replay = (
  slug: string,
  delivery: string | undefined,
  { endpoint, since, dryRun = false, json = false }: ReplayOptions,
): Promise<void> =>
  withSession(({ deps }) =>
    explainedFor(slug, delivery === undefined ? "address" : "delivery", delivery ?? endpoint, async () => {
      if (delivery !== undefined) {
        if (dryRun || endpoint !== undefined)
          throw new Misuse("--dry-run and --endpoint are for all that failed at an address: leave out the delivery.");
        await forVenue(deps, slug, (ctx) => replayDelivery(ctx, readId(delivery)));
        return print(json, { slug, replayed: 1 }, () => `Delivery ${delivery} is sent again.`);
      }
      if (endpoint === undefined) throw new Misuse("Name a delivery, or an address with --endpoint to send all that failed there again.");
      const from = since === undefined ? new Date(0) : readInstant(since, "--since");
      const act = dryRun ? countFailedSince : replayFailedSince;
      const count = await forVenue(deps, slug, (ctx) => act(ctx, readId(endpoint), from));
      print(json, { slug, [dryRun ? "failed" : "replayed"]: count }, () =>
        dryRun ? `Failed deliveries that would be sent again: ${count}.` : `Failed deliveries that are sent again: ${count}.`,
      );
    }),
  );
