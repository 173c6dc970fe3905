/** Menu today: staff sell a dish out in two taps, on a phone in one hand. */
import "./menu-today.css";
import type { MenuToday } from "@comanda/contract/console/menu-today.ts";
import { SegmentedControl, Skeleton, Stack, Text, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "#kit/empty-state.tsx";
import { DishesIcon, SearchIcon } from "#kit/icons.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatCount } from "#kit/number-format.ts";
import { usePageTitle } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { NotCurrentBar } from "#shell/pulse.tsx";
import { useVenue } from "#shell/venue.ts";
import { DishRow, type TodayClock } from "./dish-row.tsx";
import { countSoldOut, MENU_VIEWS, type MenuView, type ShownMenu, showMenu } from "./menu-filter.ts";
import { menuTodayQuery } from "./menu-today-query.ts";
import { OptionRow } from "./option-row.tsx";
import { formatEnd } from "./state-text.ts";
import { enMenuToday } from "./texts.en.ts";

addEnglishTexts(enMenuToday);

export const MenuTodayPage = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  usePageTitle(t("menuToday.title"));
  const menu = useQuery(menuTodayQuery(venue));
  return (
    <div className="today-page">
      <NotCurrentBar queryKey={menuTodayQuery(venue).queryKey} zone={menu.data?.zone} />
      <div className="today">
        <Title order={1}>{t("menuToday.title")}</Title>
        {menu.data ? (
          <MenuOfVenue key={venue} venue={venue} menu={menu.data} />
        ) : menu.error ? (
          <ErrorAlert error={menu.error} onRetry={() => void menu.refetch()} />
        ) : (
          <Stack role="status" aria-label={t("common.loading")}>
            <Skeleton height={56} />
            <Skeleton height={420} radius="lg" />
          </Stack>
        )}
      </div>
    </div>
  );
};

const MenuOfVenue = ({ venue, menu }: { venue: string; menu: MenuToday }) => {
  const { t } = useTranslation();
  const [view, setView] = useState<MenuView>("dishes");
  const [search, setSearch] = useState("");
  const shown = useMemo(() => showMenu(menu, view, search), [menu, view, search]);
  const clock = { zone: menu.zone, endsAt: menu.today_ends_at };
  if (menu.dishes.length === 0)
    return (
      <EmptyState icon={<DishesIcon size={28} />} title={t("menuToday.emptyTitle")}>
        <Text c="dimmed">{t("menuToday.emptyLead")}</Text>
      </EmptyState>
    );
  const count = countSoldOut(menu);
  const labelOf = (name: MenuView): string =>
    name === "sold_out" && count > 0 ? `${t("menuToday.views.sold_out")} (${formatCount(count)})` : t(`menuToday.views.${name}`);
  return (
    <>
      <div className="today-head">
        <TextInput
          className="today-search"
          type="search"
          aria-label={t("menuToday.search")}
          placeholder={t("menuToday.search")}
          leftSection={<SearchIcon size={18} />}
          maxLength={80}
          autoComplete="off"
          spellCheck={false}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {search.trim() === "" && (
          <SegmentedControl
            className="today-views"
            fullWidth
            aria-label={t("menuToday.viewsLabel")}
            value={view}
            onChange={(chosen) => setView(chosen as MenuView)}
            data={MENU_VIEWS.map((name) => ({ value: name, label: labelOf(name) }))}
          />
        )}
      </div>
      <ShownRows venue={venue} shown={shown} clock={clock} />
      <NothingShown shown={shown} view={view} search={search} />
      <Text size="sm" c="dimmed">
        {t("menuToday.clock", { zone: menu.zone.replaceAll("_", " "), time: formatEnd(menu.today_ends_at, menu.zone) })}
      </Text>
    </>
  );
};

const NothingShown = ({ shown, view, search }: { shown: ShownMenu; view: MenuView; search: string }) => {
  const { t } = useTranslation();
  const isEmpty = shown.groups.length + shown.options.length === 0;
  const reason = search.trim() === "" ? (view === "options" ? "menuToday.noOptions" : "menuToday.noneSoldOut") : "menuToday.noneFound";
  return (
    <Text role="status" c="dimmed" className={isEmpty ? "today-none" : "today-quiet"}>
      {isEmpty ? t(reason, { text: search.trim() }) : ""}
    </Text>
  );
};

/** One row is open at a time. */
const ShownRows = ({ venue, shown, clock }: { venue: string; shown: ShownMenu; clock: TodayClock }) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const [openId, setOpenId] = useState<string | null>(null);
  const openingOf = (id: string) => ({ isOpen: openId === id, onOpen: (isOpen: boolean) => setOpenId(isOpen ? id : null) });
  return (
    <>
      {shown.groups.map(({ category, dishes }) => (
        <section key={category.id} className="today-group" aria-labelledby={`category-${category.id}`}>
          <h2 id={`category-${category.id}`} className="today-category">
            <bdi>{pick(category.name)}</bdi> <small dir="auto">{pick(category.menu_name)}</small>
          </h2>
          <ul className="sheet today-rows">
            {dishes.map((dish) => (
              <DishRow key={dish.id} dish={dish} venue={venue} clock={clock} {...openingOf(`dish-${dish.id}`)} />
            ))}
          </ul>
        </section>
      ))}
      {shown.options.length > 0 && (
        <section className="today-group" aria-labelledby="options">
          <h2 id="options" className="today-category">
            {t("menuToday.views.options")}
          </h2>
          <ul className="sheet today-rows">
            {shown.options.map((option) => (
              <OptionRow key={option.id} option={option} venue={venue} clock={clock} {...openingOf(`option-${option.id}`)} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
};
