/** One booking of the list, with its next steps. */
import type { DayBooking } from "@comanda/contract/console/bookings.ts";
import { Button, UnstyledButton } from "@mantine/core";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { ActionMenu, MenuAction } from "../ui/action-menu.tsx";
import { useOfClock } from "../ui/clock.ts";
import { BinIcon, DotsIcon, ListIcon, NoIcon, PersonIcon, UndoIcon, WarningIcon } from "../ui/icons.tsx";
import { formatClock } from "../ui/venue-time.ts";
import { useBookingContext, useTableNames } from "./booking-context.ts";
import { canBeNoShow, canCancel, canUndoNoShow, isExpectedSoon, lateMinutes, phaseOf, STEPS_OF_PHASE } from "./phases.ts";
import { useStep } from "./use-booking-writes.ts";
import { useDelayed } from "./use-delayed.ts";

type BookingRowProps = { booking: DayBooking; isTableTaken: boolean };

export const BookingRow = memo(({ booking, isTableTaken }: BookingRowProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { zone, open, clockAheadMs } = useBookingContext();
  const nameTables = useTableNames();
  const phase = phaseOf(booking);
  const late = useOfClock((at) => lateMinutes(booking, at + clockAheadMs) ?? 0);
  const { reservation, table_ids, visits_count } = booking;
  const name = `booking-${reservation.id}`;
  return (
    <li className="booking-row" data-phase={phase} aria-labelledby={name}>
      <span className="booking-time figures">{formatClock(booking.starts_at, zone)}</span>
      <span className="booking-party figures">
        <PersonIcon size={18} /> {reservation.party_size}
      </span>
      <span className="booking-who">
        <UnstyledButton id={name} className="booking-open" onClick={() => open(booking)}>
          <bdi>{reservation.name}</bdi>
        </UnstyledButton>
        <span className="booking-facts">
          {table_ids.length > 0 ? t("atTable", { tables: nameTables(table_ids), count: table_ids.length }) : t("noTable")}
          {visits_count > 0 && ` · ${t("visits", { count: visits_count })}`}
        </span>
        {reservation.note && (
          <span className="booking-note">
            <bdi>{reservation.note}</bdi>
          </span>
        )}
      </span>
      <span className="booking-state">
        <span className="booking-phase">{t(`phases.${phase}`)}</span>
        {late > 0 && <b className="booking-late figures">{t(phase === "seated" ? "overstays" : "late", { minutes: late })}</b>}
        {isTableTaken && (
          <b className="booking-late">
            <WarningIcon size={16} /> {t("tableTaken")}
          </b>
        )}
      </span>
      <RowActions booking={booking} />
    </li>
  );
});

const RowActions = ({ booking }: { booking: DayBooking }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { venue, open, clockAheadMs } = useBookingContext();
  const { write, isPending } = useStep(venue);
  const phase = phaseOf(booking);
  const isUndoable = useOfClock((at) => canUndoNoShow(booking, at + clockAheadMs));
  const { name } = booking.reservation;
  const isSoon = useOfClock((at) => isExpectedSoon(booking, at + clockAheadMs));
  const isMissed = useOfClock((at) => canBeNoShow(booking, at + clockAheadMs));
  const steps = isSoon ? STEPS_OF_PHASE[phase] : [];
  const cancelling = useDelayed(() => write({ booking, step: "cancel" }));
  if (cancelling.dueAt !== null) return <Cancelling name={name} dueAt={cancelling.dueAt} onUndo={cancelling.undo} />;
  return (
    <span className="booking-actions">
      {steps.map((step, place) => (
        <Button
          key={step}
          className="service-target"
          variant={place === steps.length - 1 ? "filled" : "default"}
          disabled={isPending}
          aria-label={`${t(`steps.${step}`)} ${name}`}
          onClick={({ detail }) => detail <= 1 && write({ booking, step })}
        >
          {t(`steps.${step}`)}
        </Button>
      ))}
      {isUndoable && (
        <Button
          className="service-target"
          variant="default"
          leftSection={<UndoIcon />}
          disabled={isPending}
          aria-label={`${t("steps.undo_no_show")} ${name}`}
          onClick={() => write({ booking, step: "undo_no_show" })}
        >
          {t("steps.undo_no_show")}
        </Button>
      )}
      <ActionMenu className="booking-more" label={t("menuOf", { name })} icon={<DotsIcon />}>
        <MenuAction icon={<ListIcon />} onSelect={() => open(booking)}>
          {t("details")}
        </MenuAction>
        {phase === "arrived" && (
          <MenuAction icon={<UndoIcon />} onSelect={() => write({ booking, step: "undo_arrive" })}>
            {t("steps.undo_arrive")}
          </MenuAction>
        )}
        {isMissed && (
          <MenuAction icon={<NoIcon />} onSelect={() => write({ booking, step: "no_show" })}>
            {t("steps.no_show")}
          </MenuAction>
        )}
        {canCancel(phase) && (
          <MenuAction icon={<BinIcon />} className="bad" onSelect={cancelling.begin}>
            {t("steps.cancel")}
          </MenuAction>
        )}
      </ActionMenu>
    </span>
  );
};

/** The guest is told when it is cancelled, so a wrong tap can be undone before. */
const Cancelling = ({ name, dueAt, onUndo }: { name: string; dueAt: number; onUndo: () => void }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const seconds = useOfClock((at) => Math.max(0, Math.ceil((dueAt - at) / 1000)));
  return (
    <span className="booking-actions">
      <b className="booking-late figures">{t("steps.cancelling", { seconds })}</b>
      <Button
        className="service-target"
        variant="default"
        leftSection={<UndoIcon />}
        aria-label={`${t("steps.undo_cancel")} ${name}`}
        onClick={onUndo}
      >
        {t("steps.undo_cancel")}
      </Button>
    </span>
  );
};
