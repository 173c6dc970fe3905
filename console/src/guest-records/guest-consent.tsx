/** Consent and its history. Managers and owners record it. */
import { STAFF_CONSENT_SOURCES } from "@comanda/contract/console/guest-kinds.ts";
import type { ConsentEntry, GuestProfile } from "@comanda/contract/console/guests.ts";
import { Button, Group, Radio, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { guestKeys, useTakeOver } from "#guests/guest-queries.ts";
import { ConfirmDialog } from "#kit/confirm-dialog.tsx";
import { CheckIcon, NoIcon } from "#kit/icons.tsx";
import { useToast } from "#kit/toast.ts";
import { formatDayAndClock } from "#kit/venue-time.ts";
import { useWrite } from "#kit/write.ts";
import { useRole, useVenue } from "#shell/venue.ts";

export const GuestConsent = ({ guest }: { guest: GuestProfile }) => {
  const { t } = useTranslation();
  const role = useRole();
  const { marketing_opted_in: isGiven, marketing_opted_in_at: since, zone } = guest;
  // A live change does not turn an open question into its opposite.
  const [asked, setAsked] = useState({ isOpen: false, isGiven });
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
            <Button variant="default" size="md" onClick={() => setAsked({ isOpen: true, isGiven })}>
              {t(isGiven ? "guests.consentWithdraw" : "guests.consentRecord")}
            </Button>
          )}
        </Group>
        <ConsentHistory consents={guest.consents} zone={zone} />
      </Stack>
      <RecordConsent id={guest.id} {...asked} onClose={() => setAsked({ ...asked, isOpen: false })} />
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

type StaffSource = (typeof STAFF_CONSENT_SOURCES)[number];
type RecordConsentProps = { id: number; isOpen: boolean; isGiven: boolean; onClose: () => void };

const RecordConsent = ({ id, isOpen, isGiven, onClose }: RecordConsentProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const takeOver = useTakeOver(venue);
  const [source, setSource] = useState<StaffSource>("in_person");
  const { write, isPending } = useWrite<"recordGuestConsent">({
    readAgain: guestKeys(venue, id),
    onDone: () => {
      setSource("in_person");
      onClose();
      toast.done(t("guests.consentDone"));
    },
    onChanged: (changed) => {
      onClose();
      return takeOver(changed);
    },
  });
  const body = { seen_is_given: isGiven, is_given: !isGiven, source };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t(isGiven ? "guests.consentWithdrawTitle" : "guests.consentRecordTitle")}
      lead={t(isGiven ? "guests.consentWithdrawLead" : "guests.consentRecordLead")}
      action={t("guests.consentSubmit")}
      isPending={isPending}
      isDangerous={false}
      onConfirm={() => write({ id: "recordGuestConsent", params: { venue, id }, body })}
      onClose={onClose}
    >
      <Radio.Group label={t("guests.consentHow")} value={source} onChange={(chosen) => setSource(chosen as StaffSource)}>
        <Stack gap="xs" mt="xs">
          {STAFF_CONSENT_SOURCES.map((name) => (
            <Radio key={name} value={name} label={t(`guests.sources.${name}`)} />
          ))}
        </Stack>
      </Radio.Group>
    </ConfirmDialog>
  );
};
