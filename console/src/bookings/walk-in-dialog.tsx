/** A party without a booking: one tap for its size seats it at the best free table. */
import { Button, Skeleton, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Dialog } from "../ui/dialog.tsx";
import { PersonIcon } from "../ui/icons.tsx";
import { ErrorAlert } from "../ui/page-states.tsx";
import { useToast } from "../ui/toast.ts";
import { formatClock } from "../ui/venue-time.ts";
import { useBookingContext, useTableNames } from "./booking-context.ts";
import { walkInTablesQuery } from "./day-query.ts";
import { useSeatWalkIn } from "./use-booking-writes.ts";

type WalkInProps = { branch: number | null; onClose: () => void };

export const WalkInDialog = ({ branch, onClose }: WalkInProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { t: tCommon } = useTranslation();
  const { venue, zone } = useBookingContext();
  const nameTables = useTableNames();
  const toast = useToast();
  const offers = useQuery(walkInTablesQuery(venue, branch));
  const { writeAndWait, isPending } = useSeatWalkIn(venue);
  const seat = async (partySize: number): Promise<void> => {
    const seated = await writeAndWait({ body: { party_size: partySize, branch_id: branch } });
    if (seated) toast.done(t("walkIn.seated", { count: partySize, tables: nameTables(seated.table_ids) }));
    onClose();
  };
  return (
    <Dialog isOpen onClose={onClose} title={t("walkIn.title")} size={520}>
      {offers.data ? (
        <>
          <p className="booking-lead">{offers.data.length === 0 ? t("walkIn.none") : t("walkIn.lead")}</p>
          <div className="walk-in-sizes">
            {offers.data.map(({ party_size, table_ids, until }) => (
              <Button
                key={party_size}
                variant="default"
                className="walk-in-size"
                disabled={isPending}
                onClick={({ detail }) => detail <= 1 && void seat(party_size)}
              >
                <VisuallyHidden>
                  {t("walkIn.seatOf", { count: party_size, tables: nameTables(table_ids), until: formatClock(until, zone) })}
                </VisuallyHidden>
                <span className="walk-in-count figures" aria-hidden="true">
                  <PersonIcon size={20} /> {party_size}
                </span>
                <span className="walk-in-table" aria-hidden="true">
                  {nameTables(table_ids)} · {t("walkIn.until", { time: formatClock(until, zone) })}
                </span>
              </Button>
            ))}
          </div>
        </>
      ) : offers.error ? (
        <ErrorAlert error={offers.error} onRetry={() => void offers.refetch()} />
      ) : (
        <Skeleton height={220} role="status" aria-label={tCommon("common.loading")} />
      )}
    </Dialog>
  );
};
