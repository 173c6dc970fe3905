/** One booking: what is known of it, its steps, its deposit, and a form to change it. */
import type { DayBooking } from "@comanda/contract/console/bookings.ts";
import type { OrderStep } from "@comanda/contract/console/orders.ts";
import type { ReservationStatus } from "@comanda/contract/venue/reservations.ts";
import { Button, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { guestQuery } from "#guests/guest-queries.ts";
import { SideDialog } from "#kit/dialog.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatDayAndClock } from "#kit/venue-time.ts";
import { MessagesAbout } from "#messages/messages-about.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useRole } from "#shell/venue.ts";
import { useBookingContext, useTableNames } from "./booking-context.ts";
import { BookingDeposit } from "./booking-deposit.tsx";
import { BookingForm } from "./booking-form.tsx";
import { BookingSteps } from "./booking-steps.tsx";
import { bookingDetailsQuery } from "./day-query.ts";
import { canChange, phaseOf } from "./phases.ts";
import { useBookingWrite } from "./use-booking-writes.ts";

export const BookingDrawer = ({ booking, onClose }: { booking: DayBooking; onClose: () => void }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { t: tMessages } = useTranslation();
  const { zone } = useBookingContext();
  const role = useRole();
  const phase = phaseOf(booking);
  const { reservation } = booking;
  return (
    <SideDialog isOpen onClose={onClose} title={t("detailsOf", { name: reservation.name, count: reservation.party_size })} size={520}>
      <Stack gap="xl" className="booking-details">
        <Facts booking={booking} />
        <BookingSteps booking={booking} />
        <MessagesAbout about="reservation" subject={reservation.id} zone={zone} title={tMessages("messages.title")} />
        {booking.guest_id !== null && <AboutGuest id={booking.guest_id} />}
        {phase === "pending" && role !== "staff" && <Answer booking={booking} />}
        {phase === "pending" && role === "staff" && <Text c="dimmed">{t("managerAnswers")}</Text>}
        {canChange(phase) && <BookingForm key={reservation.id} booking={booking} />}
        {role !== "staff" && <BookingDeposit booking={booking} />}
        <History booking={booking} />
      </Stack>
    </SideDialog>
  );
};

const Facts = ({ booking }: { booking: DayBooking }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { zone, branches } = useBookingContext();
  const nameTables = useTableNames();
  const pick = useLocalizedName();
  const { reservation } = booking;
  const branchName = branches.length > 1 ? branches.find(({ id }) => id === booking.branch_id)?.name : undefined;
  const facts = [
    ["when", formatDayAndClock(booking.starts_at, zone)],
    ["tables", booking.table_ids.length > 0 ? nameTables(booking.table_ids) : t("noTable")],
    ["branch", branchName ? pick(branchName) : ""],
    ["phone", reservation.phone],
    ["email", reservation.email ?? ""],
    ["note", reservation.note ?? ""],
  ] as const;
  return (
    <dl className="booking-facts-list">
      <dt>{t("facts.state")}</dt>
      <dd>{t(`phases.${phaseOf(booking)}`)}</dd>
      {facts
        .filter(([, text]) => text !== "")
        .map(([name, text]) => (
          <div key={name}>
            <dt>{t(`facts.${name}`)}</dt>
            <dd>
              <bdi>{text}</bdi>
            </dd>
          </div>
        ))}
    </dl>
  );
};

/** What the staff know of the guest, and the way to everything else. */
const AboutGuest = ({ id }: { id: number }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { venue } = useBookingContext();
  const { data } = useQuery(guestQuery(venue, id));
  return (
    <section>
      <h3 className="item-title">{t("facts.guest")}</h3>
      {data?.note && (
        <b className="booking-guest-note">
          <bdi>{data.note}</bdi>
        </b>
      )}
      <Link to="/v/$venue/guests/$guest" params={{ venue, guest: String(id) }} className="booking-guest-link">
        {t("guestProfile")}
      </Link>
    </section>
  );
};

const Answer = ({ booking }: { booking: DayBooking }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { venue } = useBookingContext();
  const { write, isPending } = useBookingWrite(venue);
  const { reservation, version } = booking;
  return (
    <Group>
      {(["confirm", "decline"] as const).map((answer) => (
        <Button
          key={answer}
          className="service-target"
          variant={answer === "confirm" ? "filled" : "default"}
          disabled={isPending}
          onClick={() =>
            write({ id: "answerBooking", params: { venue, reservation: reservation.id }, body: { seen_version: version, answer } })
          }
        >
          {t(`answer.${answer}`)}
        </Button>
      ))}
    </Group>
  );
};

const STEP_TEXTS = {
  "reservation.made": "made",
  "reservation.arrived": "arrived",
  "reservation.arrival_undone": "arrivalUndone",
  "reservation.left": "left",
  "reservation.leaving_undone": "leavingUndone",
} as const;

const STATUS_TEXTS: Record<
  ReservationStatus,
  `phases.${"pending" | "seated" | "no_show" | "cancelled" | "declined"}` | "history.confirmed"
> = {
  pending: "phases.pending",
  confirmed: "history.confirmed",
  seated: "phases.seated",
  no_show: "phases.no_show",
  cancelled: "phases.cancelled",
  declined: "phases.declined",
};

const textOfStep = ({ action, after }: OrderStep) => {
  if (action === "reservation.moved") return STATUS_TEXTS[after?.status as ReservationStatus];
  return `history.${STEP_TEXTS[action as keyof typeof STEP_TEXTS] ?? "changed"}` as const;
};

const History = ({ booking }: { booking: DayBooking }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { t: tCommon } = useTranslation();
  const { venue, zone } = useBookingContext();
  const { data, error, refetch } = useQuery(bookingDetailsQuery(venue, booking.reservation.id));
  if (!data && error) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={120} role="status" aria-label={tCommon("common.loading")} />;
  return (
    <section>
      <h3 className="item-title">{t("history.title")}</h3>
      <ol className="booking-history">
        {data.steps.map((step) => (
          <li key={step.id}>
            <span>{t(textOfStep(step))}</span>
            <span className="hint figures">
              {formatDayAndClock(step.at, zone)} · <bdi>{step.actor_name}</bdi>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
};
