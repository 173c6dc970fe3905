/** Menus and their categories, at the side; on a phone a select. */

import type { Translations } from "@comanda/contract/shared.ts";
import { NativeSelect } from "@mantine/core";
import type { TFunction } from "i18next";
import { PlusIcon, WarningIcon } from "../ui/icons.tsx";
import { formatCount } from "../ui/number-format.ts";
import { subjectName } from "./menu-body.ts";
import { type MenuPlace, readPlace, writePlace } from "./menu-view.ts";
import type { MenuEditing } from "./use-menu-edit.ts";

type MenuTreeProps = {
  t: TFunction;
  pick: (texts: Translations) => string;
  edit: MenuEditing;
  place: MenuPlace;
  onPlace: (place: MenuPlace) => void;
  onAdd: (list: "menus" | "categories") => void;
};

type TreeRow = {
  place: MenuPlace;
  label: string;
  count: number | null;
  depth: 0 | 1;
  isHidden: boolean;
  isRemoved: boolean;
  isWrong: boolean;
};

const rowsOfTree = ({ t, pick, edit }: Pick<MenuTreeProps, "t" | "pick" | "edit">): TreeRow[] => {
  const { menus, categories, items, modifier_groups, happy_hours } = edit.shown;
  const counts = new Map<string, number>();
  for (const { value, state } of items) if (state !== "removed") counts.set(value.category, (counts.get(value.category) ?? 0) + 1);
  const plain = { depth: 0, isHidden: false, isRemoved: false, isWrong: false } as const;
  const isWrong = (list: "menus" | "categories", key: string): boolean =>
    edit.gaps.has(subjectName(list, key)) || edit.faults.bySubject.has(subjectName(list, key));
  const subjects = menus.flatMap((menu): TreeRow[] => [
    {
      place: { kind: "menu", key: menu.key },
      label: pick(menu.value.name) || t("menuEditor.unnamed"),
      count: null,
      depth: 0,
      isHidden: !menu.value.is_active,
      isRemoved: menu.state === "removed",
      isWrong: isWrong("menus", menu.key),
    },
    ...categories
      .filter(({ value }) => value.menu === menu.key)
      .map(
        ({ key, value, state }): TreeRow => ({
          place: { kind: "category", key },
          label: pick(value.name) || t("menuEditor.unnamed"),
          count: counts.get(key) ?? 0,
          depth: 1,
          isHidden: !value.is_active,
          isRemoved: state === "removed",
          isWrong: isWrong("categories", key),
        }),
      ),
  ]);
  return [
    { ...plain, place: { kind: "all" }, label: t("menuEditor.all"), count: items.filter(({ state }) => state !== "removed").length },
    ...subjects,
    { ...plain, place: { kind: "groups" }, label: t("menuEditor.groups"), count: modifier_groups.length },
    { ...plain, place: { kind: "hours" }, label: t("menuEditor.happyHours"), count: happy_hours.length },
  ];
};

export const MenuTree = ({ t, pick, edit, place, onPlace, onAdd }: MenuTreeProps) => {
  const rows = rowsOfTree({ t, pick, edit });
  const present = writePlace(place);
  return (
    <nav className="menu-tree" aria-label={t("menuEditor.tree")}>
      <NativeSelect
        className="menu-tree-select"
        size="md"
        label={t("menuEditor.show")}
        value={present}
        data={rows.map((row) => ({ value: writePlace(row.place), label: row.depth === 1 ? `– ${row.label}` : row.label }))}
        onChange={({ currentTarget: { value } }) => onPlace(readPlace(value))}
      />
      <ul className="sheet menu-tree-list">
        {rows.map((row) => {
          const value = writePlace(row.place);
          return (
            <li key={value}>
              <button
                type="button"
                className="menu-tree-row"
                data-depth={row.depth}
                aria-current={value === present ? "true" : undefined}
                onClick={() => onPlace(row.place)}
              >
                {row.isWrong && <WarningIcon size={16} />}
                <span className="grow" dir="auto">
                  {row.isRemoved ? <s>{row.label}</s> : row.label}
                </span>
                {row.isHidden && <span className="menu-mark">{t("menuEditor.marks.hidden")}</span>}
                {row.count !== null && <span className="menu-count figures">{formatCount(row.count)}</span>}
              </button>
            </li>
          );
        })}
      </ul>
      <span className="menu-tree-adds">
        <button type="button" className="menu-button" onClick={() => onAdd("categories")} disabled={edit.shown.menus.length === 0}>
          <PlusIcon size={18} /> {t("menuEditor.addCategory")}
        </button>
        <button type="button" className="menu-button" onClick={() => onAdd("menus")}>
          <PlusIcon size={18} /> {t("menuEditor.addMenu")}
        </button>
      </span>
    </nav>
  );
};
