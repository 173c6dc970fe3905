/** Bookings of one day: as a list or over time, with the waitlist. */
import "./booking-texts.ts";
import "./bookings.css";
import "./floor.css";
import "./timeline.css";
import type { FloorTable } from "@comanda/contract/console/bookings.ts";
import { Button, Skeleton, Text, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useOfClock } from "#kit/clock.ts";
import { serviceDayAt } from "#kit/dates.ts";
import { EmptyState } from "#kit/empty-state.tsx";
import { ClockIcon } from "#kit/icons.tsx";
import { readStored, writeStored } from "#kit/stored.ts";
import { formatClock } from "#kit/venue-time.ts";
import { useWakeLock } from "#kit/wake-lock.ts";
import { FailedMessages } from "#messages/failed-messages.tsx";
import { lazyPart } from "#shell/offline.tsx";
import { usePageTitle } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { NotCurrentBar } from "#shell/pulse.tsx";
import { useVenue } from "#shell/venue.ts";
import { BookingContext, useBookingContext, useTableNames } from "./booking-context.ts";
import { BookingList } from "./booking-list.tsx";
import type { OpenDayDialog } from "./day-dialogs.tsx";
import { DayFloor } from "./day-floor.tsx";
import { DAY_VIEWS, type DayDialog, DayHead, type DayView } from "./day-head.tsx";
import { dayQuery } from "./day-query.ts";
import type { DayState } from "./day-state.ts";
import { DayTimeline } from "./day-timeline.tsx";
import type { WishedTable } from "./new-booking.tsx";
import { ordersByTable } from "./table-orders.ts";
import { type DelayedSteps, useDelayedSteps } from "./use-delayed-steps.ts";
import { Waitlist } from "./waitlist.tsx";

/** Tables that are taken without a booking, in the list of the day. */
const OrderedTables = ({ isHere }: { isHere: (tableId: number) => boolean }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { orders, zone } = useBookingContext();
  const nameTables = useTableNames();
  const shown = [...orders.values()].filter(({ tableId }) => isHere(tableId));
  if (shown.length === 0) return null;
  return (
    <section className="booking-group" aria-labelledby="group-ordered">
      <h2 id="group-ordered" className="booking-group-title">
        {t("ordered.title")}
      </h2>
      <ul className="ordered-tables">
        {shown.map(({ tableId, numbers, since }) => (
          <li key={tableId}>
            <b>{nameTables([tableId])}</b>
            <span className="figures">{t("ordered.since", { numbers, time: formatClock(since, zone) })}</span>
          </li>
        ))}
      </ul>
    </section>
  );
};

const VIEW_KEY = "comanda.bookings.view";

