/** New prices of the chosen dishes, and the moment at which they begin. */

import type { MenuPlan, PlanItem } from "@comanda/contract/console/menu-editor.ts";
import type { Minor } from "@comanda/contract/minor.ts";
import { Button, Group, Text, TextInput } from "@mantine/core";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { useWrite } from "../kit/write.ts";
import { useErrorTranslation } from "../texts/server-texts.ts";
import { fieldErrors } from "../ui/error-text.ts";
import { useLocalizedName } from "../ui/localized-name.ts";
import { formatMoney } from "../ui/number-format.ts";
import { useToast } from "../ui/toast.ts";
import { formatDayAndClock } from "../ui/venue-time.ts";
import { plannedPricesQuery } from "./planned-query.ts";
import { PriceField } from "./price-field.tsx";
import { venueMoment } from "./venue-moment.ts";

/** Before the restaurant opens, and after it has closed. */
const FIRST_TIME = "05:00";
const DAY_MS = 24 * 60 * 60 * 1000;

type PlanPricesFormProps = { venue: string; plan: MenuPlan; items: readonly PlanItem[] };
type NewPrice = { id: string; item: string; variant: string | null; name: string; minor: Minor };

const usePrices = (items: readonly PlanItem[]): NewPrice[] => {
  const pick = useLocalizedName();
  return items.flatMap(({ key, value }) => {
    const one = (variant: string | null, name: string, minor: Minor): NewPrice => ({
      id: `${key} ${variant ?? ""}`,
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

export const PlanPricesForm = ({ venue, plan, items }: PlanPricesFormProps) => {
  const { t } = useTranslation();
  const toast = useToast();
  const translate = useErrorTranslation();
  const prices = usePrices(items);
  const { write, isPending, error } = useWrite<"schedulePrices">({
    readAgain: [plannedPricesQuery(venue).queryKey],
    onDone: ({ data: { planned, starts_at } }) => {
      setEntered(new Map());
      toast.done(t("menuTools.madePlan", { count: planned, moment: formatDayAndClock(starts_at, plan.zone) }));
    },
    onRefused: (refused) => !hasMomentError(refused) && toast.refusal(refused),
  });
  const [moment, setMoment] = useState(() => ({ date: venueMoment(Date.now() + DAY_MS, plan.zone).date, time: FIRST_TIME }));
  const [entered, setEntered] = useState<ReadonlyMap<string, Minor>>(new Map());
  const { wrong, markWrong } = useWrongFields();
  const wanted = prices.flatMap(({ id, item, variant, minor }) => {
    const price_minor = entered.get(id);
    return price_minor === undefined || price_minor === minor ? [] : [{ item, variant, price_minor }];
  });
  const errors = fieldErrors(error);
  const send = (): void => write({ id: "schedulePrices", params: { venue }, body: { prices: wanted, ...moment } });
  const errorOf = (field: "date" | "time") => (errors[field] === undefined ? null : translate(errors[field]));
  return (
    <>
      <ul className="menu-planned-rows">
        {prices.map(({ id, name, minor }) => (
          <li key={id}>
            <span className="grow" dir="auto">
              {name}
            </span>
            <span className="menu-was figures">{formatMoney(minor, plan.currency)}</span>
            <PriceField
              id={`plan-${id}`}
              label={t("menuTools.newPriceOf", { name })}
              currency={plan.currency}
              wrongText={t("menuEditor.priceWrong")}
              minor={entered.get(id) ?? minor}
              onPrice={(price) => setEntered((known) => new Map([...known, [id, price]]))}
              onWrong={markWrong}
            />
          </li>
        ))}
      </ul>
      <Group grow align="start">
        <TextInput
          type="date"
          size="md"
          label={t("menuTools.date")}
          value={moment.date}
          error={errorOf("date")}
          onChange={({ currentTarget: { value } }) => setMoment({ ...moment, date: value })}
        />
        <TextInput
          type="time"
          size="md"
          label={t("menuTools.time")}
          value={moment.time}
          error={errorOf("time")}
          onChange={({ currentTarget: { value } }) => setMoment({ ...moment, time: value })}
        />
      </Group>
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
