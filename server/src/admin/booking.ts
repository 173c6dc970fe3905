import type { ReservationStatus } from "@comanda/contract/venue/reservations.ts";
import type { Command } from "commander";
import { findReservationForChange, listReservationRows } from "#venue/bookings/reservations/service/bookings.ts";
import { changeReservation, moveReservation, type StaffChange } from "#venue/bookings/reservations/service/changes.ts";
import { forVenue, withCommandContext } from "./command-context.ts";
import { counted, print, table, withApiErrors } from "./print.ts";

const MOVES: Record<string, ReservationStatus> = {
  confirm: "confirmed",
  decline: "declined",
  seat: "seated",
  "no-show": "no_show",
  cancel: "cancelled",
};

const ROWS = 200;

export const addBookingCommands = (program: Command): void => {
  const booking = program.command("booking").description("bookings: see them, move them, change them");
  for (const [verb, status] of Object.entries(MOVES))
    booking
      .command(`${verb} <slug> <id>`)
      .description(`the booking is ${status.replace("_", " ")}`)
      .option("--json", "print JSON")
      .action((slug: string, id: string, { json = false }: { json?: boolean }) => move(slug, id, status, json));
  booking
    .command("list <slug>")
    .description("the bookings from a day on")
    .option("--from <date>", "first day")
    .option("--json", "print JSON")
    .action(list);
  booking
    .command("change <slug> <id>")
    .description("another time, table or size")
    .option("--date <date>", "YYYY-MM-DD")
    .option("--time <time>", "HH:MM")
    .option("--party <count>", "how many guests")
    .option("--table <id>", "which table")
    .option("--json", "print JSON")
    .action(change);
};

const move = (slug: string, id: string, status: ReservationStatus, json: boolean): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    const moved = await forVenue(deps, slug, (ctx) =>
      withApiErrors(async () => moveReservation(ctx, await findReservationForChange(ctx, id), status)),
    );
    print(json, moved, () => `${moved.name}, ${counted(moved.party_size, "guest")} on ${moved.date} at ${moved.time}: ${moved.status}.`);
  });

type BookingChangeOptions = { date?: string; time?: string; party?: string; table?: string; json?: boolean };

const change = (slug: string, id: string, { date, time, party, table: tableId, json = false }: BookingChangeOptions): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    const wanted: StaffChange = {
      ...(date ? { date } : {}),
      ...(time ? { time } : {}),
      ...(party ? { party_size: Number(party) } : {}),
      ...(tableId ? { table_ids: [Number(tableId)] } : {}),
    };
    const changed = await forVenue(deps, slug, (ctx) =>
      withApiErrors(async () => changeReservation(ctx, await findReservationForChange(ctx, id), wanted)),
    );
    print(
      json,
      changed,
      () => `${changed.name}, ${counted(changed.party_size, "guest")} on ${changed.date} at ${changed.time}, table ${changed.table_id}.`,
    );
  });

const list = (slug: string, { from, json = false }: { from?: string; json?: boolean }): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    const rows = await forVenue(deps, slug, (ctx) => listReservationRows(ctx, from ? { from } : {}, null, ROWS));
    print(json, rows, () =>
      table(rows.map(({ id, date, time, name, party_size, table_id, status }) => ({ id, date, time, name, party_size, table_id, status }))),
    );
  });
