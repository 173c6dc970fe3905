/** The setting on which weekday weeks begin. It is part of the venue file. */
import { FIRST_WEEKDAYS } from "@comanda/contract/console/shift-limits.ts";
import type { ShiftRules } from "@comanda/contract/venue-file/shift-rules.ts";
import { NativeSelect, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { useVenue } from "#shell/venue.ts";
import { shiftKeys } from "./shift-queries.ts";

export const FirstWeekdaySetting = ({ rules, onChanged }: { rules: ShiftRules; onChanged: () => void }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const { write, isPending } = useWrite<"saveShiftRules">({
    readAgain: shiftKeys(venue),
    onDone: () => {
      toast.done(t("shifts.firstWeekdaySaved"));
      onChanged();
    },
  });
  return (
    <section className="sheet shift-sheet" aria-labelledby="shift-settings">
      <Title order={2} id="shift-settings" className="item-title">
        {t("shifts.settings")}
      </Title>
      <NativeSelect
        className="shift-start"
        label={t("shifts.firstWeekday")}
        description={t("shifts.firstWeekdayHint")}
        size="md"
        disabled={isPending}
        value={rules.first_weekday}
        onChange={({ currentTarget: { value } }) => {
          const first_weekday = FIRST_WEEKDAYS.find((day) => day === value);
          if (first_weekday) write({ id: "saveShiftRules", params: { venue }, body: { seen: rules, rules: { first_weekday } } });
        }}
        data={FIRST_WEEKDAYS.map((day) => ({ value: day, label: t(`shifts.weekdays.${day}`) }))}
      />
    </section>
  );
};
