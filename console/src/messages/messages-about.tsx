/** The messages about one subject, the newest first, or the last one alone. */
import type { MessageSubject } from "@comanda/contract/console/messages.ts";
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useVenue } from "#shell/venue.ts";
import { MessageLine } from "./message-line.tsx";
import { messagesQuery } from "./message-queries.ts";

type MessagesAboutProps = { about: MessageSubject; subject: string; zone?: string; title?: string; isLast?: boolean };

export const MessagesAbout = ({ about, subject, zone, title, isLast = false }: MessagesAboutProps) => {
  const { t } = useTranslation();
  const { data, error } = useQuery(messagesQuery(useVenue(), { about, subject }));
  if (error && !data) return <Text c="dimmed">{t("messages.unread")}</Text>;
  if (!data || data.length === 0) return null;
  return (
    <section>
      {title !== undefined && <h3 className="item-title">{title}</h3>}
      {data.slice(0, isLast ? 1 : data.length).map((message) => (
        <MessageLine key={message.id} message={message} zone={zone} />
      ))}
    </section>
  );
};
