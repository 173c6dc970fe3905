/** A party without a booking: one tap for its size seats it at the best free table. */
import { Button, Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "#kit/dialog.tsx";
import { Form } from "#kit/form.tsx";
import { PersonIcon } from "#kit/icons.tsx";
import { NumberField } from "#kit/number-field.tsx";
import { useToast } from "#kit/toast.ts";
import { formatClock } from "#kit/venue-time.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useBookingContext, useTableNames } from "./booking-context.ts";
import { BranchChoice, useBranch } from "./branch-choice.tsx";
import { walkInTablesQuery } from "./day-query.ts";
import { TablePicker } from "./table-picker.tsx";
import { useBookingWrite } from "./use-booking-writes.ts";

type WalkInProps = { branch: number | null; onClose: () => void };

export const WalkInDialog = ({ branch: ofPage, onClose }: WalkInProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { t: tCommon } = useTranslation();
  const { venue, zone, tables } = useBookingContext();
  const nameTables = useTableNames();
  const toast = useToast();
  const chosen = useBranch(ofPage);
  const { branch } = chosen;
  const offers = useQuery(walkInTablesQuery(venue, branch));
  const { writeAndWait, isPending } = useBookingWrite(venue, (wanted) => {
    if (wanted.id === "seatWalkIn" && !wanted.body.table_ids) onClose();
  });
  const seat = async (partySize: number, tableIds: number[] = []): Promise<void> => {
    const tables = tableIds.length > 0 ? { table_ids: tableIds } : {};
    const seated = await writeAndWait({
      id: "seatWalkIn",
      params: { venue },
      body: { party_size: partySize, branch_id: branch, ...tables },
    });
    if (!seated) return;
    toast.done(t("walkIn.seated", { count: partySize, tables: nameTables(seated.data.table_ids) }));
    onClose();
  };
  return (
    <Dialog isOpen onClose={onClose} title={t("walkIn.title")} size={520}>
      <BranchChoice {...chosen} />
      {offers.data ? (
        <>
          <p className="booking-lead">{t(leadOf(tables.length, offers.data.length))}</p>
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
          <OtherParty key={branch} branch={branch} isPending={isPending} onSeat={(party, tableIds) => void seat(party, tableIds)} />
        </>
      ) : offers.error ? (
        <ErrorAlert error={offers.error} onRetry={() => void offers.refetch()} />
      ) : (
        <Skeleton height={220} role="status" aria-label={tCommon("common.loading")} />
      )}
    </Dialog>
  );
};

/** A venue without tables for bookings counts its parties all the same. */
const leadOf = (tables: number, offers: number) => (tables === 0 ? "walkIn.noTables" : offers === 0 ? "walkIn.none" : "walkIn.lead");

const PARTY_MAX = 500;

type OtherPartyProps = { branch: number | null; isPending: boolean; onSeat: (party: number, tableIds: number[]) => void };

/** Seats a party of a size without a button, or at tables that staff join. */
const OtherParty = ({ branch, isPending, onSeat }: OtherPartyProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { tables } = useBookingContext();
  const [isOpen, setOpen] = useState(tables.length === 0);
  const [party, setParty] = useState(2);
  const [tableIds, setTableIds] = useState<number[]>([]);
  const submit = (): void => {
    if (!isPending) onSeat(party, tableIds);
  };
  if (!isOpen)
    return (
      <Button mt="md" variant="subtle" className="service-target" onClick={() => setOpen(true)}>
        {t("walkIn.other")}
      </Button>
    );
  return (
    <Form onSubmit={submit}>
      <Stack gap="md" mt="lg" className="booking-details">
        <NumberField label={t("new.party")} min={1} max={PARTY_MAX} value={party} onChange={setParty} />
        <TablePicker branch={branch} chosen={tableIds} onChange={setTableIds} />
        <Button type="submit" className="service-target" loading={isPending}>
          {t("steps.seat")}
        </Button>
      </Stack>
    </Form>
  );
};
