/** Adds a party to the waitlist, with the time that is quoted to it. */
import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isUnanswered } from "#kit/api.ts";
import { Dialog } from "#kit/dialog.tsx";
import { Form } from "#kit/form.tsx";
import { NumberField } from "#kit/number-field.tsx";
import { useWrite } from "#kit/write.ts";
import { useBookingContext } from "./booking-context.ts";
import { BranchChoice, useBranch } from "./branch-choice.tsx";
import { bookingKeys, waitQuoteQuery } from "./day-query.ts";

type AddProps = { branch: number | null; onClose: () => void };

type WaitingDraft = { name: string; phone: string; note: string; party: number };

const useAddParty = ({ branch, onClose }: AddProps, { name, phone, note, party }: WaitingDraft) => {
  const { venue } = useBookingContext();
  const quote = useQuery(waitQuoteQuery(venue, party, branch));
  const { write, isPending, wanted, error } = useWrite<"addToWaitlist">({ readAgain: bookingKeys(venue) });
  /** The quote changes by itself: a press after a lost answer sends the time that was quoted first. */
  const readTold = (): number | undefined => {
    const first = error && isUnanswered(error) ? wanted?.body : undefined;
    return first?.party_size === party && first.branch_id === branch ? first.quoted_minutes : quote.data?.minutes;
  };
  const addParty = (): void => {
    const told = readTold();
    const body = { name, phone, note: note || null, party_size: party, branch_id: branch };
    const quoted = told === undefined ? {} : { quoted_minutes: told };
    write({ id: "addToWaitlist", params: { venue }, body: { ...body, ...quoted } }, onClose);
  };
  return { quote, addParty, isPending };
};

export const AddToWaitlist = ({ branch: ofPage, onClose }: AddProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const chosen = useBranch(ofPage);
  const [draft, setDraft] = useState<WaitingDraft>({ name: "", phone: "", note: "", party: 2 });
  const set = (change: Partial<WaitingDraft>): void => setDraft((known) => ({ ...known, ...change }));
  const { quote, addParty, isPending } = useAddParty({ branch: chosen.branch, onClose }, draft);
  const submit = (): void => {
    if (draft.name.trim() !== "" && !isPending) addParty();
  };
  return (
    <Dialog isOpen onClose={onClose} title={t("waitlist.add")} size={440}>
      <Form onSubmit={submit}>
        <Stack gap="md">
          <BranchChoice {...chosen} />
          <NumberField label={t("new.party")} min={1} max={50} value={draft.party} onChange={(party) => set({ party })} />
          <p className="booking-lead" role="status">
            {quote.data ? t("waitlist.quote", { minutes: quote.data.minutes }) : " "}
          </p>
          <TextInput
            size="md"
            dir="auto"
            required
            label={t("new.name")}
            maxLength={120}
            value={draft.name}
            onChange={({ currentTarget: { value } }) => set({ name: value })}
          />
          <TextInput
            size="md"
            type="tel"
            dir="ltr"
            label={t("waitlist.phone")}
            maxLength={40}
            value={draft.phone}
            onChange={({ currentTarget: { value } }) => set({ phone: value })}
          />
          <TextInput
            size="md"
            dir="auto"
            label={t("new.note")}
            maxLength={500}
            value={draft.note}
            onChange={({ currentTarget: { value } }) => set({ note: value })}
          />
          <Group justify="flex-end">
            <Button type="submit" className="service-target" loading={isPending} disabled={draft.name.trim() === ""}>
              {t("waitlist.submit")}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  );
};
