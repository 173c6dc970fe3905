/** Tables that are taken without a booking, in the list of the day. */
import { useTranslation } from "react-i18next";
import { formatClock } from "#kit/venue-time.ts";
import { useBookingContext, useTableNames } from "./booking-context.ts";

export const OrderedTables = ({ isHere }: { isHere: (tableId: number) => boolean }) => {
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
