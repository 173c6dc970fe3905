/** The note of the staff. It is saved at once and can be undone. */
import type { GuestProfile } from "@comanda/contract/console/guests.ts";
import { Button, Group, Stack, Textarea, Title } from "@mantine/core";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "../api.ts";
import { useVenue } from "../developer/venue.ts";
import { ErrorAlert } from "../ui/page-states.tsx";
import { useToast } from "../ui/toast.ts";
import { useGuestWrite } from "./guest-queries.ts";
import type { UndoableChange } from "./undoable-change.ts";

const LENGTH_MAX = 2000;

type SeenNoteBody = { seen_note: string | null; note: string | null };

export const GuestNote = ({ guest, onChanged }: { guest: GuestProfile; onChanged: (change: UndoableChange | null) => void }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const [written, setWritten] = useState(guest.note ?? "");
  const { write, isPending, error } = useGuestWrite<SeenNoteBody>(
    venue,
    guest.id,
    ({ key, body }) => call("setGuestNote", { params: { venue, id: guest.id }, idempotencyKey: key, body }),
    ({ seen_note, note }, isUndo) => {
      const before = seen_note?.slice(0, LENGTH_MAX) ?? null;
      if (isUndo) toast.done(t("guests.undone"));
      else onChanged({ message: t("guests.noteDone"), undo: () => write({ seen_note: note, note: before }, true) });
    },
  );
  const note = written.trim() === "" ? null : written.trim();
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (note !== guest.note) write({ seen_note: guest.note, note });
  };
  return (
    <section className="sheet guest-card" aria-labelledby="guest-note">
      <form onSubmit={submit} noValidate>
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
            onChange={(event) => setWritten(event.currentTarget.value)}
          />
          {error && <ErrorAlert error={error} />}
          <Group justify="flex-end">
            <Button type="submit" size="md" loading={isPending} disabled={note === guest.note}>
              {t("guests.noteSave")}
            </Button>
          </Group>
        </Stack>
      </form>
    </section>
  );
};
