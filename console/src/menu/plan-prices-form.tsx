/** New prices of the chosen dishes, and the moment at which they begin. */

import type { MenuPlan, PlanItem } from "@comanda/contract/console/menu-editor.ts";
import type { Minor } from "@comanda/contract/minor.ts";
import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { type ClipboardEvent, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { DAY_MS, dateAndTimeAt } from "#kit/dates.ts";
import { fieldErrors } from "#kit/error-text.ts";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatMoney } from "#kit/number-format.ts";
import { useErrorTranslation } from "#kit/server-texts.ts";
import { TimeField } from "#kit/time-field.tsx";
import { useToast } from "#kit/toast.ts";
import { formatDayAndClock } from "#kit/venue-time.ts";
import { useWrite } from "#kit/write.ts";
import { plannedPricesQuery } from "./menu-plan-query.ts";
import { type PastedColumn, readColumn } from "./paste-column.ts";
import { PastedNote } from "./pasted-note.tsx";
import { changedPrice } from "./price-change.ts";
import { PriceField } from "./price-field.tsx";
import { usePriceRule } from "./price-rule.tsx";

/** Before the restaurant opens, and after it has closed. */
const FIRST_TIME = "05:00";

type PlanPricesFormProps = { venue: string; plan: MenuPlan; items: readonly PlanItem[] };
type NewPrice = { id: string; item: string; variant: string | null; name: string; minor: Minor };

const usePrices = (items: readonly PlanItem[]): NewPrice[] => {
  const pick = useLocalizedName();
  return items.flatMap(({ key, value }) => {
    const one = (variant: string | null, name: string, minor: Minor): NewPrice => ({
      id: priceId(key, variant),
      item: key,
      variant,
      name,
      minor,
    });
    if (value.variants.length === 0) return value.price_minor === null ? [] : [one(null, pick(value.name), value.price_minor)];
    return value.variants.map((size) => one(size.key, `${pick(value.name)}, ${pick(size.name)}`, size.price_minor));
  });
};

/** Said at the field. */
const hasMomentError = (error: unknown): boolean => ["date", "time"].some((field) => field in fieldErrors(error));

/** Fields whose text is no price. */
const useWrongFields = () => {
  const [wrong, setWrong] = useState<ReadonlySet<string>>(new Set());
  const markWrong = useCallback((id: string, isWrong: boolean): void => {
    setWrong((known) => new Set(isWrong ? [...known, id] : [...known].filter((one) => one !== id)));
  }, []);
  return { wrong, markWrong };
};

type FillProps = { prices: readonly NewPrice[]; currency: string; onFill: (filled: readonly (readonly [string, Minor])[]) => void };

/** All of them at once, by per cent or by an amount. */
const FillAll = ({ prices, currency, onFill }: FillProps) => {
  const { t } = useTranslation();
  const { rule, isReady, fields } = usePriceRule(currency);
  return (
    <details className="menu-fill">
      <summary>{t("menuTools.fill")}</summary>
      <Stack gap="md">
        {fields}
        <Button
          size="md"
          variant="default"
          disabled={!isReady}
          onClick={() => onFill(prices.map(({ id, minor }) => [id, changedPrice(minor, rule)]))}
        >
          {t("menuTools.fillAll", { count: prices.length })}
        </Button>
      </Stack>
    </details>
  );
};

/** A pasted column fills the fields from the focused one on. */
const columnOf = (event: ClipboardEvent<HTMLElement>, prices: readonly NewPrice[], currency: string): PastedColumn | null => {
  const field = event.target;
  const text = event.clipboardData.getData("text");
  if (!(field instanceof HTMLInputElement) || !/\n./.test(text)) return null;
  event.preventDefault();
  // What was typed into the field before gives way to the pasted price.
  field.blur();
  const cells = prices.slice(
    Math.max(
      0,
      prices.findIndex(({ id }) => fieldIdOf(id) === field.id),
    ),
  );
  return readColumn(
    text,
    cells.map(({ item, variant }) => ({ key: item, size: variant })),
    currency,
  );
};

const priceId = (item: string, variant: string | null): string => `${item} ${variant ?? ""}`;
const fieldIdOf = (id: string): string => `plan-${id}`;

