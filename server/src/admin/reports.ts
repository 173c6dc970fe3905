import type { Command } from "commander";
import type { Ctx } from "#lib/context.ts";
import { addDays, formatDate } from "#lib/instant.ts";
import { wallClock } from "#lib/time-zone.ts";
import { listDifferences, listMonthDifferences, repairMonths, repairSums } from "#venue/reports/service.ts";
import { type CommandContext, forVenue, withCommandContext } from "./command-context.ts";
import { print, table } from "./print.ts";

type CheckOptions = { days: string; json?: boolean };
type SumDifference = Awaited<ReturnType<typeof listDifferences>>[number];

const DAYS = 400;
/** Days in one transaction. */
const STEP_DAYS = 7;
const SHOWN_MAX = 50;

export const addReportCommands = (program: Command): void => {
  const reports = program.command("reports").description("the sums that a venue's reports are read from");
  const add = (name: string, description: string, isRepaired: boolean): Command =>
    reports
      .command(`${name} <slug>`)
      .description(description)
      .option("--days <count>", "how many days back from today", String(DAYS))
      .option("--json", "print JSON")
      .action((slug: string, options: CheckOptions) => check(slug, options, isRepaired));
  add("check", "compare the sums with the orders and payments, one by one", false);
  add("repair", "the same, and make the sums equal", true);
};

const check = (slug: string, { days, json = false }: CheckOptions, isRepaired: boolean): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    const differences = await differencesOf(deps, slug, Math.max(1, Number(days) || DAYS), isRepaired);
    const done = isRepaired ? "were repaired" : "were found";
    const shown = (): string =>
      `${table(differences.slice(0, SHOWN_MAX))}\n${differences.length} differences ${done}; those of a count or amount above 0 were missing.`;
    print(json, differences, () => (differences.length === 0 ? "The sums are those of the orders and payments." : shown()));
    if (differences.length > 0 && !isRepaired) process.exitCode = 1;
  });

const differencesOf = async (deps: CommandContext["deps"], slug: string, days: number, isRepaired: boolean): Promise<SumDifference[]> => {
  const found: SumDifference[] = [];
  const look = async (work: (ctx: Ctx) => Promise<SumDifference[]>): Promise<void> => {
    found.push(...(await forVenue(deps, slug, work)));
  };
  for (let back = -1; back < days; back += STEP_DAYS) {
    const span = (ctx: Ctx): [string, string] => {
      const today = wallClock(ctx.tenant.zone, ctx.now);
      return [formatDate(addDays(today, -back - STEP_DAYS + 1)), formatDate(addDays(today, -back))];
    };
    await look((ctx) => (isRepaired ? repairSums : listDifferences)(ctx, ...span(ctx)));
  }
  await look(isRepaired ? repairMonths : listMonthDifferences);
  return found;
};
