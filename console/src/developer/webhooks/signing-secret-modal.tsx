/** Shows a new signing secret and how to use it. It cannot be shown again. */
import { Button, Group, Stack, Tabs, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CopyBox } from "#kit/copy-box.tsx";
import { SendIcon } from "#kit/icons.tsx";
import { OneTimeSecretModal } from "#kit/one-time-secret-modal.tsx";
import { formatDateTime } from "#kit/relative-time.tsx";
import { useWrite } from "#kit/write.ts";
import { useVenue } from "#shell/venue.ts";
import { PingResult } from "./ping-result.tsx";
import { SNIPPETS } from "./snippets.ts";

export type NewSigningSecret = { id: number; secret: string; previousUntil: string | null };

export const SigningSecretModal = ({ made, onClose }: { made: NewSigningSecret | null; onClose: () => void }) => {
  const { t } = useTranslation();
  return (
    <OneTimeSecretModal title={t("secret.title")} isOpen={made !== null} warning={t("secret.lost")} onClose={onClose}>
      {({ onCopied, onDone }) => made && <Secret made={made} onCopied={onCopied} onDone={onDone} />}
    </OneTimeSecretModal>
  );
};

const Secret = ({ made, onCopied, onDone }: { made: NewSigningSecret; onCopied: () => void; onDone: () => void }) => {
  const { t } = useTranslation();
  return (
    <Stack gap="lg">
      <Text c="dimmed">{t("secret.once")}</Text>
      <CopyBox label={t("secret.secret")} text={made.secret} isLarge onCopied={onCopied} />
      {made.previousUntil && <Text size="sm">{t("rotate.until", { when: formatDateTime(made.previousUntil) })}</Text>}
      <CopyBox label={t("secret.env")} text={`WEBHOOK_SECRET='${made.secret}'`} onCopied={onCopied} />
      <Verification />
      <PingNow id={made.id} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {t("shown.done")}
        </Button>
      </Group>
    </Stack>
  );
};

const Verification = () => {
  const { t } = useTranslation();
  return (
    <div>
      <Text size="sm" fw={550}>
        {t("secret.verify")}
      </Text>
      <Text size="sm" c="dimmed" mb="xs">
        {t("secret.verifyLead")}
      </Text>
      <Tabs defaultValue="TypeScript" keepMounted={false}>
        <Tabs.List mb="sm" aria-label={t("secret.language")}>
          {SNIPPETS.map(({ name }) => (
            <Tabs.Tab key={name} value={name} className="language-tab">
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {SNIPPETS.map(({ name, code }) => (
          <Tabs.Panel key={name} value={name} className="snippet">
            <CopyBox label={name} text={code} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </div>
  );
};

const PingNow = ({ id }: { id: number }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const [sent, setSent] = useState<string | null>(null);
  const { write, isPending } = useWrite<"pingWebhook">({ onDone: ({ data }) => setSent(data.event_id) });
  const ping = () => write({ id: "pingWebhook", params: { venue, id } });
  return (
    <Stack gap="xs">
      <Button variant="light" className="start" leftSection={<SendIcon size={16} />} loading={isPending} onClick={ping}>
        {t("secret.pingNow")}
      </Button>
      {sent !== null && <PingResult key={sent} eventId={sent} />}
    </Stack>
  );
};
