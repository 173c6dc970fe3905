/** `comanda-admin sandbox`: what the developer settings will offer. Each command names the live restaurant. */
import type { EmittedEvent } from "@comanda/contract/events/envelope.ts";
import type { Command } from "commander";
import { asOperator, type OperatorOptions } from "#compose/as-operator.ts";
import { readSandboxSample } from "#compose/sandbox-sample.ts";
import { transaction } from "#db/pool.ts";
import type { Deps } from "#deps.ts";
import type { Ctx } from "#lib/context.ts";
import { UserError } from "#lib/errors.ts";
import { formatInstant } from "#lib/time-zone.ts";
import { tenantOf } from "#platform/tenants/service.ts";
import { findRestaurant } from "#platform/tenants/store.ts";
import { sandboxTenant } from "#venue/sandbox/rules/sample-data.ts";
import { TRIGGERED_EVENTS, triggerEvent } from "#venue/sandbox/sandbox-events/service.ts";
import { openSandbox, readSandbox, registerSandbox, renewSandboxToken, resetSandbox, sandboxIdOf } from "#venue/sandbox/service.ts";
import { type CommandContext, forVenue, withCommandContext } from "./command-context.ts";
import { print, withApiErrors } from "./print.ts";

type SandboxOptions = { json?: boolean };

export const addSandboxCommands = (program: Command): void => {
  const sandbox = program.command("sandbox").description("a restaurant's sandbox: create, show, a new token, reset");
  const add = (verb: string, description: string, action: (slug: string, options: SandboxOptions) => Promise<void>): void => {
    sandbox.command(`${verb} <slug>`).description(description).option("--json", "print JSON").action(action);
  };
  add("create", "open the sandbox of a restaurant; its token is shown this once", create);
  add("show", "when it is reset, and which token opens it", show);
  add("token", "a new token; the one before ends", renew);
  add("reset", "set it back to its sample now", reset);
  sandbox
    .command("trigger <slug> <events...>")
    .description("trigger events, such as order.paid, by real changes in the sandbox")
    .option("--json", "print JSON")
    .action(trigger);
};

/** A new token ends the one before. */
const NEW_TOKEN: OperatorOptions = { sandboxLock: "exclusive", revokes: true };

export type FreshSandbox = { restaurant_id: number; token: string };

/** Two steps, each whole by itself. What a crash leaves between them is completed by running it again. Null when there is one. */
export const createSandbox = async (deps: Deps, slug: string, ratePerMinute: number | null): Promise<FreshSandbox | null> => {
  const sample = readSandboxSample();
  const tenant = await forVenue(deps, slug, async (ctx) => sandboxTenant(await registerSandbox(ctx), ctx.tenant, sample));
  const opened = await asOperator(deps, tenant, (ctx) => openSandbox(ctx, sample, ratePerMinute), { sandboxLock: "exclusive" });
  return opened && { restaurant_id: tenant.id, token: opened.token };
};

/** A sandbox as on its first day, with a new token, whether or not there was one. */
export const freshSandbox = async (deps: Deps, slug: string, ratePerMinute: number): Promise<FreshSandbox> => {
  const created = await createSandbox(deps, slug, ratePerMinute);
  if (created) return created;
  const renew = async (ctx: Ctx): Promise<FreshSandbox> => {
    await resetSandbox(ctx, null);
    return { restaurant_id: ctx.tenant.id, token: (await renewSandboxToken(ctx, ratePerMinute)).token };
  };
  return inSandbox(deps, slug, renew, NEW_TOKEN);
};

/** One transaction in the sandbox of this restaurant. */
export const inSandbox = async <T>(deps: Deps, slug: string, work: (ctx: Ctx) => Promise<T>, manner?: OperatorOptions): Promise<T> => {
  const id = await forVenue(deps, slug, sandboxIdOf);
  // It has an id and no row when a crash came between the two steps.
  const row = id === null ? undefined : await transaction(deps.pool, id, ({ db }) => findRestaurant(db, id));
  if (!row) throw new UserError(`${slug} has no sandbox. Open one with \`comanda-admin sandbox create ${slug}\`.`);
  return asOperator(deps, tenantOf(row), work, manner);
};

