/** The note of the staff. It is saved at once and can be undone. */
import type { GuestProfile } from "@comanda/contract/console/guests.ts";
import { Alert, Button, Group, Stack, Textarea, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { guestKeys, guestQuery, useTakeOver } from "#guests/guest-queries.ts";
import { hasErrorCode, type KeyedCallInput } from "#kit/api.ts";
import { Form } from "#kit/form.tsx";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";
import type { UndoableChange } from "./change-guest.tsx";

const LENGTH_MAX = 2000;

type NoteBody = KeyedCallInput<"setGuestNote">["body"];

export const GuestNote = ({ guest, onChanged }: { guest: GuestProfile; onChanged: (change: UndoableChange | null) => void }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const queryClient = useQueryClient();
  // Null: nothing is being written, so the field shows the note as it is now.
  const [draft, setDraft] = useState<{ text: string; seen: string | null } | null>(null);
  const written = draft?.text ?? guest.note ?? "";
  const note = written.trim() === "" ? null : written.trim();
  // The own note may be there before its answer.
  const isOvertaken = draft !== null && draft.seen !== guest.note && note !== guest.note;
  const { write, isPending, error } = useWrite<"setGuestNote">({
    readAgain: guestKeys(venue, guest.id),
    // The field shows the new note before the profile is read again.
    onDone: (_, { body }) => {
      setDraft(null);
      queryClient.setQueryData(guestQuery(venue, guest.id).queryKey, (known) => known && { ...known, note: body.note });
    },
    onChanged: useTakeOver(venue),
    // The page says what is wrong with a note.
    onRefused: (refused) => !hasErrorCode(refused, "validation_failed") && toast.error(refused),
  });
  const send = (body: NoteBody, onAnswer: () => void): void =>
    write({ id: "setGuestNote", params: { venue, id: guest.id }, body }, onAnswer);
  const undo = (body: NoteBody): void => send(body, () => toast.done(t("guests.undone")));
  const save = ({ seen_note, note }: NoteBody): void =>
    send({ seen_note, note }, () => {
      // A note of merged profiles can be longer than one that is written, so it cannot be put back.
      if ((seen_note?.length ?? 0) > LENGTH_MAX) toast.done(t("guests.noteDone"));
      else onChanged({ message: t("guests.noteDone"), undo: () => undo({ seen_note: note, note: seen_note }) });
    });
  const submit = (): void => {
    if (note !== guest.note) save({ seen_note: guest.note, note });
  };
  return (
    <section className="sheet guest-card" aria-labelledby="guest-note">
      <Form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <Title order={2} id="guest-note">
            {t("guests.note")}
          </Title>
          <Textarea
            aria-label={t("guests.note")}
            description={t("guests.noteHint")}
            autosize
            minRows={2}
            maxRows={10}
            maxLength={LENGTH_MAX}
            dir="auto"
            value={written}
            onChange={({ currentTarget: { value } }) =>
              setDraft((known) => ({ text: value, seen: known === null ? guest.note : known.seen }))
            }
          />
          {isOvertaken && (
            <Alert variant="light" role="status" title={t("guests.noteOvertaken")}>
              <bdi>{guest.note ?? t("guests.noteNone")}</bdi>
            </Alert>
          )}
          {error && <ErrorAlert error={error} />}
          <Group justify="flex-end">
            <Button type="submit" size="md" loading={isPending} disabled={note === guest.note}>
              {t(isOvertaken ? "guests.noteKeepMine" : "guests.noteSave")}
            </Button>
          </Group>
        </Stack>
      </Form>
    </section>
  );
};
