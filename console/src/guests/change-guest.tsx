/** Changes name, phone, e-mail and language. The change can be undone. */
import type { GuestContactDetails, GuestProfile } from "@comanda/contract/console/guests.ts";
import { Button, Group, Stack, TextInput } from "@mantine/core";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { call, hasErrorCode } from "../api.ts";
import { useVenue } from "../developer/venue.ts";
import { SideDialog } from "../ui/dialog.tsx";
import { fieldErrors } from "../ui/error-text.ts";
import { useToast } from "../ui/toast.ts";
import { useGuestWrite } from "./guest-queries.ts";
import type { UndoableChange } from "./undoable-change.ts";

type ChangeGuestProps = { guest: GuestProfile; isOpen: boolean; onClose: () => void; onChanged: (change: UndoableChange | null) => void };

export const ChangeGuest = ({ guest, isOpen, onClose, onChanged }: ChangeGuestProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const changing = useGuestWrite<DetailsBody>(
    venue,
    guest.id,
    ({ key, body }) => call("changeGuestDetails", { params: { venue, id: guest.id }, idempotencyKey: key, body }),
    ({ seen, details }, isUndo) => {
      onClose();
      if (isUndo) toast.done(t("guests.undone"));
      else onChanged({ message: t("guests.changeDone"), undo: () => changing.write({ seen: details, details: seen }, true) });
    },
  );
  return (
    <SideDialog isOpen={isOpen} onClose={onClose} title={t("guests.changeTitle")} size={480}>
      {isOpen && <DetailsForm guest={guest} changing={changing} onClose={onClose} />}
    </SideDialog>
  );
};

type DetailsBody = { seen: GuestContactDetails; details: GuestContactDetails };
type DetailsFormProps = { guest: GuestProfile; changing: ReturnType<typeof useGuestWrite<DetailsBody>>; onClose: () => void };

const DetailsForm = ({ guest, changing, onClose }: DetailsFormProps) => {
  const { t } = useTranslation();
  const [written, setWritten] = useState({
    name: guest.name,
    phone: guest.phone ?? "",
    email: guest.email ?? "",
    locale: guest.locale ?? "",
  });
  // As the person saw it when writing began: a change by a colleague since then is refused, not overwritten.
  const [seen] = useState<GuestContactDetails>({ name: guest.name, phone: guest.phone, email: guest.email, locale: guest.locale });
  const faults = hasErrorCode(changing.error, "validation_failed") ? fieldErrors(changing.error) : {};
  const isNameless = written.name.trim() === "";
  const sentenceOf = (field: keyof typeof written): string | null => {
    if (field === "name" && isNameless) return t("guests.nameMissing");
    if (faults[field] === undefined && faults[`details.${field}`] === undefined) return null;
    return t(
      ({ name: "guests.nameMissing", phone: "guests.phoneTaken", email: "guests.emailWrong", locale: "guests.localeWrong" } as const)[
        field
      ],
    );
  };
  const fieldOf = (field: keyof typeof written) => ({
    label: t(`guests.${field}`),
    value: written[field],
    error: sentenceOf(field),
    onChange: (event: { currentTarget: { value: string } }) => setWritten({ ...written, [field]: event.currentTarget.value }),
  });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (isNameless) return;
    const textOf = (text: string): string | null => (text.trim() === "" ? null : text.trim());
    const details = {
      name: written.name.trim(),
      phone: textOf(written.phone),
      email: textOf(written.email),
      locale: textOf(written.locale),
    };
    changing.write({ seen, details });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <TextInput {...fieldOf("name")} maxLength={120} dir="auto" autoComplete="off" data-autofocus />
        <TextInput {...fieldOf("phone")} type="tel" maxLength={40} dir="ltr" autoComplete="off" />
        <TextInput {...fieldOf("email")} type="email" maxLength={254} dir="ltr" autoComplete="off" />
        <TextInput {...fieldOf("locale")} description={t("guests.localeHint")} maxLength={35} dir="ltr" autoComplete="off" />
        <Group justify="flex-end" className="drawer-foot">
          <Button variant="default" size="md" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" size="md" loading={changing.isPending}>
            {t("common.save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
