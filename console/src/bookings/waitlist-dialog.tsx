/** Adds a party to the waitlist, with the time that it is told. */
import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type CallInput, call, isUnanswered, isWorthRetrying } from "../api.ts";
import { Dialog } from "../ui/dialog.tsx";
import { NumberField } from "../ui/number-field.tsx";
import { createTries } from "../ui/tries.ts";
import { useBookingContext } from "./booking-context.ts";
import { BranchChoice, useBranch } from "./branch-choice.tsx";
import { waitQuoteQuery } from "./day-query.ts";
import { useBookingError } from "./use-booking-writes.ts";

type AddProps = { branch: number | null; onClose: () => void };

type WaitingDraft = { name: string; phone: string; note: string; party: number };

type AddedParty = Pick<CallInput<"addToWaitlist">, "body" | "idempotencyKey">;

const useAddParty = ({ branch, onClose }: AddProps, draft: WaitingDraft) => {
  const { venue } = useBookingContext();
  const client = useQueryClient();
  const explain = useBookingError(venue);
  const [tries] = useState(createTries<AddedParty["body"], object>);
  const first = useRef<AddedParty | null>(null);
  const quote = useQuery(waitQuoteQuery(venue, draft.party, branch));
  const add = useMutation({
    mutationFn: ({ body, idempotencyKey }: AddedParty) => call("addToWaitlist", { params: { venue }, idempotencyKey, body }),
    networkMode: "always",
    retry: isWorthRetrying,
    onError: (error) => {
      if (!isUnanswered(error)) tries.end();
      explain(error);
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["booking-day", venue] });
      onClose();
    },
  });
  /** Pressed again before an answer came, the same party is added once, with the quote of the first try. */
  const addParty = (): void => {
    const { name, phone, note, party } = draft;
    const { idempotencyKey, body } = tries.begin({ name, phone, note: note || null, party_size: party, branch_id: branch }, {});
    if (first.current?.idempotencyKey !== idempotencyKey)
      first.current = { idempotencyKey, body: { ...body, ...(quote.data ? { quoted_minutes: quote.data.minutes } : {}) } };
    add.mutate(first.current);
  };
  return { quote, addParty, isPending: add.isPending };
};

export const AddToWaitlist = ({ branch: ofPage, onClose }: AddProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const chosen = useBranch(ofPage);
  const [draft, setDraft] = useState<WaitingDraft>({ name: "", phone: "", note: "", party: 2 });
  const set = (change: Partial<WaitingDraft>): void => setDraft((known) => ({ ...known, ...change }));
  const { quote, addParty, isPending } = useAddParty({ branch: chosen.branch, onClose }, draft);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (draft.name.trim() !== "" && !isPending) addParty();
  };
  return (
    <Dialog isOpen onClose={onClose} title={t("waitlist.add")} size={440}>
      <form onSubmit={submit}>
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
      </form>
    </Dialog>
  );
};
