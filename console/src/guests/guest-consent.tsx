/** Consent and its history. Managers and owners record it. */
import { STAFF_CONSENT_SOURCES } from "@comanda/contract/console/guest-kinds.ts";
import type { ConsentEntry, GuestProfile } from "@comanda/contract/console/guests.ts";
import { Button, Group, Radio, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { call } from "../api.ts";
import { useRole } from "../developer/role.ts";
import { useVenue } from "../developer/venue.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { CheckIcon, NoIcon } from "../ui/icons.tsx";
import { useToast } from "../ui/toast.ts";
import { formatDayAndClock } from "../ui/venue-time.ts";
import { useGuestWrite } from "./guest-queries.ts";

export const GuestConsent = ({ guest }: { guest: GuestProfile }) => {
  const { t } = useTranslation();
  const role = useRole();
  const [isOpen, dialog] = useDisclosure(false);
  const { marketing_opted_in: isGiven, marketing_opted_in_at: since, zone } = guest;
  return (
    <section className="sheet guest-card" aria-labelledby="guest-consent">
      <Stack gap="sm">
        <Title order={2} id="guest-consent">
          {t("guests.consent")}
        </Title>
        <Group justify="space-between" gap="sm">
          <Text className="guest-consent-state" data-given={isGiven || undefined}>
            {isGiven ? <CheckIcon size={18} /> : <NoIcon size={18} />}
            <span>
              {t(isGiven ? "guests.consentGiven" : "guests.consentNone")}{" "}
              {since !== null && t("guests.consentSince", { when: formatDayAndClock(since, zone) })}
            </span>
          </Text>
          {role === "staff" ? (
            <Text c="dimmed" size="sm">
              {t("guests.consentManagers")}
            </Text>
          ) : (
            <Button variant="default" size="md" onClick={dialog.open}>
              {t(isGiven ? "guests.consentWithdraw" : "guests.consentRecord")}
            </Button>
          )}
        </Group>
        <ConsentHistory consents={guest.consents} zone={zone} />
      </Stack>
      <RecordConsent key={String(isGiven)} guest={guest} isOpen={isOpen} onClose={dialog.close} />
    </section>
  );
};

const ConsentHistory = ({ consents, zone }: { consents: readonly ConsentEntry[]; zone: string }) => {
  const { t } = useTranslation();
  return (
    <>
      <Title order={3} id="guest-history">
        {t("guests.history")}
      </Title>
      {consents.length === 0 && <Text c="dimmed">{t("guests.historyEmpty")}</Text>}
      <ol className="guest-history" aria-labelledby="guest-history">
        {consents.map(({ id, at, is_given, source, recorded_by }) => (
          <li key={id}>
            <strong>{t(is_given ? "guests.given" : "guests.withdrawn")}</strong> {t(`guests.sources.${source}`)}
            {" · "}
            <time dateTime={at} className="figures">
              {formatDayAndClock(at, zone)}
            </time>
            {recorded_by !== "" && (
              <>
                {" · "}
                <Trans t={t} i18nKey="guests.recordedBy" values={{ name: recorded_by }} components={{ bdi: <bdi /> }} />
              </>
            )}
          </li>
        ))}
      </ol>
    </>
  );
};

type ConsentBody = { seen_is_given: boolean; is_given: boolean; source: (typeof STAFF_CONSENT_SOURCES)[number] };

const RecordConsent = ({ guest, isOpen, onClose }: { guest: GuestProfile; isOpen: boolean; onClose: () => void }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const [source, setSource] = useState<ConsentBody["source"]>("in_person");
  const isGiven = guest.marketing_opted_in;
  const { write, isPending } = useGuestWrite<ConsentBody>(
    venue,
    guest.id,
    ({ key, body }) => call("recordGuestConsent", { params: { venue, id: guest.id }, idempotencyKey: key, body }),
    () => {
      onClose();
      toast.done(t("guests.consentDone"));
    },
  );
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t(isGiven ? "guests.consentWithdrawTitle" : "guests.consentRecordTitle")}
      lead={t(isGiven ? "guests.consentWithdrawLead" : "guests.consentRecordLead")}
      action={t("guests.consentSubmit")}
      isPending={isPending}
      isDangerous={false}
      onConfirm={() => write({ seen_is_given: isGiven, is_given: !isGiven, source })}
      onClose={onClose}
    >
      <Radio.Group label={t("guests.consentHow")} value={source} onChange={(chosen) => setSource(chosen as ConsentBody["source"])}>
        <Stack gap="xs" mt="xs">
          {STAFF_CONSENT_SOURCES.map((name) => (
            <Radio key={name} value={name} label={t(`guests.sources.${name}`)} />
          ))}
        </Stack>
      </Radio.Group>
    </ConfirmDialog>
  );
};
