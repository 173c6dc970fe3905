/** Whether guests are asked. Managers see it; the owner changes it. */
import type { ReviewRules } from "@comanda/contract/venue-file/review-rules.ts";
import { Button, Group, Switch, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Form } from "#kit/form.tsx";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { useIsOwner, useVenue } from "#shell/venue.ts";
import { reviewKeys } from "./review-queries.ts";

const MINUTES_MAX = 1440;

export const Asking = ({ rules }: { rules: ReviewRules }) => {
  const { t } = useTranslation();
  const isOwner = useIsOwner();
  const sentence = rules.is_on
    ? rules.wait_minutes === 0
      ? t("reviews.onAtOnce")
      : t("reviews.on", { minutes: rules.wait_minutes })
    : t(isOwner ? "reviews.offForOwner" : "reviews.off");
  return (
    <section className="sheet review-sheet" aria-labelledby="asking">
      <Title order={2} id="asking">
        {t("reviews.asking")}
      </Title>
      <Text c="dimmed">{sentence}</Text>
      {isOwner && <AskingForm key={`${rules.is_on} ${rules.wait_minutes}`} rules={rules} />}
    </section>
  );
};

const readMinutes = (text: string): number | null => {
  const minutes = /^\d{1,4}$/.test(text.trim()) ? Number(text.trim()) : Number.NaN;
  return minutes <= MINUTES_MAX ? minutes : null;
};

const AskingForm = ({ rules }: { rules: ReviewRules }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const [isOn, setIsOn] = useState(rules.is_on);
  const [written, setWritten] = useState(String(rules.wait_minutes));
  const { write, isPending } = useWrite<"saveReviewRules">({
    readAgain: reviewKeys(venue),
    onDone: ({ data: { is_on } }) => toast.done(t(is_on ? "reviews.savedOn" : "reviews.savedOff")),
  });
  const minutes = readMinutes(written);
  const isChanged = isOn !== rules.is_on || minutes !== rules.wait_minutes;
  const save = (): void => {
    if (minutes === null) return;
    write({ id: "saveReviewRules", params: { venue }, body: { seen: rules, rules: { is_on: isOn, wait_minutes: minutes } } });
  };
  return (
    <Form className="review-asking" onSubmit={save}>
      <Switch size="md" label={t("reviews.switch")} checked={isOn} onChange={(event) => setIsOn(event.currentTarget.checked)} />
      <TextInput
        className="review-minutes"
        label={t("reviews.wait")}
        size="md"
        dir="ltr"
        inputMode="numeric"
        autoComplete="off"
        value={written}
        error={minutes === null ? t("reviews.waitWrong") : null}
        onChange={(event) => setWritten(event.currentTarget.value)}
      />
      <Group justify="flex-end">
        <Button type="submit" size="md" disabled={!isChanged || minutes === null} loading={isPending}>
          {t("reviews.save")}
        </Button>
      </Group>
    </Form>
  );
};
