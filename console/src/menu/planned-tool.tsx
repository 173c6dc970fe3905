/** Planned prices: those of the chosen dishes are planned for a moment, those that are planned are listed and taken back. */

import type { MenuPlan, ScheduledPrice } from "@comanda/contract/console/menu-editor.ts";
import type { Minor } from "@comanda/contract/minor.ts";
import { Button, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { dateAndTimeAt } from "#kit/dates.ts";
import { EmptyState } from "#kit/empty-state.tsx";
import { CalendarIcon, UndoIcon } from "#kit/icons.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatMoney } from "#kit/number-format.ts";
import { useToast } from "#kit/toast.ts";
import { formatDayAndClock } from "#kit/venue-time.ts";
import { useWrite } from "#kit/write.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { plannedPricesQuery } from "./menu-plan-query.ts";
import { PlanPricesForm } from "./plan-prices-form.tsx";

type PlannedToolProps = { venue: string; plan: MenuPlan; keys: readonly string[] };

export const PlannedTool = ({ venue, plan, keys }: PlannedToolProps) => {
  const { t } = useTranslation();
  const planned = useQuery(plannedPricesQuery(venue));
  const items = plan.items.filter(({ key }) => keys.includes(key));
  return (
    <Stack gap="md" className="menu-form">
      <Text c="dimmed">
        {t("menuTools.planLead")} {t("menuTools.clock", { zone: plan.zone })}
      </Text>
      {items.length > 0 ? <PlanPricesForm venue={venue} plan={plan} items={items} /> : <Text>{t("menuTools.planHint")}</Text>}
      {planned.isPending && <Skeleton height={160} radius="md" role="status" aria-label={t("common.loading")} />}
      {planned.error && !planned.data && <ErrorAlert error={planned.error} onRetry={() => void planned.refetch()} />}
      {planned.data?.length === 0 && (
        <EmptyState icon={<CalendarIcon size={28} />} title={t("menuTools.noneTitle")}>
          {null}
        </EmptyState>
      )}
      {planned.data && <PlannedList venue={venue} plan={plan} prices={planned.data} />}
    </Stack>
  );
};

const useNames = (plan: MenuPlan) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  return ({ item, variant }: { item: string; variant: string | null }): { name: string; minor: Minor | null } => {
    const value = plan.items.find(({ key }) => key === item)?.value;
    const size = value?.variants.find(({ key }) => key === variant);
    if (!value) return { name: t("menuTools.gone"), minor: null };
    return size
      ? { name: `${pick(value.name)}, ${pick(size.name)}`, minor: size.price_minor }
      : { name: pick(value.name), minor: value.price_minor };
  };
};

type PlannedListProps = { venue: string; plan: MenuPlan; prices: readonly ScheduledPrice[] };

/** What was taken back can be planned again by one tap. */
const PlannedList = ({ venue, plan, prices }: PlannedListProps) => {
  const { t } = useTranslation();
  const toast = useToast();
  const nameOf = useNames(plan);
  // One for both: an answer to one ends what was not answered of the other.
  const { write, isPending } = useWrite<"cancelScheduledPrices" | "schedulePrices">({ readAgain: [plannedPricesQuery(venue).queryKey] });
  const [taken, setTaken] = useState<ScheduledPrice | null>(null);
  const takeBack = (price: ScheduledPrice): void =>
    write({ id: "cancelScheduledPrices", params: { venue }, body: { ids: [price.id] } }, ({ data }) =>
      "cancelled" in data && data.cancelled > 0 ? setTaken(price) : toast.note(t("menuTools.alreadyBegun")),
    );
  const planAgain = ({ item, variant, price_minor, starts_at }: ScheduledPrice): void => {
    const moment = dateAndTimeAt(new Date(starts_at).getTime(), plan.zone);
    const body = { prices: [{ item, variant, price_minor }], ...moment };
    write({ id: "schedulePrices", params: { venue }, body }, () => setTaken(null));
  };
  return (
    <>
      {taken && (
        <div className="menu-note" role="status">
          <span className="grow" dir="auto">
            {t("menuTools.tookBack", { name: nameOf(taken).name })}
          </span>
          <Button variant="default" size="md" loading={isPending} leftSection={<UndoIcon size={18} />} onClick={() => planAgain(taken)}>
            {t("undo.undo")}
          </Button>
        </div>
      )}
      {[...Map.groupBy(prices, ({ starts_at }) => starts_at)].map(([at, group]) => (
        <section key={at} className="menu-planned">
          <h3>{t("menuTools.startsAt", { moment: formatDayAndClock(at, plan.zone) })}</h3>
          <ul className="menu-planned-rows">
            {group.map((price) => (
              <PlannedRow
                key={price.id}
                price={price}
                {...nameOf(price)}
                currency={plan.currency}
                isPending={isPending}
                onTakeBack={() => takeBack(price)}
              />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
};

type PlannedRowProps = {
  price: ScheduledPrice;
  name: string;
  minor: Minor | null;
  currency: string;
  isPending: boolean;
  onTakeBack: () => void;
};

const PlannedRow = ({ price, name, minor, currency, isPending, onTakeBack }: PlannedRowProps) => {
  const { t } = useTranslation();
  return (
    <li>
      <span className="grow">
        <b dir="auto">{name}</b>
        <span className="menu-detail">
          {minor !== null && (
            <>
              <s className="figures">{formatMoney(minor, currency)}</s>{" "}
            </>
          )}
          <b className="figures">{formatMoney(price.price_minor, currency)}</b> ·{" "}
          <bdi>{t("menuTools.byWhom", { who: price.planned_by })}</bdi>
        </span>
      </span>
      <button
        type="button"
        className="menu-button"
        aria-label={t("menuTools.takeBackOf", { name })}
        disabled={isPending}
        onClick={onTakeBack}
      >
        {t("menuTools.takeBack")}
      </button>
    </li>
  );
};
