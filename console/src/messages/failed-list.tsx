import type { VenueMessage } from "@comanda/contract/console/messages.ts";
import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useWrite } from "#kit/write.ts";
import { useVenue } from "#shell/venue.ts";
import { MessageLine, useKindName } from "./message-line.tsx";
import { messageKeys } from "./message-queries.ts";

export const FailedList = ({ messages }: { messages: readonly VenueMessage[] }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const nameOf = useKindName();
  const { write, isPending } = useWrite<"setMessageAside">({
    readAgain: messageKeys(venue),
    onChanged: () => t("messages.retry.changed"),
  });
  return (
    <ul className="message-list">
      {messages.map((message) => (
        <li key={message.id}>
          <MessageLine message={message} />
          <Button
            variant="default"
            className="service-target"
            disabled={isPending}
            aria-label={t("messages.asideOf", { kind: nameOf(message), recipient: message.recipient })}
            onClick={() => write({ id: "setMessageAside", params: { venue, id: message.id }, body: { seen_attempts: message.attempts } })}
          >
            {t("messages.aside")}
          </Button>
        </li>
      ))}
    </ul>
  );
};
