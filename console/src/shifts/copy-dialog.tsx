/** Copies the shown week into a later one. What cannot be copied is named, with the reason. */
import type { ShiftWeek, WeekCopy } from "@comanda/contract/console/shifts.ts";
import { Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { addDays } from "#kit/dates.ts";
import { Dialog } from "#kit/dialog.tsx";
import { useWrite } from "#kit/write.ts";
import { useVenue } from "#shell/venue.ts";
import { shiftKeys } from "./shift-queries.ts";
import { dayAndMonth, longDay } from "./shift-texts.tsx";

const WEEKS_AHEAD = 8;
const WEEK_DAYS = 7;

type CopyDialogProps = { week: ShiftWeek; onClose: () => void; onWeek: (week: string) => void };

export const CopyDialog = ({ week, onClose, onWeek }: CopyDialogProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const weeks = Array.from({ length: WEEKS_AHEAD }, (_, place) => addDays(week.week_start, (place + 1) * WEEK_DAYS));
  const [target, setTarget] = useState(weeks[0] ?? "");
  const [copy, setCopy] = useState<WeekCopy | null>(null);
  const { write, isPending } = useWrite<"copyShiftWeek">({ readAgain: shiftKeys(venue), onDone: ({ data }) => setCopy(data) });
  const body = { branch_id: week.branch_id, from_week: week.week_start, to_week: target };
  return (
    <Dialog isOpen onClose={onClose} title={t("shifts.copyTitle")} size={460}>
      {copy ? (
        <Stack gap="md">
          <CopyResult copy={copy} />
          <Group justify="flex-end">
            <Button size="md" onClick={() => onWeek(target)} data-autofocus>
              {t("shifts.openWeek")}
            </Button>
          </Group>
        </Stack>
      ) : (
        <Stack gap="md">
          <Text c="dimmed">{t("shifts.copyLead", { from: dayAndMonth(week.week_start), to: dayAndMonth(week.week_end) })}</Text>
          <NativeSelect
            label={t("shifts.copyInto")}
            size="md"
            value={target}
            onChange={(event) => setTarget(event.currentTarget.value)}
            data={weeks.map((date) => ({
              value: date,
              label: t("shifts.weekOf", { from: dayAndMonth(date), to: dayAndMonth(addDays(date, WEEK_DAYS - 1)) }),
            }))}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" size="md" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button size="md" loading={isPending} onClick={() => write({ id: "copyShiftWeek", params: { venue }, body })}>
              {t("shifts.copySubmit")}
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
};

const CopyResult = ({ copy: { copied, skipped } }: { copy: WeekCopy }) => {
  const { t } = useTranslation();
  return (
    <>
      <Text role="status">{t("shifts.copied", { count: copied })}</Text>
      {skipped.length > 0 && (
        <>
          <Text>{t("shifts.skipped", { count: skipped.length })}</Text>
          <ul className="shift-skipped">
            {skipped.map(({ shift_id, staff_name, date, from, reason }) => (
              <li key={shift_id}>
                <bdi>{staff_name}</bdi> · {longDay(date)} · <bdi dir="ltr">{from}</bdi>: {t(`shifts.skipReasons.${reason}`)}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
};
