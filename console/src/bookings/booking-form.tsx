/** Changes a booking: time, tables, party, contact, note. Several tables are joined. */

import type { DayBooking } from "@comanda/contract/console/bookings.ts";
import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Form } from "#kit/form.tsx";
import { NumberField } from "#kit/number-field.tsx";
import { TimeField } from "#kit/time-field.tsx";
import { useToast } from "#kit/toast.ts";
import { useBookingContext } from "./booking-context.ts";
import { TablePicker } from "./table-picker.tsx";
import { type BookingChange, changeWrite, useBookingWrite } from "./use-booking-writes.ts";

type ChangeDraft = Required<Omit<BookingChange, "note" | "minutes">> & { note: string };

const draftOf = ({ reservation, table_ids }: DayBooking): ChangeDraft => ({
  name: reservation.name,
  phone: reservation.phone,
  note: reservation.note ?? "",
  date: reservation.date,
  time: reservation.time,
  party_size: reservation.party_size,
  table_ids: [...table_ids],
});

/** Only what differs is sent, so that two people who change different things do not undo each other. */
const changeOf = (before: ChangeDraft, after: ChangeDraft): BookingChange => {
  const isSameTables = before.table_ids.length === after.table_ids.length && before.table_ids.every((id) => after.table_ids.includes(id));
  const fields = (["name", "phone", "note", "date", "time", "party_size"] as const).filter((field) => before[field] !== after[field]);
  return { ...Object.fromEntries(fields.map((field) => [field, after[field]])), ...(isSameTables ? {} : { table_ids: after.table_ids }) };
};

const isSame = (a: ChangeDraft[keyof ChangeDraft] | undefined, b: ChangeDraft[keyof ChangeDraft] | undefined): boolean =>
  String(a) === String(b);

type BookingEdits = { edits: Partial<ChangeDraft>; seen: Partial<ChangeDraft> };

/** What is being written here, and what stood there when the writing began. Everything else shows the booking as it is now. */
const useBookingEdits = (before: ChangeDraft) => {
  const [{ edits, seen }, setState] = useState<BookingEdits>({ edits: {}, seen: {} });
  const fields = Object.keys(edits) as (keyof ChangeDraft)[];
  const presentOf = (names: readonly (keyof ChangeDraft)[]): Partial<ChangeDraft> =>
    Object.fromEntries(names.map((field) => [field, before[field]]));
  return {
    draft: { ...before, ...edits },
    set: (change: Partial<ChangeDraft>): void =>
      setState((known) => ({
        edits: { ...known.edits, ...change },
        seen: { ...presentOf(Object.keys(change) as (keyof ChangeDraft)[]), ...known.seen },
      })),
    clear: (): void => setState({ edits: {}, seen: {} }),
    /** A colleague has written something else into a field that is being changed here. */
    isOvertaken: fields.some((field) => !isSame(seen[field], before[field]) && !isSame(edits[field], before[field])),
    /** The form has shown the refusal, and the person may save it all the same. */
    acknowledge: (): void => setState((known) => ({ ...known, seen: presentOf(fields) })),
  };
};

export const BookingForm = ({ booking }: { booking: DayBooking }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { venue } = useBookingContext();
  const toast = useToast();
  const before = draftOf(booking);
  const { draft, set, clear, isOvertaken, acknowledge } = useBookingEdits(before);
  const { writeAndWait, isPending } = useBookingWrite(venue);
  const change = changeOf(before, draft);
  const seatedHint = booking.reservation.status === "seated" ? { hint: t("form.tablesSeated") } : {};
  const isChanged = Object.keys(change).length > 0;
  const submit = async (): Promise<void> => {
    if (!isChanged || isPending) return;
    if (isOvertaken) {
      toast.note(t("form.overtaken", { name: booking.reservation.name }));
      acknowledge();
      return;
    }
    if (!(await writeAndWait(changeWrite(venue, booking, change)))) return;
    clear();
    toast.done(t("form.done", { name: draft.name }));
  };
  return (
    <Form onSubmit={() => void submit()}>
      <h3 className="item-title">{t("form.title")}</h3>
      <Stack gap="sm">
        <div className="booking-form-when">
          <TextInput
            type="date"
            label={t("new.date")}
            value={draft.date}
            onChange={({ currentTarget: { value } }) => set({ date: value })}
          />
          <TimeField label={t("new.time")} value={draft.time} onTime={(time) => set({ time })} />
          <NumberField
            size="sm"
            label={t("new.party")}
            min={1}
            max={500}
            value={draft.party_size}
            onChange={(party_size) => set({ party_size })}
          />
        </div>
        <TablePicker branch={booking.branch_id} chosen={draft.table_ids} onChange={(table_ids) => set({ table_ids })} {...seatedHint} />
        <TextInput
          dir="auto"
          label={t("new.name")}
          maxLength={120}
          value={draft.name}
          onChange={({ currentTarget: { value } }) => set({ name: value })}
        />
        <TextInput
          type="tel"
          dir="ltr"
          label={t("new.phone")}
          maxLength={40}
          value={draft.phone}
          onChange={({ currentTarget: { value } }) => set({ phone: value })}
        />
        {draft.name !== before.name && draft.phone !== before.phone && <Text size="sm">{t("form.otherGuest", { name: before.name })}</Text>}
        <TextInput
          dir="auto"
          label={t("new.note")}
          maxLength={500}
          value={draft.note}
          onChange={({ currentTarget: { value } }) => set({ note: value })}
        />
        <Button type="submit" variant="default" className="service-target" disabled={!isChanged} loading={isPending}>
          {t("form.submit")}
        </Button>
      </Stack>
    </Form>
  );
};
