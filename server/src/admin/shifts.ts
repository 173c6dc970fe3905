import type { ShiftWeek } from "@comanda/contract/console/shifts.ts";
import type { Command } from "commander";
import type { Ctx } from "#lib/context.ts";
import { UserError } from "#lib/errors.ts";
import { parseDate } from "#lib/instant.ts";
import { publishWeek } from "#venue/shifts/service/publishing.ts";
import { readWeek } from "#venue/shifts/service/weeks.ts";
import { forVenue, withCommandContext } from "./command-context.ts";
import { counted, print, table, withApiErrors } from "./print.ts";

type ShiftOptions = { branch?: string; week?: string; json?: boolean };

const OF_WEEK = "a day of the week, as 2026-11-16; the present week without it";

export const addShiftCommands = (program: Command): void => {
  const shifts = program.command("shifts").description("who works when");
  shifts
    .command("list <slug>")
    .description("the shifts of a branch in a week")
    .option("--branch <id>", "the default branch without it")
    .option("--week <date>", OF_WEEK)
    .option("--json", "print JSON")
    .action(list);
  shifts
    .command("publish <slug>")
    .description("publish a week: a mail to each person whose shifts changed, and shift.published")
    .option("--branch <id>", "the default branch without it")
    .option("--week <date>", OF_WEEK)
    .option("--json", "print JSON")
    .action(publish);
};

const readChosenWeek = (ctx: Ctx, { branch, week }: ShiftOptions): Promise<ShiftWeek> => {
  if (week !== undefined && parseDate(week) === null) throw new UserError("The week is named by one of its days, as 2026-11-16.");
  return withApiErrors(() => readWeek(ctx, { branch: branch === undefined ? undefined : Number(branch), week_start: week }));
};

const list = (slug: string, options: ShiftOptions): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    const week = await forVenue(deps, slug, (ctx) => readChosenWeek(ctx, options));
    const names = new Map(week.people.map(({ id, name }) => [id, name]));
    print(options.json ?? false, week, () =>
      [
        `${week.week_start} to ${week.week_end}, ${counted(week.changes, "change")} not published`,
        table(
          week.shifts.map(({ id, staff_id, date, from, to, role, state }) => ({
            id,
            name: names.get(staff_id),
            date,
            from,
            to,
            role,
            state,
          })),
        ),
      ].join("\n"),
    );
  });

const publish = (slug: string, options: ShiftOptions): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    const result = await forVenue(deps, slug, async (ctx) => {
      const { branch_id, week_start, version } = await readChosenWeek(ctx, options);
      return withApiErrors(() => publishWeek(ctx, { branch_id, week_start, seen_version: version }));
    });
    print(options.json ?? false, result, () =>
      result.changes === 0
        ? "Nothing to publish: all changes are published."
        : `Published ${counted(result.changes, "change")}. ${counted(result.mailed, "mail is", "mails are")} sent.`,
    );
  });
