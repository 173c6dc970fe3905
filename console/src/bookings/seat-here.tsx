/** A walk-in at a table that was chosen on the plan: one tap for the size of the party. */
import type { FloorTable } from "@comanda/contract/console/bookings.ts";
import { Button, VisuallyHidden } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Dialog } from "#kit/dialog.tsx";
import { PersonIcon } from "#kit/icons.tsx";
import { useToast } from "#kit/toast.ts";
import { formatClock } from "#kit/venue-time.ts";
import { useBookingContext, useTableNames } from "./booking-context.ts";
import { useBookingWrite } from "./use-booking-writes.ts";

export const SeatHere = ({ table, onClose }: { table: FloorTable; onClose: () => void }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { venue, zone, orders } = useBookingContext();
  const ordered = orders.get(table.id);
  const nameTables = useTableNames();
  const toast = useToast();
  const { writeAndWait, isPending } = useBookingWrite(venue, onClose);
  const seat = async (partySize: number): Promise<void> => {
    const body = { party_size: partySize, branch_id: table.branch_id, table_ids: [table.id] };
    const seated = await writeAndWait({ id: "seatWalkIn", params: { venue }, body });
    if (!seated) return;
    toast.done(t("walkIn.seated", { count: partySize, tables: nameTables(seated.data.table_ids) }));
    onClose();
  };
  return (
    <Dialog isOpen onClose={onClose} title={t("floor.seatHere", { table: table.name })} size={440}>
      {ordered && (
        <p className="booking-lead">
          <b>{t("ordered.warning", { numbers: ordered.numbers, time: formatClock(ordered.since, zone) })}</b>
        </p>
      )}
      <p className="booking-lead">{t("walkIn.lead")}</p>
      <div className="walk-in-sizes">
        {Array.from({ length: table.seats }, (_, place) => place + 1).map((size) => (
          <Button
            key={size}
            variant="default"
            className="walk-in-size"
            disabled={isPending}
            onClick={({ detail }) => detail <= 1 && void seat(size)}
          >
            <VisuallyHidden>{t("floor.seat", { count: size, table: table.name })}</VisuallyHidden>
            <span className="walk-in-count figures" aria-hidden="true">
              <PersonIcon size={20} /> {size}
            </span>
          </Button>
        ))}
      </div>
    </Dialog>
  );
};
