/** Changes a booking: time, tables, party, contact, note. Several tables are joined. */
import type { DayBooking } from "@comanda/contract/console/bookings.ts";
import { Button, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { NumberField } from "../ui/number-field.tsx";
import { useToast } from "../ui/toast.ts";
import { useBookingContext } from "./booking-context.ts";
import { TablePicker } from "./table-picker.tsx";
import { type BookingChange, useChange } from "./use-booking-writes.ts";

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

export const BookingForm = ({ booking }: { booking: DayBooking }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { venue } = useBookingContext();
  const toast = useToast();
  const before = draftOf(booking);
  // Only what is being written here. Everything else shows the booking as it is now, also when a colleague changes it meanwhile.
  const [edits, setEdits] = useState<Partial<ChangeDraft>>({});
  const draft = { ...before, ...edits };
  const set = (change: Partial<ChangeDraft>): void => setEdits((known) => ({ ...known, ...change }));
  const { writeAndWait, isPending } = useChange(venue);
  const change = changeOf(before, draft);
  const isChanged = Object.keys(change).length > 0;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!isChanged || isPending || !(await writeAndWait({ booking, change }))) return;
    setEdits({});
    toast.done(t("form.done", { name: draft.name }));
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <h3 className="item-title">{t("form.title")}</h3>
      <Stack gap="sm">
        <div className="booking-form-when">
          <TextInput
            type="date"
            label={t("new.date")}
            value={draft.date}
            onChange={({ currentTarget: { value } }) => set({ date: value })}
          />
          <TextInput
            type="time"
            label={t("new.time")}
            value={draft.time}
            onChange={({ currentTarget: { value } }) => set({ time: value })}
          />
          <NumberField
            size="sm"
            label={t("new.party")}
            min={1}
            max={500}
            value={draft.party_size}
            onChange={(party_size) => set({ party_size })}
          />
        </div>
        <TablePicker branch={booking.branch_id} chosen={draft.table_ids} onChange={(table_ids) => set({ table_ids })} />
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
    </form>
  );
};
