/** A booking by phone: the number first, because it finds the guest; then only times that are free. */

import type { FloorTable } from "@comanda/contract/console/bookings.ts";
import type { KnownGuest } from "@comanda/contract/console/staff-orders.ts";
import { Button, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { SideDialog } from "#kit/dialog.tsx";
import { Form } from "#kit/form.tsx";
import { NumberField } from "#kit/number-field.tsx";
import { TimeField } from "#kit/time-field.tsx";
import { useToast } from "#kit/toast.ts";
import { useKnownGuest } from "#orders/new-order/new-order-queries.ts";
import { useBookingContext, useTableNames } from "./booking-context.ts";
import { BranchChoice, useBranch } from "./branch-choice.tsx";
import { bookingTimesQuery } from "./day-query.ts";
import { TablePicker } from "./table-picker.tsx";
import { TimeChoice } from "./time-choice.tsx";
import { useBookingWrite } from "./use-booking-writes.ts";

/** A table that was chosen on the plan for a time to come. */
export type WishedTable = { table: FloorTable; date: string; time: string };

type NewBookingProps = { date: string; branch: number | null; partySizeMax: number; wished: WishedTable | null; onClose: () => void };

const EMPTY = { phone: "", knownPhone: "", name: "", party: 2, note: "", time: "", isJoining: false };
type BookingDraft = typeof EMPTY & { date: string; tableIds: number[] };
const firstDraft = (today: string, wished: WishedTable | null): BookingDraft => ({
  ...EMPTY,
  date: wished?.date ?? today,
  tableIds: wished ? [wished.table.id] : [],
  time: wished?.time ?? "",
  isJoining: wished !== null,
});
type SetDraft = (change: Partial<BookingDraft>) => void;

export const NewBooking = ({ date: today, branch: ofPage, partySizeMax, wished, onClose }: NewBookingProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { venue } = useBookingContext();
  const nameTables = useTableNames();
  const toast = useToast();
  const chosen = useBranch(wished?.table.branch_id ?? ofPage);
  const { branch } = chosen;
  const [draft, setDraft] = useState<BookingDraft>(() => firstDraft(today, wished));
  const set: SetDraft = (change) => setDraft((known) => ({ ...known, ...change }));
  const times = useQuery(bookingTimesQuery(venue, { date: draft.date, party_size: draft.party, ...(branch === null ? {} : { branch }) }));
  // After a lost answer the times stay as they are: the one that was just booked would be missing, and another one chosen in its place.
  const { writeAndWait, isPending } = useBookingWrite(venue, () => void times.refetch());
  const isReady = draft.phone.trim() !== "" && draft.name.trim() !== "" && draft.time !== "";
  const submit = async (): Promise<void> => {
    if (!isReady || isPending) return;
    const { name, party, note, date, time, tableIds } = draft;
    const phone = draft.knownPhone || draft.phone;
    // The booking makes its guest known: a repeated press must send the number of the first one.
    set({ knownPhone: phone });
    const tables = draft.isJoining && tableIds.length > 0 ? { table_ids: tableIds } : {};
    const body = { phone, name, party_size: party, note: note || null, date, time, branch_id: branch, ...tables };
    const booked = await writeAndWait({ id: "makeBooking", params: { venue }, body });
    if (!booked) return;
    toast.done(t("new.done", { name, time, tables: nameTables(booked.data.table_ids) }));
    onClose();
  };
  return (
    <SideDialog isOpen onClose={onClose} title={t("new.title")} size={480}>
      <Form onSubmit={() => void submit()}>
        <Stack gap="md">
          <GuestFields draft={draft} set={set} />
          <BranchChoice {...chosen} />
          <NumberField
            label={t("new.party")}
            min={1}
            max={Math.max(partySizeMax, PARTY_MAX)}
            value={draft.party}
            onChange={(party) => set({ party, time: "" })}
          />
          <TextInput
            size="md"
            type="date"
            label={t("new.date")}
            value={draft.date}
            onChange={({ currentTarget: { value } }) => set({ date: value, time: "" })}
          />
          <Switch
            label={t("new.join")}
            checked={draft.isJoining}
            onChange={({ currentTarget: { checked } }) => set({ isJoining: checked, time: "", tableIds: [] })}
          />
          {draft.isJoining ? (
            <JoinedTables branch={branch} draft={draft} set={set} />
          ) : (
            <TimeChoice times={times.data} error={times.error} value={draft.time} onChange={(time) => set({ time })} />
          )}
          <TextInput
            size="md"
            dir="auto"
            label={t("new.note")}
            maxLength={500}
            value={draft.note}
            onChange={({ currentTarget: { value } }) => set({ note: value })}
          />
          <Button type="submit" size="md" className="service-target" disabled={!isReady} loading={isPending}>
            {t("new.submit")}
          </Button>
        </Stack>
      </Form>
    </SideDialog>
  );
};

/** Staff join tables for a party that guests cannot book themselves. */
const PARTY_MAX = 50;

/** Serves a party that no table or combination of the plan can take. Whether the tables are free is decided when it is booked. */
const JoinedTables = ({ branch, draft, set }: { branch: number | null; draft: BookingDraft; set: SetDraft }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  return (
    <>
      <TimeField size="md" required label={t("new.time")} value={draft.time} onTime={(time) => set({ time })} />
      <TablePicker branch={branch} chosen={draft.tableIds} onChange={(tableIds) => set({ tableIds })} />
    </>
  );
};

const GuestFields = ({ draft, set }: { draft: BookingDraft; set: SetDraft }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { venue } = useBookingContext();
  const guest = useKnownGuest(venue, draft.phone);
  const fill = useEffectEvent((known: KnownGuest) => {
    if (draft.knownPhone === "") set({ knownPhone: known.phone, ...(draft.name === "" ? { name: known.name } : {}) });
  });
  useEffect(() => {
    if (guest) fill(guest);
  }, [guest]);
  return (
    <>
      <TextInput
        size="md"
        type="tel"
        dir="ltr"
        data-autofocus
        required
        label={t("new.phone")}
        maxLength={40}
        autoComplete="off"
        value={draft.phone}
        onChange={({ currentTarget: { value } }) => set({ phone: value, knownPhone: "" })}
      />
      <Text size="sm" c="dimmed" role="status">
        {guest ? t("new.known", { name: guest.name, count: guest.visits_count }) : guest === null ? t("new.unknown") : ""}
        {guest && guest.phone !== draft.phone && <bdi dir="ltr"> {guest.phone}</bdi>}
      </Text>
      <TextInput
        size="md"
        dir="auto"
        required
        label={t("new.name")}
        maxLength={120}
        autoComplete="off"
        value={draft.name}
        onChange={({ currentTarget: { value } }) => set({ name: value })}
      />
    </>
  );
};
