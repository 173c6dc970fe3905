/** Sends a message that failed again: to the same address, or to the right one. */
import type { VenueMessage } from "@comanda/contract/console/messages.ts";
import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "#kit/dialog.tsx";
import { fieldErrors } from "#kit/error-text.ts";
import { Form } from "#kit/form.tsx";
import { useErrorTranslation } from "#kit/server-texts.ts";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { useVenue } from "#shell/venue.ts";
import { useFailureText } from "./message-line.tsx";
import { messageKeys } from "./message-queries.ts";

export const RetryDialog = ({ message, onClose }: { message: VenueMessage; onClose: () => void }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const failureOf = useFailureText();
  const translate = useErrorTranslation();
  const [recipient, setRecipient] = useState(message.recipient);
  const { write, isPending, error, reset } = useWrite<"retryMessage">({
    readAgain: messageKeys(venue),
    onClose,
    onChanged: () => {
      onClose();
      return t("messages.retry.changed");
    },
    onRefused: (refused) => {
      if (fieldErrors(refused).recipient === undefined) toast.refusal(refused);
    },
  });
  const wrong = fieldErrors(error).recipient;
  const send = (): void => {
    const body = { seen_attempts: message.attempts, ...(recipient.trim() === message.recipient ? {} : { recipient: recipient.trim() }) };
    write({ id: "retryMessage", params: { venue, id: message.id }, body });
  };
  return (
    <Dialog isOpen onClose={onClose} title={t("messages.retry.title")}>
      <Form onSubmit={send}>
        <Stack>
          <Text>{failureOf(message)}</Text>
          <TextInput
            label={t(`messages.retry.${message.channel}`)}
            description={t("messages.retry.hint")}
            size="md"
            dir="ltr"
            data-autofocus
            value={recipient}
            error={wrong === undefined ? undefined : translate(wrong)}
            maxLength={254}
            onChange={({ currentTarget }) => {
              reset();
              setRecipient(currentTarget.value);
            }}
          />
          <Button type="submit" size="md" loading={isPending} disabled={recipient.trim().length < 3}>
            {t("messages.retry.submit")}
          </Button>
        </Stack>
      </Form>
    </Dialog>
  );
};
