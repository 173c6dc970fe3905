/** Plans sessions of an experience: once, or every week at the same time. */

import { SEATS_MAX, WEEKS_MAX } from "@comanda/contract/console/experience-limits.ts";
import type { ExperienceDesk } from "@comanda/contract/console/experiences.ts";
import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { KeyedCallInput } from "#kit/api.ts";
import { Dialog } from "#kit/dialog.tsx";
import { Form } from "#kit/form.tsx";
import { NumberField } from "#kit/number-field.tsx";
import { TimeField } from "#kit/time-field.tsx";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { useVenue } from "#shell/venue.ts";
import { experienceKeys } from "./experience-queries.ts";

const FIRST_SEATS = 12;

type PlanDialogProps = { desk: ExperienceDesk; experienceId: number; onClose: () => void };

const usePlan = ({ experienceId, onClose }: PlanDialogProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const { write, isPending } = useWrite<"addExperienceSessions">({
    readAgain: experienceKeys(venue),
    onDone: ({ data }) => toast.done(t("experiences.sessionsAdded", { count: data.length })),
    onClose,
  });
  return {
    isPending,
    plan: (body: KeyedCallInput<"addExperienceSessions">["body"]): void =>
      write({ id: "addExperienceSessions", params: { venue, id: experienceId }, body }),
  };
};

export const PlanDialog = (props: PlanDialogProps) => {
  const { t } = useTranslation();
  const { desk, onClose } = props;
  const [date, setDate] = useState("");
  const [time, setTime] = useState("");
  const [capacity, setCapacity] = useState(FIRST_SEATS);
  const [weeks, setWeeks] = useState(1);
  const { plan, isPending } = usePlan(props);
  return (
    <Dialog isOpen onClose={onClose} title={t("experiences.addSessionsTitle")}>
      <Form
        onSubmit={() => {
          plan({ date, time, capacity, weeks });
        }}
      >
        <Stack gap="md">
          <Group grow gap="sm" align="end">
            <TextInput
              type="date"
              size="md"
              label={t("experiences.date")}
              min={desk.today}
              data-autofocus
              value={date}
              onChange={(event) => setDate(event.currentTarget.value)}
            />
            <TimeField size="md" label={t("experiences.time")} value={time} onTime={setTime} />
          </Group>
          <NumberField label={t("experiences.seats")} min={1} max={SEATS_MAX} value={capacity} onChange={setCapacity} />
          <NumberField
            label={t("experiences.weeks")}
            description={t("experiences.weeksHint")}
            min={1}
            max={WEEKS_MAX}
            value={weeks}
            onChange={setWeeks}
          />
          <Text size="sm" c="dimmed">
            {t("experiences.clock", { zone: desk.zone.replaceAll("_", " ") })}
          </Text>
          <Group justify="flex-end" gap="sm">
            <Button variant="default" size="md" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" size="md" disabled={date === "" || time === ""} loading={isPending}>
              {t("experiences.submitSessions")}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  );
};
