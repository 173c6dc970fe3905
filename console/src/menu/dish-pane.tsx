/** Search, filter and the list of dishes, with what can be done with those that are chosen. */
import type { MenuPlan } from "@comanda/contract/console/menu-editor.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import { Button, Group, Text, TextInput } from "@mantine/core";
import type { TFunction } from "i18next";
import { memo, useCallback, useMemo, useState } from "react";
import { EmptyState } from "#kit/empty-state.tsx";
import { DishesIcon, PlusIcon, SearchIcon } from "#kit/icons.tsx";
import { formatCount } from "#kit/number-format.ts";
import { DishList } from "./dish-list.tsx";
import type { OpenMenuDialog } from "./menu-view.ts";
import { countLacks, DISH_LACKS, type DishLack, languagesOf, type MenuPlace, showDishes } from "./menu-view.ts";
import type { PastedColumn } from "./paste-column.ts";
import { PastedNote } from "./pasted-note.tsx";
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

/** Drawn again when the list it gets differs, not with every key: the page passes a list that may be a moment old. */
export const DishPane = memo((props: DishPaneProps) => {
  const { t, pick, plan, edit, place, onOpenDish, onOpen } = props;
  const [search, setSearch] = useState("");
  const [lack, setLack] = useState<DishLack | null>(null);
  const [pasted, setPasted] = useState<PastedColumn | null>(null);
  const { chosen, choose, setChosen } = useChosen();
  const languages = useMemo(() => languagesOf(plan), [plan]);
  const groups = showDishes(edit.shown, { place, search, lack, languages });
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
      </div>
      <LackChips t={t} edit={edit} place={place} languages={languages} lack={lack} onLack={setLack} />
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
            <>
              <Button size="md" variant="default" onClick={() => onOpen({ tool: "prices", keys: wanted })}>
                {t("menuEditor.changePrices", { count: wanted.length })}
              </Button>
              <Button size="md" variant="default" onClick={() => onOpen({ tool: "planned", keys: wanted })}>
                {t("menuEditor.planPrices", { count: wanted.length })}
              </Button>
            </>
          )}
        </Group>
      )}
      {pasted && <PastedNote pasted={pasted} done={t("menuEditor.pasted", { count: pasted.prices.length })} />}
      <DishList
        t={t}
        pick={pick}
        groups={groups}
        edit={edit}
        currency={plan.currency}
        languages={languages}
        chosen={chosen}
        isMovable={place.kind === "category" && search.trim() === "" && lack === null}
        onChoose={choose}
        onOpen={onOpenDish}
        onPasted={setPasted}
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
});

type LackChipsProps = {
  t: TFunction;
  edit: MenuEditing;
  place: MenuPlace;
  languages: readonly string[];
  lack: DishLack | null;
  onLack: (lack: DishLack | null) => void;
};

/** What is missing, with its number; one that is chosen shows only those dishes, also when their number has become 0. */
const LackChips = ({ t, edit, place, languages, lack, onLack }: LackChipsProps) => {
  const counts = countLacks(edit.shown, place, languages);
  const shown = DISH_LACKS.filter((one) => counts[one] > 0 || one === lack);
  if (shown.length === 0) return null;
  return (
    <fieldset className="menu-lacks" aria-label={t("menuEditor.filter")}>
      {shown.map((one) => (
        <button
          key={one}
          type="button"
          className="menu-button"
          aria-pressed={lack === one}
          onClick={() => onLack(lack === one ? null : one)}
        >
          {t(`menuEditor.filters.${one}`)} <span className="menu-count figures">{formatCount(counts[one])}</span>
        </button>
      ))}
    </fieldset>
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
