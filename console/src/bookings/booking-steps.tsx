/** What can be done with a booking now: its next steps as buttons, the rest in a menu. */
import type { DayBooking } from "@comanda/contract/console/bookings.ts";
import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ActionMenu, MenuAction } from "../ui/action-menu.tsx";
import { useOfClock } from "../ui/clock.ts";
import { BinIcon, DotsIcon, ListIcon, NoIcon, UndoIcon } from "../ui/icons.tsx";
import { formatMoney } from "../ui/number-format.ts";
import { isMisplacedTap } from "../ui/second-tap.ts";
import { useBookingContext } from "./booking-context.ts";
import { canBeNoShow, canCancel, isExpectedSoon, phaseOf, STEPS_OF_PHASE, undoOf } from "./phases.ts";
import { useStep } from "./use-booking-writes.ts";

/** Without `onDetails` they are shown beside the details. */
type BookingStepsProps = { booking: DayBooking; onDetails?: () => void };

export const BookingSteps = ({ booking, onDetails }: BookingStepsProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { venue, clockAheadMs, cancels } = useBookingContext();
  const { write, isPending } = useStep(venue);
  const { name, id } = booking.reservation;
  const undo = useOfClock((at) => undoOf(booking, at + clockAheadMs) ?? "");
  const isSoon = useOfClock((at) => isExpectedSoon(booking, at + clockAheadMs));
  const steps = isSoon ? STEPS_OF_PHASE[phaseOf(booking)] : [];
  const dueAt = cancels.dueAt.get(id);
  if (dueAt !== undefined) return <Cancelling booking={booking} dueAt={dueAt} onUndo={() => cancels.undo(id)} />;
  return (
    <span className="booking-actions">
      {steps.map((step, place) => (
        <Button
          key={step}
          className="service-target"
          variant={place === steps.length - 1 ? "filled" : "default"}
          disabled={isPending}
          aria-label={`${t(`steps.${step}`)} ${name}`}
          onClick={(event) => event.detail <= 1 && !isMisplacedTap(event, `${step} ${id}`) && write({ booking, step })}
        >
          {t(`steps.${step}`)}
        </Button>
      ))}
      {undo !== "" && (
        <Button
          className="service-target"
          variant="default"
          leftSection={<UndoIcon />}
          disabled={isPending}
          aria-label={`${t(`steps.${undo}`)} ${name}`}
          onClick={(event) => !isMisplacedTap(event, `${undo} ${id}`) && write({ booking, step: undo })}
        >
          {t(`steps.${undo}`)}
        </Button>
      )}
      <StepMenu booking={booking} {...(onDetails ? { onDetails } : {})} />
    </span>
  );
};

const StepMenu = ({ booking, onDetails }: BookingStepsProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { venue, clockAheadMs, cancels } = useBookingContext();
  const { write } = useStep(venue);
  const phase = phaseOf(booking);
  const isMissed = useOfClock((at) => canBeNoShow(booking, at + clockAheadMs));
  if (!onDetails && !canCancel(phase)) return null;
  return (
    <ActionMenu className="booking-more" label={t("menuOf", { name: booking.reservation.name })} icon={<DotsIcon />}>
      {onDetails && (
        <MenuAction icon={<ListIcon />} onSelect={onDetails}>
          {t("details")}
        </MenuAction>
      )}
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
        <MenuAction icon={<BinIcon />} className="bad" onSelect={() => cancels.begin(booking)}>
          {t("steps.cancel")}
        </MenuAction>
      )}
    </ActionMenu>
  );
};

/** The guest is told when it is cancelled, so a wrong tap can be undone before. */
const Cancelling = ({ booking, dueAt, onUndo }: { booking: DayBooking; dueAt: number; onUndo: () => void }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { currency } = useBookingContext();
  const { name } = booking.reservation;
  const seconds = useOfClock((at) => Math.max(0, Math.ceil((dueAt - at) / 1000)));
  return (
    <span className="booking-actions">
      <b className="booking-late figures">{t("steps.cancelling", { seconds })}</b>
      {booking.paid_minor > 0 && <span>{t("steps.cancelRefunds", { amount: formatMoney(booking.paid_minor, currency) })}</span>}
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
