/** Whether a guest could book: by the saved rules, with the tables of the party or every reason against it. */
import { TimeField } from "#kit/time-field.tsx";
import "./try-booking.css";
import type { BookingGuarantee, BookingTrial } from "@comanda/contract/console/bookings.ts";
import { Button, Group, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "#kit/api.ts";
import { Form } from "#kit/form.tsx";
import { CheckIcon, NoIcon } from "#kit/icons.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { NumberField } from "#kit/number-field.tsx";
import { formatMoney } from "#kit/number-format.ts";
import { formatClock } from "#kit/venue-time.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { dayQuery } from "./day-query.ts";
import { enTryBooking } from "./texts-try.en.ts";

addEnglishTexts(enTryBooking);

const PARTY_MAX = 500;
const DAY_MS = 24 * 60 * 60 * 1000;

type TrialWish = { date: string; time: string; party_size: number };

const trialQuery = (venue: string, wish: TrialWish | null) => ({
  queryKey: ["booking-trial", venue, wish],
  queryFn: async () => (await call("tryBooking", { params: { venue }, query: wish ?? { date: "", time: "", party_size: 1 } })).data,
  enabled: wish !== null,
  staleTime: 0,
});

/** Tomorrow on the venue's clock. */
const tomorrow = (zone: string): string => new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(Date.now() + DAY_MS);

export const TryBooking = ({ venue, zone }: { venue: string; zone: string }) => {
  const { t } = useTranslation("translation", { keyPrefix: "tryBooking" });
  const { t: tCommon } = useTranslation();
  const [draft, setDraft] = useState<TrialWish>(() => ({ date: tomorrow(zone), time: "19:00", party_size: 2 }));
  const [wish, setWish] = useState<TrialWish | null>(null);
  const trial = useQuery(trialQuery(venue, wish));
  const set = (change: Partial<TrialWish>): void => setDraft((known) => ({ ...known, ...change }));
  const submit = (): void => {
    if (draft.date === "" || draft.time === "") return;
    if (JSON.stringify(draft) === JSON.stringify(wish)) void trial.refetch();
    else setWish(draft);
  };
  return (
    <Form className="try-booking" onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text c="dimmed">{t("lead")}</Text>
        <Group grow align="end">
          <TextInput
            size="md"
            type="date"
            label={t("date")}
            value={draft.date}
            onChange={({ currentTarget: { value } }) => set({ date: value })}
          />
          <TimeField size="md" label={t("time")} value={draft.time} onTime={(time) => set({ time })} />
        </Group>
        <NumberField label={t("party")} min={1} max={PARTY_MAX} value={draft.party_size} onChange={(party_size) => set({ party_size })} />
        <Button type="submit" variant="default" size="md" disabled={draft.date === "" || draft.time === ""} loading={trial.isFetching}>
          {t("submit")}
        </Button>
        {wish !== null && trial.isPending && <Skeleton height={72} role="status" aria-label={tCommon("common.loading")} />}
        {trial.error && <ErrorAlert error={trial.error} />}
        {trial.data && <TrialResult venue={venue} zone={zone} trial={trial.data} />}
      </Stack>
    </Form>
  );
};

type TrialResultProps = { venue: string; zone: string; trial: BookingTrial };

/** Whether the guest would be asked for money, and the rule that decides it. */
const GuaranteeFacts = ({ venue, guarantee }: { venue: string; guarantee: BookingGuarantee }) => {
  const { t } = useTranslation("translation", { keyPrefix: "tryBooking.guarantee" });
  const { data: currency } = useQuery({ ...dayQuery(venue, ""), select: (day) => day.currency, refetchInterval: false });
  const { reason, asked, party_size_min, has_hours } = guarantee;
  if (reason !== "asked") return <li>{t(reason, { min: party_size_min ?? 1 })}</li>;
  if (asked === null || currency === undefined) return null;
  const [total, amount] = [formatMoney(asked.total_minor, currency), formatMoney(asked.amount_minor, currency)];
  return (
    <>
      <li>
        <b>{t(asked.type, { total })}</b> {t(asked.per_person ? "eachGuest" : "party", { amount })}
      </li>
      <li>{t(has_hours ? "askedHours" : "asked", { count: party_size_min ?? 1 })}</li>
    </>
  );
};

const TrialResult = ({ venue, zone, trial }: TrialResultProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "tryBooking" });
  const { data: tables = [] } = useQuery({ ...dayQuery(venue, ""), select: (day) => day.tables, refetchInterval: false });
  const { is_possible, is_unchecked, is_overbooked, ends_at, table_ids, guarantee, refusals } = trial;
  const names = table_ids.map((id) => tables.find((table) => table.id === id)?.name ?? `#${id}`).join(" + ");
  const until = ends_at === null ? "" : formatClock(ends_at, zone);
  return (
    <div className="trial" data-possible={is_possible} role="status">
      <p className="trial-answer">
        {is_possible ? <CheckIcon size={20} /> : <NoIcon size={20} />} {t(is_possible ? "yes" : "no")}
      </p>
      <ul className="trial-facts">
        {table_ids.length > 0 && <li>{t("tables", { count: table_ids.length, tables: names, until })}</li>}
        {is_possible && table_ids.length === 0 && <li>{t("until", { until })}</li>}
        {is_possible && is_unchecked && <li>{t("unchecked")}</li>}
        {is_overbooked && <li>{t("overbooked")}</li>}
        {guarantee && <GuaranteeFacts venue={venue} guarantee={guarantee} />}
        {refusals.map(({ field, reason, values }) => (
          <li key={`${field} ${reason}`}>{t(`reasons.${reason}`, values)}</li>
        ))}
      </ul>
    </div>
  );
};
