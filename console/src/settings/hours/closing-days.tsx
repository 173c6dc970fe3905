/** Days on which a branch does not open. "Closed tomorrow" is one tap. */
import type { VenueBranch } from "@comanda/contract/console/venue-settings.ts";
import { Alert, Button, Group, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useOfClock } from "#kit/clock.ts";
import { addDays, dateAndTimeAt } from "#kit/dates.ts";
import { Form } from "#kit/form.tsx";
import { CheckIcon, UndoIcon } from "#kit/icons.tsx";
import { dateLocale } from "#kit/language.ts";
import { type DayChange, type DoneDay, useClosingDays } from "./use-closing-days.ts";

const REASON_LENGTH_MAX = 200;

const dateText = (date: string): string =>
  new Intl.DateTimeFormat(dateLocale(), { weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${date}T00:00:00Z`),
  );

type ClosingDaysProps = { venue: string; zone: string; branch: VenueBranch };

export const ClosingDays = ({ venue, zone, branch }: ClosingDaysProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "closingDays" });
  const today = useOfClock((now) => dateAndTimeAt(now, zone).date);
  const { done, isPending, change, undo } = useClosingDays(venue);
  const isClosed = (date: string): boolean => branch.closing_days.some((day) => day.date === date);
  const set = (date: string, reason: string | null, isClosing: boolean): void => change({ branch_id: branch.id, date, reason, isClosing });
  const toCome = branch.closing_days.filter(({ date }) => date >= today);
  const past = branch.closing_days.filter(({ date }) => date < today);
  return (
    <section className="sheet hours-section closing-days" aria-labelledby="closing-days">
      <Title order={2} className="item-title" id="closing-days">
        {t("title")}
      </Title>
      <Text c="dimmed" size="sm">
        {t("lead")}
      </Text>
      <Group gap="sm" className="closing-quick">
        {([0, 1] as const).map((ahead) => {
          const date = addDays(today, ahead);
          return (
            <Button key={ahead} size="md" variant="default" disabled={isClosed(date) || isPending} onClick={() => set(date, null, true)}>
              {t(ahead === 1 ? "closedTomorrow" : "closedToday")}
            </Button>
          );
        })}
      </Group>
      {done?.branch_id === branch.id && <DoneNote done={done} isPending={isPending} onUndo={undo} />}
      {toCome.length === 0 && <Text c="dimmed">{t("none")}</Text>}
      <DayList days={toCome} isPending={isPending} onOpen={(date, reason) => set(date, reason, false)} />
      <NewClosingDay today={today} isPending={isPending} isClosed={isClosed} onClose={(date, reason) => set(date, reason, true)} />
      {past.length > 0 && (
        <details className="closing-past">
          <summary>{t("past", { count: past.length })}</summary>
          <DayList days={past.toReversed()} isPending={isPending} onOpen={null} />
        </details>
      )}
    </section>
  );
};

/** What was done, what it means for bookings, and the way back. */
const DoneNote = ({ done, isPending, onUndo }: { done: DoneDay; isPending: boolean; onUndo: () => void }) => {
  const { t } = useTranslation("translation", { keyPrefix: "closingDays" });
  const day = dateText(done.date);
  return (
    <Alert color={done.isClosing && done.bookings > 0 ? "orange" : "green"} icon={<CheckIcon />} role="status">
      <Text size="sm" c="inherit">
        {done.isClosing ? t("closed", { day }) : t("opened", { day })}{" "}
        {done.isClosing && (done.bookings > 0 ? t("bookings", { count: done.bookings }) : t("noBookings"))}
      </Text>
      <Button mt="sm" size="md" variant="default" leftSection={<UndoIcon />} disabled={isPending} onClick={onUndo}>
        {t("undo")}
      </Button>
    </Alert>
  );
};

type DayListProps = {
  days: VenueBranch["closing_days"];
  isPending: boolean;
  onOpen: ((date: string, reason: DayChange["reason"]) => void) | null;
};

const DayList = ({ days, isPending, onOpen }: DayListProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "closingDays" });
  if (days.length === 0) return null;
  return (
    <ul className="closing-list">
      {days.map(({ date, reason }) => (
        <li key={date} className="closing-day">
          <span className="grow">
            <span className="closing-date">{dateText(date)}</span>
            {reason !== null && (
              <bdi className="quiet break" dir="auto">
                {reason}
              </bdi>
            )}
          </span>
          {onOpen && (
            <Button
              variant="default"
              size="md"
              disabled={isPending}
              aria-label={t("openOn", { day: dateText(date) })}
              onClick={() => onOpen(date, reason)}
            >
              {t("open")}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
};

type NewClosingDayProps = {
  today: string;
  isPending: boolean;
  isClosed: (date: string) => boolean;
  onClose: (date: string, reason: string | null) => void;
};

const NewClosingDay = ({ today, isPending, isClosed, onClose }: NewClosingDayProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "closingDays" });
  const [date, setDate] = useState("");
  const [reason, setReason] = useState("");
  const isOver = date !== "" && date < today;
  const submit = (): void => {
    if (date === "" || isOver || isClosed(date)) return;
    onClose(date, reason.trim() === "" ? null : reason.trim());
    setDate("");
    setReason("");
  };
  const error = isOver ? t("dateOver") : date !== "" && isClosed(date) ? t("alreadyClosed") : null;
  return (
    <Form className="closing-new" onSubmit={submit} noValidate>
      <TextInput
        size="md"
        type="date"
        label={t("date")}
        min={today}
        value={date}
        error={error}
        onChange={({ currentTarget: { value } }) => setDate(value)}
      />
      <TextInput
        size="md"
        className="grow"
        dir="auto"
        label={t("reason")}
        description={t("reasonHint")}
        maxLength={REASON_LENGTH_MAX}
        value={reason}
        onChange={({ currentTarget: { value } }) => setReason(value)}
      />
      <Button type="submit" size="md" variant="default" disabled={date === "" || error !== null || isPending}>
        {t("close")}
      </Button>
    </Form>
  );
};
