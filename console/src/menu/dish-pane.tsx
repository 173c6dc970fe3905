/** Search, filter and the list of dishes, with what can be done with those that are chosen. */
import type { MenuPlan } from "@comanda/contract/console/menu-editor.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import { Button, Group, NativeSelect, Text, TextInput } from "@mantine/core";
import type { TFunction } from "i18next";
import { useCallback, useMemo, useState } from "react";
import { EmptyState } from "../ui/empty-state.tsx";
import { DishesIcon, PlusIcon, SearchIcon } from "../ui/icons.tsx";
import { DishList } from "./dish-list.tsx";
import { DISH_FILTERS, type DishFilter, languagesOf, type MenuPlace, showDishes } from "./menu-view.ts";
import type { OpenMenuDialog } from "./open-dialog.ts";
import { PlaceHead } from "./place-head.tsx";
import type { MenuEditing } from "./use-menu-edit.ts";

type DishPaneProps = {
  t: TFunction;
  pick: (texts: Translations) => string;
  plan: MenuPlan;
  edit: MenuEditing;
  place: MenuPlace;
  onOpenDish: (key: string) => void;
  onOpen: (open: OpenMenuDialog) => void;
  onAdd: (list: "items" | "categories" | "menus") => void;
};

const useChosen = () => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const choose = useCallback((key: string, isChosen: boolean): void => {
    setChosen((known) => {
      const next = new Set(known);
      if (isChosen) next.add(key);
      else next.delete(key);
      return next;
    });
  }, []);
  return { chosen, choose, setChosen };
};

export const DishPane = (props: DishPaneProps) => {
  const { t, pick, plan, edit, place, onOpenDish, onOpen } = props;
  const [search, setSearch] = useState("");
  const [filter, setFilter] = useState<DishFilter>("all");
  const { chosen, choose, setChosen } = useChosen();
  const languages = useMemo(() => languagesOf(plan), [plan]);
  const groups = showDishes(edit.shown, { place, search, filter, languages });
  const shownKeys = groups.flatMap(({ dishes }) => dishes.flatMap(({ key, state }) => (state === "removed" ? [] : key)));
  const wanted = shownKeys.filter((key) => chosen.has(key));
  return (
    <>
      <div className="menu-tools">
        <TextInput
          className="grow"
          type="search"
          size="md"
          label={t("menuEditor.search")}
          leftSection={<SearchIcon size={18} />}
          maxLength={80}
          autoComplete="off"
          spellCheck={false}
          value={search}
          onChange={({ currentTarget: { value } }) => setSearch(value)}
        />
        <NativeSelect
          size="md"
          label={t("menuEditor.filter")}
          value={filter}
          data={DISH_FILTERS.map((value) => ({ value, label: t(`menuEditor.filters.${value}`) }))}
          onChange={({ currentTarget: { value } }) => setFilter(DISH_FILTERS.find((one) => one === value) ?? "all")}
        />
      </div>
      <PlaceHead t={t} pick={pick} edit={edit} place={place} onOpen={onOpen} />
      <DishActions {...props} />
      {shownKeys.length > 0 && (
        <Group gap="sm" className="menu-chosen">
          <label className="menu-check-all">
            <input
              type="checkbox"
              checked={wanted.length === shownKeys.length}
              onChange={({ currentTarget: { checked } }) => setChosen(new Set(checked ? shownKeys : []))}
            />
            {t("menuEditor.chooseAll", { count: shownKeys.length })}
          </label>
          {wanted.length > 0 && (
            <Button size="md" variant="default" onClick={() => onOpen({ tool: "prices", keys: wanted })}>
              {t("menuEditor.changePrices", { count: wanted.length })}
            </Button>
          )}
        </Group>
      )}
      <DishList
        t={t}
        pick={pick}
        groups={groups}
        edit={edit}
        currency={plan.currency}
        languages={languages}
        chosen={chosen}
        isMovable={place.kind === "category" && search.trim() === "" && filter === "all"}
        onChoose={choose}
        onOpen={onOpenDish}
      />
      {groups.length === 0 && edit.shown.items.length > 0 && (
        <Text c="dimmed" role="status">
          {search.trim() === "" ? t("menuEditor.none") : t("menuEditor.noneFound", { text: search.trim() })}
        </Text>
      )}
      {edit.shown.items.length === 0 && (
        <EmptyState icon={<DishesIcon size={28} />} title={t("menuEditor.emptyTitle")}>
          <Text c="dimmed" maw={520}>
            {t("menuEditor.emptyLead")}
          </Text>
        </EmptyState>
      )}
    </>
  );
};

/** A dish needs a category, a category a menu: what is missing first is offered. */
const DishActions = ({ t, edit, onAdd, onOpen }: DishPaneProps) => {
  const has = (list: "menus" | "categories"): boolean => edit.shown[list].some(({ state }) => state !== "removed");
  const next = !has("menus") ? "menus" : has("categories") ? "items" : "categories";
  const labels = { menus: t("menuEditor.addMenu"), categories: t("menuEditor.addCategory"), items: t("menuEditor.addDish") };
  return (
    <Group gap="sm" className="menu-actions">
      <Button size="md" leftSection={<PlusIcon size={18} />} onClick={() => onAdd(next)}>
        {labels[next]}
      </Button>
      {next === "items" && (
        <Button size="md" variant="default" onClick={() => onOpen({ tool: "paste" })}>
          {t("menuEditor.paste")}
        </Button>
      )}
    </Group>
  );
};
