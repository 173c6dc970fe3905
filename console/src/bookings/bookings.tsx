/** Bookings of one day: as a list or over time, with the waitlist. */
import "./booking-texts.ts";
import "./styles/bookings.css";
import "./styles/floor.css";
import "./styles/timeline.css";
import type { FloorTable } from "@comanda/contract/console/bookings.ts";
import { Button, Skeleton, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useVenue } from "../developer/venue.ts";
import { useWakeLock } from "../orders/wake-lock.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { ClockIcon } from "../ui/icons.tsx";
import { usePageTitle } from "../ui/page.tsx";
import { ErrorAlert } from "../ui/page-states.tsx";
import { NotCurrentBar } from "../ui/pulse.tsx";
import { readStored, writeStored } from "../ui/stored.ts";
import { BlockDetails, BlockTables } from "./block-dialogs.tsx";
import { BookingContext } from "./booking-context.ts";
import { BookingDrawer } from "./booking-drawer.tsx";
import { BookingList } from "./booking-list.tsx";
import { dateAndTimeAt } from "./dates.ts";
import { DayFloor } from "./day-floor.tsx";
import { DAY_VIEWS, type DayDialog, DayHead, type DayView } from "./day-head.tsx";
import { dayQuery } from "./day-query.ts";
import type { DayState } from "./day-state.ts";
import { DayTimeline } from "./day-timeline.tsx";
import { NewBooking, type WishedTable } from "./new-booking.tsx";
import { SeatHere } from "./seat-here.tsx";
import { TryDialog } from "./try-dialog.tsx";
import { type DelayedCancels, useDelayedCancels } from "./use-delayed-cancels.ts";
import { AddToWaitlist, Waitlist } from "./waitlist.tsx";
import { WalkInDialog } from "./walk-in-dialog.tsx";

const VIEW_KEY = "comanda.bookings.view";

/** Another venue has other branches: neither date nor branch is kept for it. */
export const BookingsPage = () => {
  const venue = useVenue();
  return <BookingsOfVenue key={venue} venue={venue} />;
};

const BookingsOfVenue = ({ venue }: { venue: string }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { t: tCommon } = useTranslation();
  usePageTitle(t("title"));
  useWakeLock();
  const [date, setDate] = useState("");
  // Kept while another day is loaded: the host of one branch stays there.
  const [branch, setBranch] = useState<number | null>(null);
  // Here, so that opening another day keeps them waiting.
  const cancels = useDelayedCancels(venue);
  const day = useQuery(dayQuery(venue, date));
  return (
    <div className="bookings-page">
      <NotCurrentBar venue={venue} />
      <div className="bookings">
        {day.data ? (
          <DayOfVenue venue={venue} day={day.data} onDate={setDate} branch={branch} onBranch={setBranch} cancels={cancels} />
        ) : day.error ? (
          <>
            <Title order={1} mb="md">
              {t("title")}
            </Title>
            <ErrorAlert error={day.error} onRetry={() => void day.refetch()} />
            {date !== "" && (
              <Button mt="md" variant="default" className="service-target" onClick={() => setDate("")}>
                {t("today")}
              </Button>
            )}
          </>
        ) : (
          <Skeleton height={420} radius="lg" role="status" aria-label={tCommon("common.loading")} />
        )}
      </div>
    </div>
  );
};

type DayOfVenueProps = {
  venue: string;
  day: DayState;
  onDate: (date: string) => void;
  branch: number | null;
  onBranch: (branch: number | null) => void;
  cancels: DelayedCancels;
};

const DayOfVenue = ({ venue, day, onDate, branch, onBranch, cancels }: DayOfVenueProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const [view, setView] = useState<DayView>(() => DAY_VIEWS.find((one) => one === readStored(VIEW_KEY)) ?? "list");
  const [openId, setOpenId] = useState<string | null>(null);
  const [blockId, setBlockId] = useState<string | null>(null);
  const [seatAt, setSeatAt] = useState<FloorTable | null>(null);
  const [dialog, setDialog] = useState<DayDialog | null>(null);
  const [wishedTable, setWishedTable] = useState<WishedTable | null>(null);
  const isHere = (branchId: number): boolean => branch === null || branchId === branch;
  const bookings = useMemo(() => day.bookings.filter((one) => branch === null || one.branch_id === branch), [day.bookings, branch]);
  const tables = day.tables.filter(({ branch_id }) => isHere(branch_id));
  // Who waits, waits today.
  const isToday = dateAndTimeAt(Date.now() + day.clockAheadMs, day.zone).date === day.date;
  const waitlist = isToday ? day.waitlist.filter(({ branch_id }) => isHere(branch_id)) : [];
  const context = useMemo(
    () => ({
      venue,
      zone: day.zone,
      currency: day.currency,
      clockAheadMs: day.clockAheadMs,
      tables: day.tables,
      branches: day.branches,
      cancels,
      open: ({ reservation }: { reservation: { id: string } }) => setOpenId(reservation.id),
      openBlock: ({ id }: { id: string }) => setBlockId(id),
    }),
    [venue, day.zone, day.currency, day.clockAheadMs, day.tables, day.branches, cancels],
  );
  const opened = day.bookings.find(({ reservation }) => reservation.id === openId);
  const block = day.blocks.find(({ id }) => id === blockId);
  const close = (): void => {
    setDialog(null);
    setWishedTable(null);
  };
  const bookAt = (wished: WishedTable): void => {
    setWishedTable(wished);
    setDialog("new");
  };
  const chooseView = (chosen: DayView): void => {
    setView(chosen);
    writeStored(VIEW_KEY, chosen);
  };
  return (
    <BookingContext value={context}>
      <DayHead day={day} view={view} onView={chooseView} onDate={onDate} branch={branch} onBranch={onBranch} onOpen={setDialog} />
      <Waitlist entries={waitlist} />
      {bookings.length === 0 && view === "list" ? (
        <EmptyState icon={<ClockIcon size={28} />} title={t("emptyTitle")}>
          <Text c="dimmed">{t("emptyLead")}</Text>
        </EmptyState>
      ) : view === "list" ? (
        <BookingList bookings={bookings} />
      ) : view === "timeline" ? (
        <DayTimeline day={day} bookings={bookings} tables={tables} />
      ) : (
        <DayFloor day={day} bookings={bookings} tables={tables} onFree={setSeatAt} onBook={bookAt} />
      )}
      <Text size="sm" c="dimmed" className="bookings-clock">
        {t("clock", { zone: day.zone.replaceAll("_", " ") })}
      </Text>
      {opened && <BookingDrawer booking={opened} onClose={() => setOpenId(null)} />}
      {block && <BlockDetails block={block} onClose={() => setBlockId(null)} />}
      {seatAt && <SeatHere table={seatAt} onClose={() => setSeatAt(null)} />}
      {dialog === "block" && <BlockTables day={day} branch={branch} onClose={close} />}
      {dialog === "try" && <TryDialog onClose={close} />}
      {dialog === "walkIn" && <WalkInDialog branch={branch} onClose={close} />}
      {dialog === "new" && (
        <NewBooking date={day.date} branch={branch} partySizeMax={day.party_size_max} wished={wishedTable} onClose={close} />
      )}
      {dialog === "waitlist" && <AddToWaitlist branch={branch} onClose={close} />}
    </BookingContext>
  );
};
