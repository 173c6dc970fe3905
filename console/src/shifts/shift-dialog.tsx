/** The dialog of one shift: who, when, as what. It shows what is published and what would overlap before the shift is saved. */

import { SHIFT_NOTE_LENGTH_MAX, SHIFT_ROLE_LENGTH_MAX } from "@comanda/contract/console/shift-limits.ts";
import type { PlannedShift, ShiftValue, ShiftVersion, ShiftWeek } from "@comanda/contract/console/shifts.ts";
import { Alert, Button, Group, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { SideDialog } from "#kit/dialog.tsx";
import { Form } from "#kit/form.tsx";
import { WarningIcon } from "#kit/icons.tsx";
import { TimeField } from "#kit/time-field.tsx";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { useVenue } from "#shell/venue.ts";
import { clockHours, endsNextDay, overlapIn, rolesIn } from "./plan-rules.ts";
import { shiftKeys } from "./shift-queries.ts";
import { ClockRange, longDay, useHours } from "./shift-texts.tsx";
import { useRestore } from "./use-restore.ts";
import type { OpenShift } from "./week-grid.tsx";

/** A new shift begins with these times. */
const FIRST_TIMES = { from: "10:00", to: "18:00" };

export type RemovedShift = ShiftVersion & { name: string };

type ShiftDialogProps = { week: ShiftWeek; open: OpenShift; onClose: () => void; onRemoved: (removed: RemovedShift) => void };

export const ShiftDialog = ({ week, open, onClose, onRemoved }: ShiftDialogProps) => {
  const { t } = useTranslation();
  const shift = open.kind === "change" ? (week.shifts.find(({ id }) => id === open.id) ?? null) : null;
  // Another person removed it while it was open.
  if (open.kind === "change" && shift === null) return null;
  const isRemoved = shift?.state === "removed";
  const title = t(isRemoved ? "shifts.removedTitle" : shift ? "shifts.changeTitle" : "shifts.addTitle");
  return (
    <SideDialog isOpen onClose={onClose} title={title} size={440}>
      {shift && isRemoved ? (
        <RemovedShiftDetails week={week} shift={shift} onClose={onClose} />
      ) : (
        <ShiftForm week={week} open={open} shift={shift} onClose={onClose} onRemoved={onRemoved} />
      )}
    </SideDialog>
  );
};

const nameOf = ({ people }: ShiftWeek, staffId: number): string => people.find(({ id }) => id === staffId)?.name ?? "";

const draftOf = ({ shift, open }: { shift: PlannedShift | null; open: OpenShift }): ShiftValue => {
  if (shift) return { staff_id: shift.staff_id, date: shift.date, from: shift.from, to: shift.to, role: shift.role, note: shift.note };
  const begun = open.kind === "add" ? { staff_id: open.staffId, date: open.date } : { staff_id: 0, date: "" };
  return { ...begun, ...FIRST_TIMES, role: null, note: null };
};

type ShiftFormProps = ShiftDialogProps & { shift: PlannedShift | null };

const useShiftWrites = ({ week, shift, onClose, onRemoved }: ShiftFormProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const saving = useWrite<"changeShift" | "addShift">({
    readAgain: shiftKeys(venue),
    onDone: () => toast.done(t(shift ? "shifts.changed" : "shifts.added")),
    onClose,
  });
  const removing = useWrite<"removeShift">({
    readAgain: shiftKeys(venue),
    onDone: ({ data }) => onRemoved({ ...data, name: nameOf(week, shift?.staff_id ?? 0) }),
    onClose,
  });
  return {
    isSaving: saving.isPending,
    isRemoving: removing.isPending,
    save: (value: ShiftValue): void =>
      saving.write(
        shift
          ? { id: "changeShift", params: { venue, id: shift.id }, body: { seen_version: shift.version, shift: value } }
          : { id: "addShift", params: { venue }, body: { branch_id: week.branch_id, shift: value } },
      ),
    remove: ({ id, version }: PlannedShift): void =>
      removing.write({ id: "removeShift", params: { venue, id }, body: { seen_version: version } }),
  };
};

const ShiftForm = (props: ShiftFormProps) => {
  const { t } = useTranslation();
  const { week, shift, onClose } = props;
  const [value, setValue] = useState(() => draftOf(props));
  const { save, remove, isSaving, isRemoving } = useShiftWrites(props);
  const change = (part: Partial<ShiftValue>): void => setValue((before) => ({ ...before, ...part }));
  const isWhole = value.staff_id !== 0 && value.from !== "" && value.to !== "";
  return (
    <Form
      onSubmit={() => {
        save({ ...value, role: value.role?.trim() || null, note: value.note?.trim() || null });
      }}
    >
      <Stack gap="md">
        {shift?.published && <PublishedValue week={week} published={shift.published} />}
        <WhoAndWhen week={week} value={value} onChange={change} />
        <Length week={week} value={value} exceptId={shift?.id ?? null} />
        <TextInput
          label={t("shifts.role")}
          size="md"
          dir="auto"
          list="shift-roles"
          maxLength={SHIFT_ROLE_LENGTH_MAX}
          autoComplete="off"
          value={value.role ?? ""}
          onChange={(event) => change({ role: event.currentTarget.value })}
        />
        <datalist id="shift-roles">
          {rolesIn(week).map((role) => (
            <option key={role} value={role} />
          ))}
        </datalist>
        <TextInput
          label={t("shifts.note")}
          description={t("shifts.noteHint")}
          size="md"
          dir="auto"
          maxLength={SHIFT_NOTE_LENGTH_MAX}
          value={value.note ?? ""}
          onChange={(event) => change({ note: event.currentTarget.value })}
        />
        <Group justify={shift ? "space-between" : "flex-end"} gap="sm">
          {shift ? (
            <Button variant="default" size="md" className="bad" loading={isRemoving} onClick={() => remove(shift)}>
              {t("shifts.remove")}
            </Button>
          ) : (
            <Button variant="default" size="md" onClick={onClose}>
              {t("common.cancel")}
            </Button>
          )}
          <Button type="submit" size="md" disabled={!isWhole} loading={isSaving}>
            {t("shifts.save")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
};

type WhoAndWhenProps = { week: ShiftWeek; value: ShiftValue; onChange: (part: Partial<ShiftValue>) => void };

/** A shift stays in its week: the week is published as a whole. */
const WhoAndWhen = ({ week, value, onChange }: WhoAndWhenProps) => {
  const { t } = useTranslation();
  return (
    <>
      <NativeSelect
        label={t("shifts.person")}
        size="md"
        value={String(value.staff_id)}
        onChange={(event) => onChange({ staff_id: Number(event.currentTarget.value) })}
        data={week.people
          .filter(({ id, has_left }) => !has_left || id === value.staff_id)
          .map(({ id, name }) => ({ value: String(id), label: name }))}
      />
      <NativeSelect
        label={t("shifts.day")}
        size="md"
        value={value.date}
        onChange={(event) => onChange({ date: event.currentTarget.value })}
        data={week.days.map(({ date }) => ({ value: date, label: longDay(date) }))}
      />
      <div className="shift-times">
        <TimeField label={t("shifts.from")} size="md" data-autofocus value={value.from} onTime={(time) => onChange({ from: time })} />
        <TimeField label={t("shifts.to")} size="md" value={value.to} onTime={(time) => onChange({ to: time })} />
      </div>
    </>
  );
};

const Length = ({ week, value, exceptId }: { week: ShiftWeek; value: ShiftValue; exceptId: number | null }) => {
  const { t } = useTranslation();
  const hours = useHours();
  if (value.from === "" || value.to === "") return null;
  const overlap = overlapIn(week, value, exceptId);
  return (
    <>
      <Text c="dimmed" size="sm" role="status">
        {hours(clockHours(value))} {endsNextDay(value) && t("shifts.nextDay")}
      </Text>
      {overlap && (
        <Alert color="red" icon={<WarningIcon />} role="alert" className="shift-overlap">
          {t("shifts.overlap", { day: longDay(overlap.date) })} <ClockRange from={overlap.from} to={overlap.to} />
        </Alert>
      )}
    </>
  );
};

/** Shows what is published of the shift, where the plan differs. */
const PublishedValue = ({ week, published }: { week: ShiftWeek; published: ShiftValue }) => {
  const { t } = useTranslation();
  return (
    <Text c="dimmed" size="sm">
      {t("shifts.publishedValue", { day: longDay(published.date) })} <ClockRange from={published.from} to={published.to} /> ·{" "}
      <bdi>{nameOf(week, published.staff_id)}</bdi>
      {published.role !== null && (
        <>
          {" "}
          · <bdi>{published.role}</bdi>
        </>
      )}
    </Text>
  );
};

type RemovedProps = { week: ShiftWeek; shift: PlannedShift; onClose: () => void };

/** The shift is removed, and the removal is not published yet. */
const RemovedShiftDetails = ({ week, shift, onClose }: RemovedProps) => {
  const { t } = useTranslation();
  const { restore, isPending } = useRestore(onClose);
  return (
    <Stack gap="md">
      <Text>{t("shifts.removedLead")}</Text>
      {shift.published && <PublishedValue week={week} published={shift.published} />}
      <Group justify="flex-end">
        <Button size="md" loading={isPending} onClick={() => restore(shift)}>
          {t("shifts.restore")}
        </Button>
      </Group>
    </Stack>
  );
};
