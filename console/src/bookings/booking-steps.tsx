/** What can be done with a booking now: its next steps as buttons, the rest in a menu. */
import type { BookingStep, DayBooking } from "@comanda/contract/console/bookings.ts";
import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ActionMenu, MenuAction } from "#kit/action-menu.tsx";
import { useOfClock } from "#kit/clock.ts";
import { BinIcon, DotsIcon, ListIcon, NoIcon, UndoIcon } from "#kit/icons.tsx";
import { formatMoney } from "#kit/number-format.ts";
import { isMisplacedTap } from "#kit/second-tap.ts";
import { useRole } from "#shell/venue.ts";
import { useBookingContext } from "./booking-context.ts";
import { canBeNoShow, canCancel, isExpectedSoon, isLikelyNow, phaseOf, STEPS_OF_PHASE, undoOf } from "./phases.ts";
import { stepWrite, useBookingWrite } from "./use-booking-writes.ts";
import { type DelayedStep, isDelayed } from "./use-delayed-steps.ts";

/** Without `onDetails` they are shown beside the details. */
type BookingStepsProps = { booking: DayBooking; onDetails?: () => void };

export const BookingSteps = ({ booking, onDetails }: BookingStepsProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { venue, clockAheadMs, delayed } = useBookingContext();
  const { write, isPending } = useBookingWrite(venue);
  const send = (step: BookingStep): void => write(stepWrite(venue, booking, step));
  const { name, id } = booking.reservation;
  const undo = useOfClock((at) => undoOf(booking, at + clockAheadMs) ?? "");
  const isSoon = useOfClock((at) => isExpectedSoon(booking, at + clockAheadMs));
  const isLikely = useOfClock((at) => phaseOf(booking) !== "expected" || isLikelyNow(booking, at + clockAheadMs));
  const steps = isSoon ? STEPS_OF_PHASE[phaseOf(booking)] : [];
  const waits = delayed.waiting.get(id);
  if (waits) return <WaitingForUndo booking={booking} step={waits.step} dueAt={waits.dueAt} />;
  const take = (step: BookingStep): void => (isDelayed(step) ? delayed.begin(booking, step) : send(step));
  return (
    <span className="booking-actions">
      {steps.map((step, place) => (
        <Button
          key={step}
          className="service-target"
          variant={isLikely && place === steps.length - 1 ? "filled" : "default"}
          disabled={isPending}
          aria-label={`${t(`steps.${step}`)} ${name}`}
          onClick={(event) => event.detail <= 1 && !isMisplacedTap(event, `${step} ${id}`) && take(step)}
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
          onClick={(event) => !isMisplacedTap(event, `${undo} ${id}`) && send(undo)}
        >
          {t(`steps.${undo}`)}
        </Button>
      )}
      <StepMenu booking={booking} send={send} {...(onDetails ? { onDetails } : {})} />
    </span>
  );
};

const StepMenu = ({ booking, send, onDetails }: BookingStepsProps & { send: (step: BookingStep) => void }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { clockAheadMs, delayed } = useBookingContext();
  const role = useRole();
  const phase = phaseOf(booking);
  const isMissed = useOfClock((at) => canBeNoShow(booking, at + clockAheadMs));
  // A cancelled request is a declined one, and a manager answers requests.
  const isCancellable = canCancel(phase) && !(phase === "pending" && role === "staff");
  if (!onDetails && !isCancellable) return null;
  return (
    <ActionMenu className="booking-more" label={t("menuOf", { name: booking.reservation.name })} icon={<DotsIcon />}>
      {onDetails && (
        <MenuAction icon={<ListIcon />} onSelect={onDetails}>
          {t("details")}
        </MenuAction>
      )}
      {phase === "arrived" && (
        <MenuAction icon={<UndoIcon />} onSelect={() => send("undo_arrive")}>
          {t("steps.undo_arrive")}
        </MenuAction>
      )}
      {isMissed && (
        <MenuAction icon={<NoIcon />} onSelect={() => send("no_show")}>
          {t("steps.no_show")}
        </MenuAction>
      )}
      {isCancellable && (
        <MenuAction icon={<BinIcon />} className="bad" onSelect={() => delayed.begin(booking, "cancel")}>
          {t("steps.cancel")}
        </MenuAction>
      )}
    </ActionMenu>
  );
};

/** A wrong tap is undone before the step is sent. */
const WaitingForUndo = ({ booking, step, dueAt }: { booking: DayBooking; step: DelayedStep; dueAt: number }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { currency, delayed } = useBookingContext();
  const { id, name } = booking.reservation;
  const seconds = useOfClock((at) => Math.max(0, Math.ceil((dueAt - at) / 1000)));
  return (
    <span className="booking-actions">
      <b className={step === "cancel" ? "booking-late figures" : "figures"}>{t(`delayed.${step}`, { seconds })}</b>
      {step === "cancel" && booking.paid_minor > 0 && (
        <span>{t("steps.cancelRefunds", { amount: formatMoney(booking.paid_minor, currency) })}</span>
      )}
      <Button
        className="service-target"
        variant="default"
        leftSection={<UndoIcon />}
        aria-label={`${t(`undoDelayed.${step}`)} ${name}`}
        onClick={(event) => !isMisplacedTap(event, `undo ${step} ${id}`) && delayed.undo(id)}
      >
        {t(`undoDelayed.${step}`)}
      </Button>
    </span>
  );
};
