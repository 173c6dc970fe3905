/** Changes name, phone, e-mail and language. The change can be undone. */
import type { GuestContactDetails, GuestProfile } from "@comanda/contract/console/guests.ts";
import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { guestKeys, useTakeOver } from "#guests/guest-queries.ts";
import { hasErrorCode, type KeyedCallInput } from "#kit/api.ts";
import { SideDialog } from "#kit/dialog.tsx";
import { fieldErrors } from "#kit/error-text.ts";
import { Form } from "#kit/form.tsx";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { useVenue } from "#shell/venue.ts";

/** The last change of a profile. It can be undone until the page is left. */
export type UndoableChange = { message: string; undo: () => void };

type ChangeGuestProps = { guest: GuestProfile; isOpen: boolean; onClose: () => void; onChanged: (change: UndoableChange | null) => void };

export const ChangeGuest = ({ guest, isOpen, onClose, onChanged }: ChangeGuestProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const { write, isPending, error } = useWrite<"changeGuestDetails">({
    readAgain: guestKeys(venue, guest.id),
    onDone: onClose,
    onChanged: useTakeOver(venue),
    // The form says what is wrong.
    onRefused: (refused) => !hasErrorCode(refused, "validation_failed") && toast.error(refused),
  });
  const send = (body: DetailsBody, onAnswer: () => void): void =>
    write({ id: "changeGuestDetails", params: { venue, id: guest.id }, body }, onAnswer);
  const undo = (body: DetailsBody): void => send(body, () => toast.done(t("guests.undone")));
  const save = ({ seen, details }: DetailsBody): void =>
    send({ seen, details }, () => onChanged({ message: t("guests.changeDone"), undo: () => undo({ seen: details, details: seen }) }));
  return (
    <SideDialog isOpen={isOpen} onClose={onClose} title={t("guests.changeTitle")} size={480}>
      {isOpen && <DetailsForm guest={guest} isPending={isPending} error={error} onSave={save} onClose={onClose} />}
    </SideDialog>
  );
};

type DetailsBody = KeyedCallInput<"changeGuestDetails">["body"];
type DetailsFormProps = {
  guest: GuestProfile;
  isPending: boolean;
  error: Error | null;
  onSave: (body: DetailsBody) => void;
  onClose: () => void;
};

const DetailsForm = ({ guest, isPending, error, onSave, onClose }: DetailsFormProps) => {
  const { t } = useTranslation();
  const [written, setWritten] = useState({
    name: guest.name,
    phone: guest.phone ?? "",
    email: guest.email ?? "",
    locale: guest.locale ?? "",
  });
  // As the person saw it when writing began: a change by a colleague since then is refused, not overwritten.
  const [seen] = useState<GuestContactDetails>({ name: guest.name, phone: guest.phone, email: guest.email, locale: guest.locale });
  const faults = hasErrorCode(error, "validation_failed") ? fieldErrors(error) : {};
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
  const submit = (): void => {
    if (isNameless) return;
    const textOf = (text: string): string | null => (text.trim() === "" ? null : text.trim());
    const details = {
      name: written.name.trim(),
      phone: textOf(written.phone),
      email: textOf(written.email),
      locale: textOf(written.locale),
    };
    onSave({ seen, details });
  };
  return (
    <Form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <TextInput {...fieldOf("name")} maxLength={120} dir="auto" autoComplete="off" data-autofocus />
        <TextInput {...fieldOf("phone")} type="tel" maxLength={40} dir="ltr" autoComplete="off" />
        <TextInput {...fieldOf("email")} type="email" maxLength={254} dir="ltr" autoComplete="off" />
        <TextInput {...fieldOf("locale")} description={t("guests.localeHint")} maxLength={35} dir="ltr" autoComplete="off" />
        <Group justify="flex-end" className="drawer-foot">
          <Button variant="default" size="md" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" size="md" loading={isPending}>
            {t("common.save")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
};
