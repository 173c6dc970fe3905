/** All commands of `comanda-admin`, the operator's tool. Errors say what to do; `--json` makes any answer one JSON value. */

import type { Command } from "commander";
import { readMigrationConfig } from "#config.ts";
import { migrate } from "#db/migrate.ts";
import { openDevDatabase } from "#dev/database.ts";
import { latestAuditEntries } from "#platform/activity/audit/service.ts";
import { addCellCommands } from "../../../cells/src/commands.ts";
import about from "../../package.json" with { type: "json" };
import { addAppCommands } from "./app.ts";
import { addBookingCommands } from "./booking.ts";
import { forVenue, readRowCount, withCommandContext } from "./command-context.ts";
import { addDemoCommand } from "./demo.ts";
import { addExperienceCommands } from "./experience.ts";
import { addGuestCommands } from "./guest.ts";
import { addKitchenCommand } from "./kitchen.ts";
import { addMessagesCommand } from "./messages.ts";
import { addPaymentCommands } from "./payment.ts";
import { addPosCommands } from "./pos.ts";
import { print, printDatabase, table } from "./print.ts";
import { addReportCommands } from "./reports.ts";
import { addResealCommand } from "./reseal.ts";
import { addReviewsCommand } from "./reviews.ts";
import { addSandboxCommands } from "./sandbox.ts";
import { addShiftCommands } from "./shifts.ts";
import { addStaffCommands } from "./staff.ts";
import { addStockCommands } from "./stock.ts";
import { addTokenCommands } from "./token.ts";
import { addVenueCommands } from "./venue.ts";
import { addWebhookCommands } from "./webhook.ts";

const AUDIT_ROWS = 50;

export const addCommands = (program: Command): Command => {
  program
    .description("Comanda: the open restaurant operations platform")
    .version(about.version)
    .showHelpAfterError("Run with --help to see what it takes.");

  addMigrateCommand(program);
  addAuditCommand(program);
  const venue = addVenueCommands(program);
  addTokenCommands(program);
  addStaffCommands(program);
  addSandboxCommands(program);
  const app = addAppCommands(program);
  addPaymentCommands(program);
  addStockCommands(program);
  addShiftCommands(program);
  addExperienceCommands(program);
  addKitchenCommand(program);
  addWebhookCommands(program);
  addPosCommands(program);
  addBookingCommands(program);
  addGuestCommands(program);
  addMessagesCommand(program);
  addReviewsCommand(program);
  addReportCommands(program);
  addResealCommand(program);
  addCellCommands({ program, venue, app });
  addDemoCommand(program);
  return program;
};

const addMigrateCommand = (program: Command): void => {
  program
    .command("migrate")
    .description("bring the database up to date")
    .option("--json", "print JSON")
    .action(async ({ json = false }: { json?: boolean }) => {
      const ran = await migrateConfigured();
      print(json, { ran }, () => (ran.length === 0 ? "The database is up to date." : `Ran ${ran.join(", ")}.`));
    });
};

/** The schema is changed by its owner, never by the role that serves requests. */
const migrateConfigured = async (): Promise<string[]> => {
  const { url, cell } = readMigrationConfig(process.env);
  if (url !== null) {
    printDatabase(url, cell);
    return migrate(url, cell);
  }
  const dev = await openDevDatabase(cell, "MIGRATION_DATABASE_URL");
  try {
    printDatabase(dev.ownerUrl, cell);
    return await migrate(dev.ownerUrl, cell);
  } finally {
    await dev.close();
  }
};

const addAuditCommand = (program: Command): void => {
  program
    .command("audit <slug>")
    .description("the latest entries of a venue's activity log")
    .option("--rows <count>", "how many", String(AUDIT_ROWS))
    .option("--json", "print JSON")
    .action((slug: string, { rows, json = false }: { rows: string; json?: boolean }) =>
      withCommandContext(async ({ deps }) => {
        const entries = await forVenue(deps, slug, (ctx) => latestAuditEntries(ctx, readRowCount(rows, AUDIT_ROWS)));
        print(json, entries, () =>
          table(
            entries.map(({ at, actor_kind, actor_name, actor_email, via, action, subject_kind, subject_id, before, after }) => ({
              at,
              actor: `${actor_kind} ${actor_name}${actor_email === null ? "" : ` <${actor_email}>`}${via === null ? "" : ` via ${via}`}`,
              action,
              subject: `${subject_kind} ${subject_id}`,
              before: before && JSON.stringify(before).slice(0, 60),
              after: after && JSON.stringify(after).slice(0, 60),
            })),
          ),
        );
      }),
    );
};
