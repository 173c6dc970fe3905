/** What is done with the whole session: the guest list on paper for everyone; more or fewer seats, and cancelling, for managers. */
import { SEATS_MAX } from "@comanda/contract/console/experience-limits.ts";
import type { SessionSheet } from "@comanda/contract/console/experiences.ts";
import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "#kit/dialog.tsx";
import { Form } from "#kit/form.tsx";
import { PrintIcon } from "#kit/icons.tsx";
import { NumberField } from "#kit/number-field.tsx";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { useRole, useVenue } from "#shell/venue.ts";
import { experienceKeys } from "./experience-queries.ts";
import { PrintedGuests } from "./printed-guests.tsx";
import { ReasonDialog } from "./reason-dialog.tsx";

export const SessionActions = ({ sheet }: { sheet: SessionSheet }) => {
  const { t } = useTranslation();
  const isManager = useRole() !== "staff";
  const [open, setOpen] = useState<"seats" | "cancel" | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Group gap="sm" className="experience-actions">
      <Button size="md" variant="default" leftSection={<PrintIcon size={18} />} onClick={() => window.print()}>
        {t("experiences.print")}
      </Button>
      {isManager && !sheet.session.is_cancelled && (
        <>
          <Button size="md" variant="default" onClick={() => setOpen("seats")}>
            {t("experiences.changeSeats")}
          </Button>
          <Button size="md" variant="default" onClick={() => setOpen("cancel")}>
            {t("experiences.cancelSession")}
          </Button>
        </>
      )}
      {open === "seats" && <SeatsDialog sheet={sheet} onClose={close} />}
      {open === "cancel" && <CancelDialog sheet={sheet} onClose={close} />}
      <PrintedGuests sheet={sheet} />
    </Group>
  );
};

type SessionDialogProps = { sheet: SessionSheet; onClose: () => void };

const SeatsDialog = ({ sheet: { session }, onClose }: SessionDialogProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const [capacity, setCapacity] = useState(session.capacity);
  const { write, isPending } = useWrite<"changeExperienceSession">({
    readAgain: experienceKeys(venue),
    onDone: (_, { body }) => toast.done(t("experiences.seatsChanged", { seats: body.capacity })),
    onClose,
  });
  const taken = session.sold + session.held;
  return (
    <Dialog isOpen onClose={onClose} title={t("experiences.changeSeatsTitle")}>
      <Form
        onSubmit={() => {
          write({ id: "changeExperienceSession", params: { venue, id: session.id }, body: { seen_version: session.version, capacity } });
        }}
      >
        <Stack gap="md">
          <NumberField
            label={t("experiences.seats")}
            description={t("experiences.seatsHint", { taken: Math.max(1, taken) })}
            min={Math.max(1, taken)}
            max={SEATS_MAX}
            data-autofocus
            value={capacity}
            onChange={setCapacity}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" size="md" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" size="md" loading={isPending}>
              {t("experiences.save")}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  );
};

const CancelDialog = ({ sheet: { session }, onClose }: SessionDialogProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const { write, isPending } = useWrite<"cancelExperienceSession">({
    readAgain: experienceKeys(venue),
    onDone: () => toast.done(t("experiences.cancelDone")),
    onClose,
  });
  return (
    <ReasonDialog
      title={t("experiences.cancelTitle")}
      action={t("experiences.cancelSubmit")}
      keep={t("experiences.keepSession")}
      isPending={isPending}
      onSubmit={(reason) =>
        write({ id: "cancelExperienceSession", params: { venue, id: session.id }, body: { seen_version: session.version, reason } })
      }
      onClose={onClose}
    >
      <Text>{t("experiences.cancelLead")}</Text>
    </ReasonDialog>
  );
};
