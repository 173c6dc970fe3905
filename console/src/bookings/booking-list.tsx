/** The bookings of the day: who is expected, who is here, who has gone. */
import type { DayBooking } from "@comanda/contract/console/bookings.ts";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useClock } from "#kit/clock.ts";
import { useBookingContext } from "./booking-context.ts";
import { BookingRow } from "./booking-row.tsx";
import { type BookingPhase, phaseOf, waitingForTable } from "./phases.ts";

const GROUPS = [
  { name: "requests", phases: ["pending"] },
  { name: "expected", phases: ["expected", "arrived"] },
  { name: "here", phases: ["seated"] },
  { name: "over", phases: ["left", "no_show", "cancelled", "declined"] },
] as const satisfies readonly { name: string; phases: readonly BookingPhase[] }[];

const MINUTE_MS = 60_000;

export const BookingList = ({ bookings }: { bookings: readonly DayBooking[] }) => {
  const { clockAheadMs, orders } = useBookingContext();
  const now = useClock(MINUTE_MS) + clockAheadMs;
  const waiting = useMemo(() => waitingForTable(bookings, now, orders.keys()), [bookings, now, orders]);
  return (
    <div className="booking-groups">
      {GROUPS.map(({ name, phases }) => {
        const shown = bookings.filter((booking) => phases.some((phase) => phase === phaseOf(booking)));
        return shown.length === 0 ? null : <Group key={name} name={name} bookings={shown} waiting={waiting} />;
      })}
    </div>
  );
};

type BookingGroupProps = { name: (typeof GROUPS)[number]["name"]; bookings: readonly DayBooking[]; waiting: ReadonlySet<string> };

const Group = ({ name, bookings, waiting }: BookingGroupProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const guests = bookings.reduce((sum, { reservation }) => sum + reservation.party_size, 0);
  return (
    <section className="booking-group" aria-labelledby={`group-${name}`}>
      <h2 id={`group-${name}`} className="booking-group-title">
        {t(`groups.${name}`)}
        <span className="booking-count figures">{t("groupCount", { count: bookings.length, guests })}</span>
      </h2>
      <ul className="booking-rows">
        {bookings.map((booking) => (
          <BookingRow key={booking.reservation.id} booking={booking} isTableTaken={waiting.has(booking.reservation.id)} />
        ))}
      </ul>
    </section>
  );
};
