/** Says where a booking would be moved and whether it can be, and afterwards offers to take the move back. */
import type { FloorTable } from "@comanda/contract/console/bookings.ts";
import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { UndoIcon } from "#kit/icons.tsx";
import { formatClock } from "#kit/venue-time.ts";
import { useBookingContext, useTableNames } from "./booking-context.ts";
import { type LastMove, nameOfTable, type TimelineMove } from "./use-timeline-move.ts";

type TimelineStatusProps = { move: TimelineMove | null; last: LastMove | null; tables: readonly FloorTable[] };

export const TimelineStatus = ({ move, last, tables }: TimelineStatusProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings.move" });
  return (
    <div className="timeline-status" data-shown={move !== null || last !== null} data-allowed={move ? move.problem === null : undefined}>
      <div role="status">
        {move && <Proposal move={move} tables={tables} />}
        {!move && last && <Done last={last} />}
      </div>
      {!move && last?.undo && (
        <Button size="compact-md" variant="default" leftSection={<UndoIcon size={16} />} onClick={last.undo}>
          {t("undo")}
        </Button>
      )}
    </div>
  );
};

const Proposal = ({ move: { booking, wanted, problem, isRefused }, tables }: { move: TimelineMove; tables: readonly FloorTable[] }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings.move" });
  const { zone } = useBookingContext();
  const place = {
    name: booking.reservation.name,
    table: nameOfTable(tables, wanted.tableId),
    from: formatClock(wanted.from, zone),
    to: formatClock(wanted.to, zone),
  };
  return (
    <>
      <b>{t("to", place)}</b> <span>{problem === null ? t("howTo") : t(`problems.${problem}`)}</span>
      {isRefused && <span> {t("goesOn")}</span>}
    </>
  );
};

const Done = ({ last: { booking } }: { last: LastMove }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings.move" });
  const { zone } = useBookingContext();
  const nameTables = useTableNames();
  const { reservation, table_ids, starts_at } = booking;
  return <span>{t("done", { name: reservation.name, tables: nameTables(table_ids), time: formatClock(starts_at, zone) })}</span>;
};
