import { counted, print, printDatabase, table } from "@comanda/server/admin/print.ts";
import { readInstant } from "@comanda/server/admin/venue.ts";
import { type RestoredConfig, readRestoredConfig } from "@comanda/server/config.ts";
import { openDevDatabase } from "@comanda/server/dev/database.ts";
import { UserError } from "@comanda/server/lib/errors.ts";
import type { Command } from "commander";
import type { KnownLocation } from "./compare.ts";
import { type ReleaseRequest, type ReleaseResult, type RestoredStatus, readRestored, releaseCopy } from "./release.ts";
import { ANY_TIME } from "./unsent.ts";

type RestoredOptions = { release?: true; since?: string; all?: true; none?: true; skipCells?: true; json?: boolean };

export const addRestoredCommand = (program: Command): void => {
  program
    .command("restored")
    .description("a database restored from a backup: what it would send; with --release it serves and sends (MIGRATION_DATABASE_URL)")
    .option("--release", "let this database serve and send from now on")
    .option("--since <moment>", "send what is due since then; give up what was due before, because the original has sent it")
    .option("--all", "send everything that waits")
    .option("--none", "give up everything that waits")
    .option("--skip-cells", "release it although not all other cells are in CELL_DATABASE_URLS")
    .option("--json", "print JSON")
    .action(runRestored);
};

const runRestored = async (options: RestoredOptions): Promise<void> => {
  const { url, cell, ...config } = readRestoredConfig(process.env);
  const before = readBefore(options);
  if (url !== null) return showOrRelease({ ...config, url }, before, options);
  const dev = await openDevDatabase(cell, "MIGRATION_DATABASE_URL");
  try {
    await showOrRelease({ ...config, url: dev.ownerUrl }, before, options);
  } finally {
    await dev.close();
  }
};

const showOrRelease = async (config: RestoredConfig, before: ReleaseRequest["before"], options: RestoredOptions): Promise<void> => {
  for (const url of [config.url, ...config.otherUrls]) printDatabase(url);
  if (options.release) {
    const released = await releaseCopy({ ...config, before, skipsCells: options.skipCells ?? false });
    return print(options.json ?? false, released, () => describeRelease(released));
  }
  const restored = await readRestored(config);
  print(options.json ?? false, restored, () => describe(restored));
};

/** Returns which of the three options was given. Nothing is sent by a release that does not say what to send. */
const readBefore = ({ release, since, all, none }: RestoredOptions): ReleaseRequest["before"] => {
  const said = [since, all, none].filter((one) => one !== undefined).length;
  if (!release && said > 0) throw new UserError("--since, --all and --none are for --release.");
  if (release && said !== 1)
    throw new UserError("Say what to send: --since <when the original stopped>, --all or --none. Without --release you see what waits.");
  if (since !== undefined) return readInstant(since, "--since");
  return none ? ANY_TIME : null;
};

const shown = (moment: Date | null): string => moment?.toISOString() ?? "never";

const describe = ({ cell, is_copy, recorded_as, recorded_at, last_order_at, last_event_at, waiting }: RestoredStatus): string =>
  [
    is_copy
      ? `Cell ${cell}: this database is a restored copy of ${recorded_as} (${shown(recorded_at)}). Nothing is sent and no venue is served until it is released.`
      : `Cell ${cell}: this database is ${recorded_as}, as recorded on ${shown(recorded_at)}. It is no restored copy.`,
    `The last order is of ${shown(last_order_at)}, the last event of ${shown(last_event_at)}.`,
    "",
    table(waiting),
    ...(is_copy ? ["", "To release it: comanda-admin restored --release --since <when the original stopped sending>"] : []),
  ].join("\n");

const listed = (venues: readonly KnownLocation[], line: (venue: KnownLocation) => string): string[] =>
  venues.filter(({ slug }) => !slug.endsWith(".sandbox")).map((venue) => `  ${line(venue)}`);

const describeRelease = ({ cell, given_up, compared_cells, away, missing }: ReleaseResult): string =>
  [
    `Cell ${cell} is released: its processes serve and send within a second.`,
    `Given up as not sent: ${counted(given_up.jobs, "message or push", "messages and pushes")}, ${counted(given_up.deliveries, "delivery", "deliveries")}, of ${counted(given_up.venues, "venue")}.`,
    compared_cells.length === 0 ? "No other cell was compared." : `Compared with cell ${compared_cells.join(", ")}.`,
    ...(away.length > 0 ? ["Venues that are in another cell, and are not served here:"] : []),
    ...listed(away, ({ slug, home }) => `${slug} in cell ${home}`),
    ...(missing.length > 0 ? ["Venues that had moved here after the copy was made. No cell has their rows:"] : []),
    ...listed(missing, ({ slug }) => slug),
  ].join("\n");
