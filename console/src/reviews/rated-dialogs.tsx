/** What was rated, to read: the lines and amounts of an order, or when a party came. */
import "#orders/styles.ts";
import { Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { bookingDetailsQuery } from "#bookings/day-query.ts";
import { SideDialog } from "#kit/dialog.tsx";
import { formatDayAndClock } from "#kit/venue-time.ts";
import { orderDetailsQuery } from "#orders/board-query.ts";
import { OrderTotals } from "#orders/details/order-totals.tsx";
import { OrderLines } from "#orders/order-lines.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";

type RatedReading = { data: unknown; error: Error | null; refetch: () => Promise<unknown> };

const Loaded = ({ reading, children }: { reading: RatedReading; children: ReactNode }) => {
  const { t } = useTranslation();
  if (reading.data) return children;
  if (reading.error) return <ErrorAlert error={reading.error} onRetry={() => void reading.refetch()} />;
  return <Skeleton height={200} role="status" aria-label={t("common.loading")} />;
};

export const RatedOrderDialog = ({ order, onClose }: { order: string; onClose: () => void }) => {
  const { t } = useTranslation();
  const reading = useQuery(orderDetailsQuery(useVenue(), order));
  return (
    <SideDialog isOpen onClose={onClose} title={t("reviews.orderTitle")} size={520}>
      <Loaded reading={reading}>
        {reading.data && (
          <Stack gap="lg" className="order-details">
            {reading.data.order.order.note && (
              <Text>
                <b>{t("order.note")}:</b> <bdi>{reading.data.order.order.note}</bdi>
              </Text>
            )}
            <OrderLines order={reading.data.order.order} hasAmounts />
            <OrderTotals order={reading.data.order} />
          </Stack>
        )}
      </Loaded>
    </SideDialog>
  );
};

export const RatedVisitDialog = ({ reservation, zone, onClose }: { reservation: string; zone: string; onClose: () => void }) => {
  const { t } = useTranslation();
  const reading = useQuery(bookingDetailsQuery(useVenue(), reservation));
  const booking = reading.data?.booking;
  const facts = booking
    ? ([
        ["when", formatDayAndClock(booking.starts_at, zone)],
        ["party", String(booking.reservation.party_size)],
        ["guest", booking.reservation.name],
        ["phone", booking.reservation.phone],
        ["note", booking.reservation.note ?? ""],
      ] as const)
    : [];
  return (
    <SideDialog isOpen onClose={onClose} title={t("reviews.visitTitle")} size={520}>
      <Loaded reading={reading}>
        <dl className="review-facts">
          {facts
            .filter(([, text]) => text !== "")
            .map(([name, text]) => (
              <div key={name}>
                <dt>{t(`reviews.${name}`)}</dt>
                <dd>
                  <bdi>{text}</bdi>
                </dd>
              </div>
            ))}
        </dl>
      </Loaded>
    </SideDialog>
  );
};
