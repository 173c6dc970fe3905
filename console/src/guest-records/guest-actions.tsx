/** What can be done with a profile. Each role sees what it may do. */
import type { ErasureReceipt, GuestProfile } from "@comanda/contract/console/guests.ts";
import { Button, Group } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useTakeOver } from "#guests/guest-queries.ts";
import { call, isUnanswered } from "#kit/api.ts";
import { ConfirmDialog } from "#kit/confirm-dialog.tsx";
import { BinIcon, EditIcon } from "#kit/icons.tsx";
import { saveFile } from "#kit/save-file.ts";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { useRole, useVenue } from "#shell/venue.ts";
import type { UndoableChange } from "./change-guest.tsx";
import { ChangeGuest } from "./change-guest.tsx";
import { MergeGuests } from "./merge-guests.tsx";

type GuestActionsProps = {
  guest: GuestProfile;
  onErased: (receipt: ErasureReceipt) => void;
  onChanged: (change: UndoableChange | null) => void;
};

export const GuestActions = ({ guest, onErased, onChanged }: GuestActionsProps) => {
  const { t } = useTranslation();
  const role = useRole();
  const [open, setOpen] = useState<"change" | "merge" | "erase" | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Group gap="sm" className="guest-actions">
      <Button size="md" leftSection={<EditIcon size={18} />} onClick={() => setOpen("change")}>
        {t("guests.change")}
      </Button>
      {role !== "staff" && (
        <>
          <Button size="md" variant="default" onClick={() => setOpen("merge")}>
            {t("guests.merge")}
          </Button>
          <ExportButton guest={guest} />
        </>
      )}
      {role === "owner" && (
        <Button size="md" variant="default" className="bad" leftSection={<BinIcon size={18} />} onClick={() => setOpen("erase")}>
          {t("guests.erase")}
        </Button>
      )}
      <ChangeGuest guest={guest} isOpen={open === "change"} onClose={close} onChanged={onChanged} />
      {role !== "staff" && <MergeGuests guest={guest} isOpen={open === "merge"} onClose={close} />}
      {role === "owner" && <EraseGuest guest={guest} isOpen={open === "erase"} onClose={close} onErased={onErased} />}
    </Group>
  );
};

const ExportButton = ({ guest }: { guest: GuestProfile }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: async () => (await call("exportGuest", { params: { venue, id: guest.id }, body: {} })).data,
    onSuccess: (data) => {
      saveFile(`guest-${guest.id}.json`, JSON.stringify(data, null, 2));
      toast.done(t("guests.exportDone"));
    },
    onError: toast.error,
  });
  return (
    <Button size="md" variant="default" loading={isPending} onClick={() => mutate()}>
      {t("guests.export")}
    </Button>
  );
};

type EraseGuestProps = { guest: GuestProfile; isOpen: boolean; onClose: () => void; onErased: (receipt: ErasureReceipt) => void };

const EraseGuest = ({ guest, isOpen, onClose, onErased }: EraseGuestProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const takeOver = useTakeOver(venue);
  const { write, isPending } = useWrite<"eraseGuest">({
    onDone: ({ data }) => onErased(data),
    onChanged: (changed) => {
      onClose();
      return takeOver(changed);
    },
    onRefused: (error) => {
      // A further press asks for the receipt of an erasure whose answer was lost.
      if (!isUnanswered(error)) onClose();
      toast.error(error);
    },
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t("guests.eraseTitle", { name: guest.name })}
      lead={t("guests.eraseLead")}
      action={t("guests.eraseSubmit")}
      isPending={isPending}
      onConfirm={() => write({ id: "eraseGuest", params: { venue, id: guest.id }, body: { seen_version: guest.version } })}
      onClose={onClose}
    />
  );
};