type PlannedMoment = { date: string; time: string };
type MomentFieldsProps = { moment: PlannedMoment; error: unknown; onChange: (moment: PlannedMoment) => void };

const MomentFields = ({ moment, error, onChange }: MomentFieldsProps) => {
  const { t } = useTranslation();
  const translate = useErrorTranslation();
  const errors = fieldErrors(error);
  const errorOf = (field: "date" | "time") => (errors[field] === undefined ? null : translate(errors[field]));
  return (
    <Group grow align="start">
      <TextInput
        type="date"
        size="md"
        label={t("menuTools.date")}
        value={moment.date}
        error={errorOf("date")}
        onChange={({ currentTarget: { value } }) => onChange({ ...moment, date: value })}
      />
      <TimeField
        size="md"
        label={t("menuTools.time")}
        value={moment.time}
        error={errorOf("time")}
        onTime={(time) => onChange({ ...moment, time })}
      />
    </Group>
  );
};

export const PlanPricesForm = ({ venue, plan, items }: PlanPricesFormProps) => {
  const { t } = useTranslation();
  const toast = useToast();
  const prices = usePrices(items);
  const { write, isPending, error } = useWrite<"schedulePrices">({
    readAgain: [plannedPricesQuery(venue).queryKey],
    onDone: ({ data: { planned, starts_at } }) => {
      setEntered(new Map());
      setPasted(null);
      toast.done(t("menuTools.madePlan", { count: planned, moment: formatDayAndClock(starts_at, plan.zone) }));
    },
    onRefused: (refused) => !hasMomentError(refused) && toast.refusal(refused),
  });
  const [moment, setMoment] = useState(() => ({ date: dateAndTimeAt(Date.now() + DAY_MS, plan.zone).date, time: FIRST_TIME }));
  const [entered, setEntered] = useState<ReadonlyMap<string, Minor>>(new Map());
  const { wrong, markWrong } = useWrongFields();
  const [pasted, setPasted] = useState<PastedColumn | null>(null);
  const fill = (filled: readonly (readonly [string, Minor])[]): void => setEntered((known) => new Map([...known, ...filled]));
  const paste = (event: ClipboardEvent<HTMLElement>): void => {
    const column = columnOf(event, prices, plan.currency);
    if (!column) return;
    setPasted(column);
    fill(column.prices.map(({ key, size, minor }) => [priceId(key, size), minor]));
  };
  const wanted = prices.flatMap(({ id, item, variant, minor }) => {
    const price_minor = entered.get(id);
    return price_minor === undefined || price_minor === minor ? [] : [{ item, variant, price_minor }];
  });
  const send = (): void => write({ id: "schedulePrices", params: { venue }, body: { prices: wanted, ...moment } });
  return (
    <>
      <Text size="sm" c="dimmed">
        {t("menuTools.planPaste")}
      </Text>
      {prices.length > 1 && <FillAll prices={prices} currency={plan.currency} onFill={fill} />}
      {pasted && <PastedNote pasted={pasted} done={t("menuTools.filled", { count: pasted.prices.length })} />}
      <ul className="menu-planned-rows" onPaste={paste}>
        {prices.map(({ id, name, minor }) => (
          <li key={id}>
            <span className="grow" dir="auto">
              {name}
            </span>
            <span className="menu-was figures">{formatMoney(minor, plan.currency)}</span>
            <PriceField
              id={fieldIdOf(id)}
              label={t("menuTools.newPriceOf", { name })}
              currency={plan.currency}
              wrongText={t("menuEditor.priceWrong")}
              minor={entered.get(id) ?? minor}
              onPrice={(price) => fill([[id, price]])}
              onWrong={markWrong}
            />
          </li>
        ))}
      </ul>
      <MomentFields moment={moment} error={error} onChange={setMoment} />
      <Button
        size="md"
        disabled={wanted.length === 0 || wrong.size > 0 || moment.date === "" || moment.time === ""}
        loading={isPending}
        onClick={send}
      >
        {t("menuTools.plan", { count: wanted.length })}
      </Button>
      <Text fw={600} component="h3">
        {t("menuTools.planned")}
      </Text>
    </>
  );
};
