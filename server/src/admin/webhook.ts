import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { UserError } from "#lib/errors.ts";
import { pauseEndpoint, removeEndpoint, resumeEndpoint, sendPing } from "#platform/events/webhook-deliveries/service/endpoints.ts";
import { addEndpoint, CHOOSABLE_EVENTS, changeEndpoint, readEndpoints } from "#platform/events/webhooks/service/endpoints.ts";
import { rotateSecret, SECRET_SHOWN_AFTER_MS } from "#platform/events/webhooks/service/secret-rotation.ts";
import { checkedKeys, forVenue, withCommandContext } from "./command-context.ts";
import { print, table, withApiErrors } from "./print.ts";
import { addLogCommands, explainedFor, type JsonFlag, readId } from "./webhook-log.ts";

export const addWebhookCommands = (program: Command): void => {
  const webhook = program.command("webhook").description("webhook addresses: add, list, change, rotate, ping, log, replay");
  webhook
    .command("add <slug>")
    .description("send events to this address; the signing secret is shown this once")
    .requiredOption("--url <url>", "where the receiver listens, as https://…")
    .option("--events <list>", "event types separated by commas, or all", "all")
    .option("--description <text>", "what it is for")
    .option("--json", "print JSON")
    .action(add);
  webhook.command("list <slug>").description("the addresses and their health").option("--json", "print JSON").action(list);
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

const SWITCHES = [
  { name: "ping", meaning: "send a test event to this address", act: sendPing },
  { name: "pause", meaning: "hold events back; they are sent when it is resumed", act: pauseEndpoint },
  { name: "resume", meaning: "send what was held back, and what comes", act: resumeEndpoint },
  { name: "remove", meaning: "send nothing more to this address", act: removeEndpoint },
] as const;

const readEvents = (list: string): string[] => (list === "all" ? [...CHOOSABLE_EVENTS] : list.split(",").map((part) => part.trim()).filter(Boolean)); // biome-ignore format: one thought

type EndpointFlags = { url: string; events: string; description?: string };

const add = (slug: string, { url, events, description = "", json = false }: EndpointFlags & JsonFlag): Promise<void> =>
  withCommandContext(({ deps }) =>
    withApiErrors(async () => {
      const wanted = { url, events: readEvents(events), description };
      const keys = await checkedKeys(deps);
      const { endpoint, secret } = await forVenue(deps, slug, (ctx) => addEndpoint(ctx, wanted, keys));
      print(
        json,
        { slug, id: endpoint.id, url: endpoint.url, events: endpoint.events, secret },
        () =>
          `${secret}\n\nKeep it now: it is not shown again. ${endpoint.url} gets ${endpoint.events.length} kinds of events of ${slug}, signed with it.\nTry it: comanda-admin webhook ping ${slug} ${endpoint.id}`,
      );
    }),
  );

const list = (slug: string, { json = false }: JsonFlag): Promise<void> =>
  withCommandContext(async ({ deps }) => {
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

const change = (slug: string, id: string, { json = false, events, ...wanted }: Partial<EndpointFlags> & JsonFlag): Promise<void> =>
  withCommandContext(({ deps }) =>
    explainedFor(slug, "address", id, async () => {
      const asked = { ...wanted, ...(events === undefined ? {} : { events: readEvents(events) }) };
      if (Object.keys(asked).length === 0) throw new UserError("Say what to change: --url, --events or --description.");
      await forVenue(deps, slug, (ctx) => changeEndpoint(ctx, readId(id), asked));
      print(json, { slug, id: readId(id), ...asked }, () => `Address ${id} of ${slug} is changed.`);
    }),
  );

const rotate = (slug: string, id: string, { json = false }: JsonFlag): Promise<void> =>
  withCommandContext(({ deps }) =>
    explainedFor(slug, "address", id, async () => {
      const keys = await checkedKeys(deps);
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
  (slug: string, id: string, { json = false }: JsonFlag): Promise<void> =>
    withCommandContext(({ deps }) =>
      explainedFor(slug, "address", id, async () => {
        const done = await forVenue(deps, slug, async (ctx) => act(ctx, readId(id)));
        print(json, { slug, id: readId(id), done: name, ...done }, () =>
          name === "ping"
            ? `A test event is on its way: comanda-admin webhook log ${slug} --endpoint ${id}`
            : `Address ${id} of ${slug}: ${name} done.`,
        );
      }),
    );
