/** Preview: what a guest sees on a date at a time of the venue's clock. */

import type { MenuPlan, MenuPreview } from "@comanda/contract/console/menu-editor.ts";
import { Group, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "#kit/api.ts";
import { dateAndTimeAt } from "#kit/dates.ts";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatMoney } from "#kit/number-format.ts";
import { TimeField } from "#kit/time-field.tsx";
import { formatDayAndClock } from "#kit/venue-time.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { hoursText } from "./hours-text.ts";
import { menuPlanQuery } from "./menu-plan-query.ts";
import { type PreviewCategory, type PreviewDish, type PreviewMenu, type PreviewPrice, previewRows } from "./preview-rows.ts";

type PreviewToolProps = { venue: string; plan: MenuPlan; unsaved: number };

export const PreviewTool = ({ venue, plan, unsaved }: PreviewToolProps) => {
  const { t } = useTranslation();
  const [moment, setMoment] = useState(() => dateAndTimeAt(Date.now(), plan.zone));
  const { date, time } = moment;
  const preview = useQuery({
    queryKey: [...menuPlanQuery(venue).queryKey, "preview", date, time],
    queryFn: async () => (await call("previewMenu", { params: { venue }, query: { date, time } })).data,
    enabled: date !== "" && time !== "",
    placeholderData: keepPreviousData,
  });
  return (
    <Stack gap="md" className="menu-form">
      <Text c="dimmed">{t("menuTools.previewLead")}</Text>
      <Group grow align="start">
        <TextInput
          data-autofocus
          type="date"
          size="md"
          label={t("menuTools.date")}
          value={date}
          onChange={({ currentTarget: { value } }) => setMoment({ ...moment, date: value })}
        />
        <TimeField size="md" label={t("menuTools.time")} value={time} onTime={(time) => setMoment({ ...moment, time })} />
      </Group>
      <Text size="sm" c="dimmed">
        {t("menuTools.clock", { zone: plan.zone })}
      </Text>
      {unsaved > 0 && <Text className="menu-note">{t("menuTools.unsaved", { count: unsaved })}</Text>}
      {preview.isLoading && <Skeleton height={240} radius="md" role="status" aria-label={t("common.loading")} />}
      {preview.error && <ErrorAlert error={preview.error} onRetry={() => void preview.refetch()} />}
      {preview.data && !preview.error && <PreviewedMenus plan={plan} preview={preview.data} />}
    </Stack>
  );
};

const PreviewedMenus = ({ plan, preview }: { plan: MenuPlan; preview: MenuPreview }) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const menus = previewRows(plan, preview);
  const hours = plan.happy_hours.filter(({ key }) => preview.happy_hours.includes(key)).map(({ value }) => pick(value.name));
  return (
    <>
      <div className="menu-moment" aria-live="polite">
        <b>{formatDayAndClock(preview.at, plan.zone)}</b>
        <span dir="auto">{hours.length > 0 ? t("menuTools.running", { names: hours.join(", ") }) : t("menuTools.noHappyHour")}</span>
      </div>
      {menus.length === 0 && <Text c="dimmed">{t("menuTools.nothing")}</Text>}
      {menus.map((menu) => (
        <PreviewedMenu key={menu.key} menu={menu} currency={plan.currency} />
      ))}
    </>
  );
};

const useReason = () => {
  const { t } = useTranslation();
  return ({ reason, value }: PreviewMenu | PreviewCategory): string =>
    reason === "hours" ? t("menuTools.reasons.hours", { hours: hoursText(t, value.hours) }) : t("menuTools.reasons.hidden");
};

const PreviewedMenu = ({ menu, currency }: { menu: PreviewMenu; currency: string }) => {
  const pick = useLocalizedName();
  const reasonOf = useReason();
  return (
    <section className="menu-previewed" data-off={menu.reason === null ? undefined : ""}>
      <h3 dir="auto">{pick(menu.value.name)}</h3>
      {menu.reason !== null && <p className="menu-reason">{reasonOf(menu)}</p>}
      {menu.reason === null &&
        menu.categories.map((category) => (
          <section key={category.key}>
            <h4 dir="auto">{pick(category.value.name)}</h4>
            {category.reason === null ? (
              <ul className="menu-previewed-dishes">
                {category.dishes.map((dish) => (
                  <PreviewedDish key={dish.key} dish={dish} currency={currency} />
                ))}
              </ul>
            ) : (
              <p className="menu-reason">{reasonOf(category)}</p>
            )}
          </section>
        ))}
    </section>
  );
};

const PreviewedDish = ({ dish: { value, prices, reason }, currency }: { dish: PreviewDish; currency: string }) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  return (
    <li data-off={reason === null ? undefined : ""}>
      <span className="grow" dir="auto">
        {pick(value.name)}
        {reason !== null && <span className="menu-reason">{t(`menuTools.reasons.${reason}`)}</span>}
      </span>
      {reason !== "offline" && (
        <span className="menu-previewed-prices">
          {prices.map((price, at) => (
            <PreviewedPrice
              // biome-ignore lint/suspicious/noArrayIndexKey: sizes keep their places, and have no state.
              key={at}
              price={price}
              currency={currency}
            />
          ))}
        </span>
      )}
    </li>
  );
};

const PreviewedPrice = ({ price: { size, listMinor, minor }, currency }: { price: PreviewPrice; currency: string }) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  return (
    <span>
      {size && <bdi>{pick(size)} </bdi>}
      <b className="figures">{formatMoney(minor, currency)}</b>
      {minor !== listMinor && <span className="menu-detail"> {t("menuTools.insteadOf", { price: formatMoney(listMinor, currency) })}</span>}
    </span>
  );
};
