/** One booking of the list, with its next steps. */
import type { DayBooking } from "@comanda/contract/console/bookings.ts";
import { UnstyledButton } from "@mantine/core";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { useOfClock } from "#kit/clock.ts";
import { PersonIcon, WarningIcon } from "#kit/icons.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatClock } from "#kit/venue-time.ts";
import { useBookingContext, useTableNames } from "./booking-context.ts";
import { BookingSteps } from "./booking-steps.tsx";
import { lateMinutes, phaseOf } from "./phases.ts";

type BookingRowProps = { booking: DayBooking; isTableTaken: boolean };

export const BookingRow = memo(({ booking, isTableTaken }: BookingRowProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { zone, open, clockAheadMs, branches } = useBookingContext();
  const pick = useLocalizedName();
  const branchName = branches.length > 1 ? branches.find(({ id }) => id === booking.branch_id)?.name : undefined;
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
          {branchName && ` · ${pick(branchName)}`}
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
      <BookingSteps booking={booking} onDetails={() => open(booking)} />
    </li>
  );
});
