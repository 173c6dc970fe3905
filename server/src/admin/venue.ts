import { readFileSync, writeFileSync } from "node:fs";
import type { Command } from "commander";
import { importVenue } from "#compose/import-venue.ts";
import { openDb, transaction } from "#db/pool.ts";
import type { Deps } from "#deps.ts";
import type { Ctx } from "#lib/context.ts";
import { UserError } from "#lib/errors.ts";
import { parseDate, parseInstant } from "#lib/instant.ts";
import { escapedJson } from "#lib/plain-text.ts";
import { changePlanState, readRestaurant, stateOf } from "#platform/tenants/service.ts";
import { listAllVenues, type PlanStateChange } from "#platform/tenants/store.ts";
import { suspensionLeft } from "#venue/setup/sign-up/service/opening.ts";
import { collectVenueFile, parseVenueFile } from "#venue/setup/venue-file/service.ts";
import { forVenue, withCommandContext } from "./command-context.ts";
import { addInviteOwnerCommand } from "./invite-owner.ts";
import { print, table } from "./print.ts";

export const addVenueCommands = (program: Command): Command => {
  const venue = program.command("venue").description("restaurants: import, export, list, plan and suspension, invite an owner");
  venue
    .command("import <file>")
    .description("make a venue what the file says; - reads standard input")
    .option("--json", "print JSON")
    .action((path: string, { json = false }: { json?: boolean }) =>
      withCommandContext(async ({ deps }) => {
        const imported = await importVenue(deps, parseVenueFile(readInput(path)));
        print(json, imported, () => `${imported.slug} is in place, with the id ${imported.restaurant_id}.`);
      }),
    );
  venue
    .command("export <slug>")
    .description("write the venue's file to standard output, or to --out")
    .option("--out <file>", "write here")
    .action((slug: string, { out }: { out?: string }) =>
      withCommandContext(async ({ deps }) => {
        const text = `${JSON.stringify(await forVenue(deps, slug, collectVenueFile), null, 2)}\n`;
        if (out) writeFileSync(out, text);
        else process.stdout.write(escapedJson(text));
      }),
    );
  venue
    .command("list")
    .description("every venue of this cell")
    .option("--json", "print JSON")
    .action(({ json = false }: { json?: boolean }) =>
      withCommandContext(async ({ deps }) => {
        const venues = await listVenues(deps);
        print(json, venues, () => table(venues));
      }),
    );
  addSet(venue);
  addInviteOwnerCommand(venue);
  return venue;
};

const addSet = (venue: Command): void => {
  venue
    .command("set <slug>")
    .description("change the plan of a venue, or suspend it")
    .option("--plan <plan>", "put it on another plan")
    .option("--lapse [when]", "the plan ends now, or at the given date-time")
    .option("--renew", "the plan is in force again, without an end")
    .option("--suspend", "it can be read but not changed")
    .option("--resume", "lift the suspension; a venue that was never live waits for its owner again")
    .option("--json", "print JSON")
    .action((slug: string, options: SetOptions) =>
      withCommandContext(async ({ deps }) => {
        const change = standingChange(options, deps.clock.now());
        const changing = async (ctx: Ctx) => {
          const left = options.resume ? await suspensionLeft(ctx) : null;
          await changePlanState(ctx, left === null ? change : { ...change, suspended_at: left });
          return { row: await readRestaurant(ctx.db, ctx.tenant.id), isNotLive: left !== null };
        };
        const { row, isNotLive } = await forVenue(deps, slug, changing, { revokes: true });
        const shown = { slug, restaurant_id: row.id, plan: row.plan, state: stateOf(row, deps.clock.now()) };
        const open = isNotLive ? " It was never live. Its owner opens it to guests in the console." : "";
        print(options.json ?? false, shown, () => `${slug} is on the plan ${shown.plan} and ${shown.state}.${open}`);
      }),
    );
};

type SetOptions = { plan?: string; lapse?: string | true; renew?: true; suspend?: true; resume?: true; json?: boolean };

const standingChange = ({ plan, lapse, renew, suspend, resume }: SetOptions, now: Date): PlanStateChange => {
  const change: PlanStateChange = {};
  if (plan !== undefined) change.plan = plan;
  if (lapse !== undefined) change.plan_until = lapse === true ? now : readInstant(lapse, "--lapse");
  if (renew) change.plan_until = null;
  if (suspend) change.suspended_at = now;
  if (resume) change.suspended_at = null;
  if (Object.keys(change).length === 0) throw new UserError("Say what to set: --plan, --lapse, --renew, --suspend or --resume.");
  return change;
};

/** A date-time with an offset, or a date, which begins at midnight UTC. The 31st of February is neither. */
export const readInstant = (text: string, option: string): Date => {
  const instant = parseInstant(parseDate(text) ? `${text}T00:00:00Z` : text);
  if (!instant) throw new UserError(`${option} takes a date-time such as 2027-01-31T12:00:00Z.`);
  return instant;
};

const readInput = (path: string): string => {
  try {
    return readFileSync(path === "-" ? 0 : path, "utf8");
  } catch (error) {
    throw new UserError(`The file ${path} cannot be read: ${(error as Error).message}`);
  }
};

const listVenues = async (deps: Deps) => {
  const venues = [];
  for await (const { restaurant_id, slug } of listAllVenues(openDb(deps.pool))) {
    const row = await transaction(deps.pool, restaurant_id, ({ db }) => readRestaurant(db, restaurant_id));
    venues.push({ slug, restaurant_id, currency: row.currency, zone: row.zone, plan: row.plan, state: stateOf(row, deps.clock.now()) });
  }
  return venues;
};
