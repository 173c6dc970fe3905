/** The reply: sent once, and sent again when it was changed. */
import { REPLY_LENGTH_MAX } from "@comanda/contract/console/review-limits.ts";
import type { WholeReview } from "@comanda/contract/console/reviews.ts";
import { Button, Group, Text, Textarea, Title } from "@mantine/core";
import { useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { Form } from "#kit/form.tsx";
import { useToast } from "#kit/toast.ts";
import { formatDayAndClock } from "#kit/venue-time.ts";
import { useWrite } from "#kit/write.ts";
import { messageKeys } from "#messages/message-queries.ts";
import { MessagesAbout } from "#messages/messages-about.tsx";
import { useVenue } from "#shell/venue.ts";
import { reviewKeys } from "./review-queries.ts";

export const Reply = ({ whole }: { whole: WholeReview }) => {
  const { t } = useTranslation();
  const { review, channel, zone } = whole;
  return (
    <section className="sheet review-sheet" aria-labelledby="review-reply">
      <Title order={2} id="review-reply">
        {t("reviews.replyTitle")}
      </Title>
      {review.replied_at !== null && (
        <Text size="sm" c="dimmed">
          <Trans
            t={t}
            i18nKey="reviews.replyBy"
            values={{ name: review.replied_by, when: formatDayAndClock(review.replied_at, zone) }}
            components={{ bdi: <bdi /> }}
          />
        </Text>
      )}
      {review.replied_at !== null && <MessagesAbout about="review" subject={String(review.id)} zone={zone} />}
      {channel === null ? <Text c="dimmed">{t("reviews.replyNoAddress")}</Text> : <ReplyForm whole={whole} channel={channel} />}
    </section>
  );
};

type ReplyFormProps = { whole: WholeReview; channel: NonNullable<WholeReview["channel"]> };

const ReplyForm = ({ whole: { review }, channel }: ReplyFormProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const [written, setWritten] = useState(review.reply ?? "");
  const { write, isPending } = useWrite<"replyToReview">({
    readAgain: [...reviewKeys(venue), ...messageKeys(venue)],
    onDone: () => toast.done(t("reviews.sent")),
    onChanged: ({ changed_by: who }) => (who === null ? undefined : t("reviews.fasterReply", { who })),
  });
  const text = written.trim();
  const send = (): void => {
    write({ id: "replyToReview", params: { venue, id: review.id }, body: { seen_replied_at: review.replied_at, reply: text } });
  };
  return (
    <Form className="review-reply" onSubmit={send}>
      <Textarea
        label={t("reviews.replyLabel")}
        description={t(channel === "email" ? "reviews.replyByEmail" : "reviews.replyBySms")}
        size="md"
        dir="auto"
        autosize
        minRows={4}
        maxRows={12}
        maxLength={REPLY_LENGTH_MAX}
        value={written}
        onChange={(event) => setWritten(event.currentTarget.value)}
      />
      <Group justify="flex-end">
        <Button type="submit" size="md" disabled={text === "" || text === review.reply} loading={isPending}>
          {t(review.reply === null ? "reviews.send" : "reviews.sendAgain")}
        </Button>
      </Group>
    </Form>
  );
};
