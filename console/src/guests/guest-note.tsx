/** The note of the staff. It is saved at once and can be undone. */
import type { GuestProfile } from "@comanda/contract/console/guests.ts";
import { Alert, Button, Group, Stack, Textarea, Title } from "@mantine/core";
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
  // Null: nothing is being written, so the field shows the note as it is now.
  const [draft, setDraft] = useState<{ text: string; seen: string | null } | null>(null);
  const written = draft?.text ?? guest.note ?? "";
  const isOvertaken = draft !== null && draft.seen !== guest.note;
  const { write, isPending, error } = useGuestWrite<SeenNoteBody>(
    venue,
    guest.id,
    ({ key, body }) => call("setGuestNote", { params: { venue, id: guest.id }, idempotencyKey: key, body }),
    ({ seen_note, note }, isUndo) => {
      setDraft(null);
      // A note of merged profiles can be longer than one that is written, so it cannot be put back.
      const isUndoable = (seen_note?.length ?? 0) <= LENGTH_MAX;
      if (isUndo) toast.done(t("guests.undone"));
      else if (isUndoable) onChanged({ message: t("guests.noteDone"), undo: () => write({ seen_note: note, note: seen_note }, true) });
      else toast.done(t("guests.noteDone"));
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
      </form>
    </section>
  );
};