const describeToken = ({ rootUrl }: CommandContext, slug: string, token: string): string =>
  [
    token,
    "",
    `Keep it now: it is not shown again. It opens the sandbox of ${slug} and nothing else.`,
    "",
    `  curl -s ${rootUrl}/api/v1/menus -H 'Authorization: Bearer ${token}'`,
  ].join("\n");

const describeReset = ({ zone, next_reset_at }: { zone: string; next_reset_at: Date }): string =>
  `It is set back to its sample every night at 03:00 (${zone}), next at ${formatInstant(zone, next_reset_at)}.`;

const read = async (deps: Deps, slug: string) => {
  const sandbox = await inSandbox(deps, slug, readSandbox);
  if (!sandbox) throw new Error("A sandbox has no sample");
  return sandbox;
};

const create = (slug: string, { json = false }: SandboxOptions): Promise<void> =>
  withCommandContext(async (session) => {
    const opened = await createSandbox(session.deps, slug, null);
    if (!opened) throw new UserError(`${slug} has a sandbox already. For a new token run \`comanda-admin sandbox token ${slug}\`.`);
    const sandbox = await read(session.deps, slug);
    print(json, { ...sandbox, token: opened.token }, () =>
      [describeToken(session, slug, opened.token), "", describeReset(sandbox)].join("\n"),
    );
  });

const show = (slug: string, { json = false }: SandboxOptions): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    const sandbox = await read(deps, slug);
    const { restaurant_id, currency, zone, reset_at, token } = sandbox;
    print(json, sandbox, () =>
      [
        `The sandbox of ${slug} has the id ${restaurant_id}, the currency ${currency} and the clock of ${zone}.`,
        token
          ? `Its token is ${token.hint}, ${token.last_used_at ? `last used at ${formatInstant(zone, token.last_used_at)}` : "not used yet"}.`
          : `It has no token: \`comanda-admin sandbox token ${slug}\` gives one.`,
        reset_at ? `It was last reset at ${formatInstant(zone, reset_at)}.` : "It has not been reset yet.",
        describeReset(sandbox),
      ].join("\n"),
    );
  });

const renew = (slug: string, { json = false }: SandboxOptions): Promise<void> =>
  withCommandContext(async (session) => {
    const { id, token } = await inSandbox(session.deps, slug, (ctx) => renewSandboxToken(ctx, null), NEW_TOKEN);
    print(json, { id, token }, () => `${describeToken(session, slug, token)}\n\nThe token before is revoked.`);
  });

const reset = (slug: string, { json = false }: SandboxOptions): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    await inSandbox(deps, slug, (ctx) => resetSandbox(ctx, null), { sandboxLock: "exclusive" });
    const sandbox = await read(deps, slug);
    print(json, sandbox, () => `The sandbox of ${slug} is as on its first day. ${describeReset(sandbox)}`);
  });

const triggerable = (event: string): EmittedEvent => {
  const type = TRIGGERED_EVENTS.find((known) => known === event);
  if (!type) throw new UserError(`${event} is none of the events that can be triggered: ${TRIGGERED_EVENTS.join(", ")}.`);
  return type;
};

/** Each event is triggered in a commit of its own, in the order given. */
const trigger = (slug: string, events: string[], { json = false }: SandboxOptions): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    const types = events.map(triggerable);
    for (const type of types) await inSandbox(deps, slug, (ctx) => withApiErrors(() => triggerEvent(ctx, type)));
    print(
      json,
      { events: types },
      () => `Triggered in the sandbox of ${slug}: ${types.join(", ")}. \`comanda-admin webhook log ${slug}.sandbox\` shows the deliveries.`,
    );
  });