const loadDialogs = () => import("./day-dialogs.tsx");
const DayDialogs = lazyPart(loadDialogs, "DayDialogs");
/** After the first paint, so that the first tap does not wait for them. */
const useDialogsAhead = (): void => {
  useEffect(() => void loadDialogs().catch(() => undefined), []);
};

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
  useDialogsAhead();
  const [date, setDate] = useState("");
  // Kept while another day is loaded: the host of one branch stays there.
  const [branch, setBranch] = useState<number | null>(null);
  // Here, so that opening another day keeps them waiting.
  const delayed = useDelayedSteps(venue);
  const day = useQuery(dayQuery(venue, date));
  return (
    <div className="bookings-page">
      <NotCurrentBar queryKey={dayQuery(venue, date).queryKey} zone={day.data?.zone} />
      <div className="bookings">
        {day.data ? (
          <DayOfVenue venue={venue} day={day.data} onDate={setDate} branch={branch} onBranch={setBranch} delayed={delayed} />
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
  delayed: DelayedSteps;
};

/** What is open over the page, as it is by now: a booking changes while its details are read. */
const useOpened = (day: DayState) => {
  const [chosen, setChosen] = useState<ChosenDialog | null>(null);
  const open = useMemo(() => (chosen ? openedOf(day, chosen) : null), [day, chosen]);
  return { open, choose: setChosen, close: (): void => setChosen(null) };
};

type ChosenDialog = { booking: string } | { block: string } | { seat: FloorTable } | { dialog: DayDialog; wished: WishedTable | null };

const openedOf = (day: DayState, chosen: ChosenDialog): OpenDayDialog | null => {
  if ("seat" in chosen) return { kind: "seat", table: chosen.seat };
  if ("dialog" in chosen) return { kind: "day", ...chosen };
  if ("block" in chosen) {
    const block = day.blocks.find(({ id }) => id === chosen.block);
    return block ? { kind: "block", block } : null;
  }
  const booking = day.bookings.find(({ reservation }) => reservation.id === chosen.booking);
  return booking ? { kind: "booking", booking } : null;
};

/** The day of service on the venue's clock. When another one begins, the page is read again, also if nothing was changed. */
const useToday = (venue: string, { clockAheadMs, zone }: DayState): string => {
  const client = useQueryClient();
  const today = useOfClock((at) => serviceDayAt(at + clockAheadMs, zone));
  const [readFor, setReadFor] = useState(today);
  useEffect(() => {
    if (readFor === today) return;
    setReadFor(today);
    void client.invalidateQueries({ queryKey: ["booking-day", venue] });
  }, [client, readFor, today, venue]);
  return today;
};

const DayOfVenue = ({ venue, day, onDate, branch, onBranch, delayed }: DayOfVenueProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const [view, setView] = useState<DayView>(() => DAY_VIEWS.find((one) => one === readStored(VIEW_KEY)) ?? "list");
  const { open, choose, close } = useOpened(day);
  const isHere = (branchId: number): boolean => branch === null || branchId === branch;
  const bookings = useMemo(() => day.bookings.filter((one) => branch === null || one.branch_id === branch), [day.bookings, branch]);
  const tables = day.tables.filter(({ branch_id }) => isHere(branch_id));
  const orders = useMemo(() => ordersByTable(day.table_orders, day.bookings), [day.table_orders, day.bookings]);
  // Who waits, waits today.
  const isToday = useToday(venue, day) === day.date;
  const waitlist = isToday ? day.waitlist.filter(({ branch_id }) => isHere(branch_id)) : [];
  const context = useMemo(
    () => ({
      venue,
      zone: day.zone,
      currency: day.currency,
      clockAheadMs: day.clockAheadMs,
      tables: day.tables,
      branches: day.branches,
      orders,
      delayed,
      open: ({ reservation }: { reservation: { id: string } }) => choose({ booking: reservation.id }),
      openBlock: ({ id }: { id: string }) => choose({ block: id }),
    }),
    [venue, day.zone, day.currency, day.clockAheadMs, day.tables, day.branches, orders, delayed, choose],
  );
  const chooseView = (chosen: DayView): void => {
    setView(chosen);
    writeStored(VIEW_KEY, chosen);
  };
  return (
    <BookingContext value={context}>
      <DayHead
        day={day}
        view={view}
        onView={chooseView}
        onDate={onDate}
        branch={branch}
        onBranch={onBranch}
        onOpen={(dialog) => choose({ dialog, wished: null })}
      />
      <FailedMessages />
      <Waitlist entries={waitlist} />
      {view === "list" && <OrderedTables isHere={(tableId) => tables.some(({ id }) => id === tableId)} />}
      {bookings.length === 0 && view === "list" ? (
        <EmptyState icon={<ClockIcon size={28} />} title={t("emptyTitle")}>
          <Text c="dimmed">{t("emptyLead")}</Text>
        </EmptyState>
      ) : view === "list" ? (
        <BookingList bookings={bookings} />
      ) : view === "timeline" ? (
        <DayTimeline day={day} bookings={bookings} tables={tables} />
      ) : (
        <DayFloor
          day={day}
          bookings={bookings}
          tables={tables}
          onFree={(seat) => choose({ seat })}
          onBook={(wished) => choose({ dialog: "new", wished })}
        />
      )}
      <Text size="sm" c="dimmed" className="bookings-clock">
        {t("clock", { zone: day.zone.replaceAll("_", " ") })}
      </Text>
      <Suspense fallback={null}>{open && <DayDialogs day={day} branch={branch} open={open} onClose={close} />}</Suspense>
    </BookingContext>
  );
};
