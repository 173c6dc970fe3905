/** Merges another profile of the same person into this one. The dialog shows the result before it is done. */
import type { FoundGuest, GuestProfile } from "@comanda/contract/console/guests.ts";
import { Button, Group, Stack, Text, TextInput, Title, VisuallyHidden } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ContactText, GuestList } from "#guests/guest-list.tsx";
import { guestKeys, guestQuery, guestsQuery, useTakeOver } from "#guests/guest-queries.ts";
import { SideDialog } from "#kit/dialog.tsx";
import { formatCount, formatMoney } from "#kit/number-format.ts";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";
import { mergeResultOf } from "./merge-result.ts";

type MergeGuestsProps = { guest: GuestProfile; isOpen: boolean; onClose: () => void };

export const MergeGuests = ({ guest, isOpen, onClose }: MergeGuestsProps) => {
  const { t } = useTranslation();
  const [otherId, setOtherId] = useState<number | null>(null);
  const close = (): void => {
    setOtherId(null);
    onClose();
  };
  return (
    <SideDialog isOpen={isOpen} onClose={close} title={t("guests.mergeTitle")} size={520}>
      {otherId === null ? (
        <ChooseOther guest={guest} onChoose={({ id }) => setOtherId(id)} />
      ) : (
        <ConfirmMerge guest={guest} otherId={otherId} onBack={() => setOtherId(null)} onDone={close} />
      )}
    </SideDialog>
  );
};

const ChooseOther = ({ guest, onChoose }: { guest: GuestProfile; onChoose: (other: FoundGuest) => void }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const [written, setWritten] = useState("");
  const [search] = useDebouncedValue(written.trim(), 250);
  const found = useQuery({ ...guestsQuery(venue, search), enabled: search !== "" });
  const others = search === "" ? [] : (found.data?.guests ?? []).filter(({ id }) => id !== guest.id);
  return (
    <Stack gap="md">
      <Text c="dimmed">{t("guests.mergeLead")}</Text>
      <TextInput
        type="search"
        label={t("guests.mergeSearch")}
        maxLength={80}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={written}
        onChange={(event) => setWritten(event.currentTarget.value)}
      />
      {found.error && <ErrorAlert error={found.error} />}
      <Text role="status" size="sm" c="dimmed">
        {search !== "" && found.data && others.length === 0 ? t("guests.none", { text: search }) : ""}
      </Text>
      {others.length > 0 && (
        <GuestList
          guests={others}
          label={t("guests.mergeLead")}
          wrap={(other, children) => (
            <button type="button" className="guest-row" onClick={() => onChoose(other)}>
              <VisuallyHidden>{t("guests.mergeChoose", { name: other.name })}</VisuallyHidden>
              <span className="guest-row-shown" aria-hidden="true">
                {children}
              </span>
            </button>
          )}
        />
      )}
    </Stack>
  );
};

type ConfirmMergeProps = { guest: GuestProfile; otherId: number; onBack: () => void; onDone: () => void };

const ConfirmMerge = ({ guest, otherId, onBack, onDone }: ConfirmMergeProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const other = useQuery(guestQuery(venue, otherId));
  const { write, isPending } = useWrite<"mergeGuests">({
    readAgain: guestKeys(venue, guest.id),
    onDone: () => {
      onDone();
      toast.done(t("guests.mergeDone"));
    },
    onChanged: useTakeOver(venue),
  });
  if (other.error) return <ErrorAlert error={other.error} onRetry={() => void other.refetch()} />;
  if (!other.data) return <Text role="status">{t("common.loading")}</Text>;
  const body = { other_id: otherId, seen_version: guest.version, other_seen_version: other.data.version };
  return (
    <Stack gap="md">
      <ResultOfMerge guest={guest} other={other.data} />
      <Group justify="flex-end" gap="sm" className="drawer-foot">
        <Button variant="default" size="md" onClick={onBack} data-autofocus>
          {t("guests.mergeOther")}
        </Button>
        <Button
          size="md"
          color="red.9"
          loading={isPending}
          onClick={() => write({ id: "mergeGuests", params: { venue, id: guest.id }, body })}
        >
          {t("guests.mergeSubmit")}
        </Button>
      </Group>
    </Stack>
  );
};

const ResultOfMerge = ({ guest, other }: { guest: GuestProfile; other: GuestProfile }) => {
  const { t } = useTranslation();
  const result = mergeResultOf(guest, other);
  return (
    <>
      <Text>
        <bdi>{other.name}</bdi> → <bdi>{guest.name}</bdi>
      </Text>
      <section className="sheet guest-card guest-result" aria-labelledby="merge-result">
        <Title order={3} id="merge-result">
          {t("guests.mergeResult")}
        </Title>
        <bdi className="guest-row-name">{result.name}</bdi>
        <ContactText phone={result.phone} email={result.email} />
        <Text>
          {t("guests.visits")}: {formatCount(result.visits_count)} · {t("guests.spend")}:{" "}
          {formatMoney(result.total_spend_minor, guest.currency)}
        </Text>
        <Text size="sm">{t("guests.mergeNumbers")}</Text>
        <Text size="sm">{t(result.marketing_opted_in ? "guests.mergeConsentKept" : "guests.mergeConsentNone")}</Text>
      </section>
      <Text fw={600}>{t("guests.mergeFinal")}</Text>
    </>
  );
};
