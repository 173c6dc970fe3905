import type { GuestProfile } from "@comanda/contract/console/guests.ts";
import { Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatMoney } from "#kit/number-format.ts";
import { formatDayAndClock } from "#kit/venue-time.ts";
import { type TimelineEntry, timelineOf } from "./timeline.ts";

export const GuestTimeline = ({ guest }: { guest: GuestProfile }) => {
  const { t } = useTranslation();
  const entries = timelineOf(guest);
  return (
    <section className="sheet guest-card" aria-labelledby="guest-timeline">
      <Title order={2} id="guest-timeline">
        {t("guests.timeline")}
      </Title>
      {entries.length === 0 && <Text c="dimmed">{t("guests.timelineEmpty")}</Text>}
      <ol className="guest-timeline" aria-labelledby="guest-timeline">
        {entries.map((entry) => (
          <li key={keyOf(entry)}>
            <time dateTime={entry.at} className="figures guest-when">
              {formatDayAndClock(entry.at, guest.zone)}
            </time>
            <TimelineText entry={entry} currency={guest.currency} />
          </li>
        ))}
      </ol>
      <Text c="dimmed" size="sm">
        {guest.is_cut && t("guests.timelineCut")} {t("guests.clock", { zone: guest.zone.replaceAll("_", " ") })}
      </Text>
    </section>
  );
};

const keyOf = (entry: TimelineEntry): string | number => {
  if (entry.kind === "order") return entry.order.id;
  return entry.kind === "booking" ? entry.booking.id : entry.tickets.id;
};

const TimelineText = ({ entry, currency }: { entry: TimelineEntry; currency: string }) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  if (entry.kind === "tickets")
    return (
      <span>
        {t("guests.tickets", { count: entry.tickets.tickets, name: pick(entry.tickets.name) })} ·{" "}
        {t(`guests.ticketStates.${entry.tickets.state}`)}
      </span>
    );
  if (entry.kind === "booking")
    return (
      <span>
        {t("guests.booking", { count: entry.booking.party_size })} · {t(`guests.bookingStatuses.${entry.booking.status}`)}
      </span>
    );
  const { number, type, status, total_minor } = entry.order;
  return (
    <span>
      {number === null ? t("guests.orderPlain") : t("guests.order", { number: `#${number}` })} · {t(`order.types.${type}`)} ·{" "}
      {t(`order.statuses.${status}`)} · {formatMoney(total_minor, currency)}
    </span>
  );
};
