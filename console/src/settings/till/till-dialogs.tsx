/** Connecting a till, a new secret for it, and disconnecting it. The secret is shown once. */
import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "#kit/confirm-dialog.tsx";
import { CopyBox } from "#kit/copy-box.tsx";
import { Dialog } from "#kit/dialog.tsx";
import { fieldErrors } from "#kit/error-text.ts";
import { Form } from "#kit/form.tsx";
import { OneTimeSecretModal } from "#kit/one-time-secret-modal.tsx";
import { useErrorTranslation } from "#kit/server-texts.ts";
import { useToast } from "#kit/toast.ts";
import { readChanged, useWrite } from "#kit/write.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";
import { tillQuery, useConnectTill } from "./till-query.ts";

type ConnectTillProps = { isOpen: boolean; url: string | null; onClose: () => void; onConnected: (secret: string) => void };

export const ConnectTill = (props: ConnectTillProps) => {
  const { t } = useTranslation();
  const { isOpen, url, onClose } = props;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t(url === null ? "till.connectTitle" : "till.changeTitle")}>
      {isOpen && <ConnectForm {...props} />}
    </Dialog>
  );
};

/** A colleague was faster: the page behind shows the till that is connected now. */
const TillError = ({ error }: { error: unknown }) => {
  const { t } = useTranslation();
  const lost = readChanged(error);
  if (!lost) return <ErrorAlert error={error} />;
  return (
    <Text role="alert" className="bad">
      {lost.changed_by === null ? t("writes.fasterUnknown") : t("writes.faster", { who: lost.changed_by })}
    </Text>
  );
};

const ConnectForm = ({ url, onClose, onConnected }: ConnectTillProps) => {
  const { t } = useTranslation();
  const translate = useErrorTranslation();
  const [address, setAddress] = useState(url ?? "");
  const { connect, isPending, error } = useConnectTill(useVenue(), onConnected);
  const wrong = fieldErrors(error).url;
  const submit = (): void => {
    connect({ seen_url: url, url: address.trim() });
  };
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          size="md"
          dir="ltr"
          type="url"
          inputMode="url"
          autoComplete="off"
          required
          maxLength={2000}
          label={t("till.address")}
          description={t("till.addressHint")}
          placeholder="https://"
          value={address}
          error={wrong === undefined ? null : translate(wrong)}
          onChange={({ currentTarget: { value } }) => setAddress(value)}
          data-autofocus
        />
        {url !== null && <Text size="sm">{t("till.changeHint")}</Text>}
        {error && wrong === undefined && <TillError error={error} />}
        <Group justify="flex-end" gap="sm">
          <Button size="md" variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button size="md" type="submit" loading={isPending}>
            {t(url === null ? "till.connect" : "till.change")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
};

type TillActionProps = { url: string | null; onClose: () => void };

export const NewTillSecret = ({ url, onClose, onConnected }: TillActionProps & { onConnected: (secret: string) => void }) => {
  const { t } = useTranslation();
  const { connect, isPending, error } = useConnectTill(useVenue(), onConnected);
  return (
    <ConfirmDialog
      isOpen={url !== null}
      title={t("till.newSecret")}
      lead={t("till.newSecretLead")}
      action={t("till.newSecret")}
      isPending={isPending}
      onConfirm={() => url !== null && connect({ seen_url: url, url })}
      onClose={onClose}
    >
      {error && <TillError error={error} />}
    </ConfirmDialog>
  );
};

export const DisconnectTill = ({ url, onClose }: TillActionProps) => {
  const { t } = useTranslation();
  const toast = useToast();
  const venue = useVenue();
  const { write, isPending, error } = useWrite<"disconnectTill">({
    readAgain: [tillQuery(venue).queryKey],
    onDone: () => toast.done(t("till.disconnected")),
    // The dialog says why.
    onChanged: () => null,
    onRefused: () => undefined,
  });
  return (
    <ConfirmDialog
      isOpen={url !== null}
      title={t("till.disconnectTitle")}
      lead={t("till.disconnectLead")}
      action={t("till.disconnect")}
      isPending={isPending}
      onConfirm={() => url !== null && write({ id: "disconnectTill", params: { venue }, body: { seen_url: url } }, onClose)}
      onClose={onClose}
    >
      {error && <TillError error={error} />}
    </ConfirmDialog>
  );
};

export const TillSecretModal = ({ secret, onClose }: { secret: string | null; onClose: () => void }) => {
  const { t } = useTranslation();
  return (
    <OneTimeSecretModal title={t("till.secretTitle")} isOpen={secret !== null} warning={t("till.secretLost")} onClose={onClose}>
      {({ onCopied, onDone }) =>
        secret !== null && (
          <Stack gap="lg">
            <Text c="dimmed">{t("till.secretOnce")}</Text>
            <CopyBox label={t("till.secret")} text={secret} isLarge onCopied={onCopied} />
            <Group justify="flex-end">
              <Button variant="default" onClick={onDone}>
                {t("shown.done")}
              </Button>
            </Group>
          </Stack>
        )
      }
    </OneTimeSecretModal>
  );
};
