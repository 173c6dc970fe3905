/** Which days get the hours of this day. */
import { Button, Chip, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "#kit/dialog.tsx";
import { WEEK } from "./week-rules.ts";

type CopyDayProps = {
  day: number | null;
  order: readonly number[];
  onClose: () => void;
  onCopy: (day: number, targets: number[]) => void;
};

export const CopyDay = ({ day, order, onClose, onCopy }: CopyDayProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "openingHours" });
  return (
    <Dialog isOpen={day !== null} onClose={onClose} title={day === null ? "" : t("copyTitle", { day: t(`days.${WEEK[day] ?? "mon"}`) })}>
      {day !== null && (
        <CopyTargets others={order.filter((one) => one !== day)} onCopy={(targets) => onCopy(day, targets)} onClose={onClose} />
      )}
    </Dialog>
  );
};

type CopyTargetsProps = { others: number[]; onCopy: (targets: number[]) => void; onClose: () => void };

const CopyTargets = ({ others, onCopy, onClose }: CopyTargetsProps) => {
  const { t } = useTranslation();
  const [targets, setTargets] = useState<number[]>([]);
  return (
    <Stack gap="md">
      <Text c="dimmed">{t("openingHours.copyLead")}</Text>
      <div className="hours-chips">
        <Chip size="md" checked={targets.length === others.length} onChange={(isAll) => setTargets(isAll ? others : [])}>
          {t("openingHours.allDays")}
        </Chip>
        {others.map((day) => (
          <Chip
            key={day}
            size="md"
            checked={targets.includes(day)}
            onChange={(isChosen) => setTargets(others.filter((one) => (one === day ? isChosen : targets.includes(one))))}
          >
            {t(`openingHours.days.${WEEK[day] ?? "mon"}`)}
          </Chip>
        ))}
      </div>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" size="md" onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <Button size="md" disabled={targets.length === 0} onClick={() => onCopy(targets)}>
          {t("openingHours.copyApply")}
        </Button>
      </Group>
    </Stack>
  );
};
