/** What opens over the bookings page. It loads after the page itself. */
import type { DayBooking, FloorTable, TableBlock } from "@comanda/contract/console/bookings.ts";
import { useTranslation } from "react-i18next";
import { dateAndTimeAt, serviceDayAt } from "#kit/dates.ts";
import { Dialog } from "#kit/dialog.tsx";
import { BlockDetails, BlockTables } from "./block-dialogs.tsx";
import { useBookingContext } from "./booking-context.ts";
import { BookingDrawer } from "./booking-drawer.tsx";
import type { DayDialog } from "./day-head.tsx";
import type { DayState } from "./day-state.ts";
import { NewBooking, type WishedTable } from "./new-booking.tsx";
import { SeatHere } from "./seat-here.tsx";
import { TryBooking } from "./try-booking.tsx";
import { AddToWaitlist } from "./waitlist-dialog.tsx";
import { WalkInDialog } from "./walk-in-dialog.tsx";

/** "Four on Friday at eight?": whether guests would get a table, and why not. */
const TryDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { venue, zone } = useBookingContext();
  return (
    <Dialog isOpen onClose={onClose} title={t("tryIt")} size={480}>
      <TryBooking venue={venue} zone={zone} />
    </Dialog>
  );
};

/** At most one of these dialogs is open. */
export type OpenDayDialog =
  | { kind: "booking"; booking: DayBooking }
  | { kind: "block"; block: TableBlock }
  | { kind: "seat"; table: FloorTable }
  | { kind: "day"; dialog: DayDialog; wished: WishedTable | null };

type DayDialogsProps = { day: DayState; branch: number | null; open: OpenDayDialog; onClose: () => void };

export const DayDialogs = ({ day, branch, open, onClose }: DayDialogsProps) => {
  if (open.kind === "booking") return <BookingDrawer booking={open.booking} onClose={onClose} />;
  if (open.kind === "block") return <BlockDetails block={open.block} onClose={onClose} />;
  if (open.kind === "seat") return <SeatHere table={open.table} onClose={onClose} />;
  return <HeadDialog day={day} branch={branch} dialog={open.dialog} wished={open.wished} onClose={onClose} />;
};

type HeadDialogProps = Omit<DayDialogsProps, "open"> & { dialog: DayDialog; wished: WishedTable | null };

const HeadDialog = ({ day, branch, dialog, wished, onClose }: HeadDialogProps) => {
  const { clockAheadMs, zone } = useBookingContext();
  if (dialog === "block") return <BlockTables day={day} branch={branch} onClose={onClose} />;
  if (dialog === "try") return <TryDialog onClose={onClose} />;
  if (dialog === "walkIn") return <WalkInDialog branch={branch} onClose={onClose} />;
  if (dialog === "waitlist") return <AddToWaitlist branch={branch} onClose={onClose} />;
  // After midnight the evening goes on, and a booking is for the date that the calendar has by then.
  const now = Date.now() + clockAheadMs;
  const date = serviceDayAt(now, zone) === day.date ? dateAndTimeAt(now, zone).date : day.date;
  return <NewBooking date={date} branch={branch} partySizeMax={day.party_size_max} wished={wished} onClose={onClose} />;
};
