/** Menus and their categories, at the side; on a phone a select. */

import type { Translations } from "@comanda/contract/shared.ts";
import { NativeSelect } from "@mantine/core";
import type { TFunction } from "i18next";
import { type KeyboardEvent, memo, useRef } from "react";
import { PlusIcon, WarningIcon } from "#kit/icons.tsx";
import { formatCount } from "#kit/number-format.ts";
import { Grip } from "./dish-line.tsx";
import { subjectName } from "./menu-body.ts";
import { orderName } from "./menu-draft.ts";
import { moveSubject } from "./menu-order.ts";
import { type MenuPlace, readPlace, writePlace } from "./menu-view.ts";
import { useOrderDrag } from "./use-list-drag.ts";
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
  /** The places to which it can be moved. Null: it has one place. */
  moves: { list: "menus" | "categories"; parent: string | null; key: string } | null;
};

const rowsOfTree = ({ t, pick, edit }: Pick<MenuTreeProps, "t" | "pick" | "edit">): TreeRow[] => {
  const { menus, categories, items, modifier_groups, happy_hours } = edit.shown;
  const counts = new Map<string, number>();
  for (const { value, state } of items) if (state !== "removed") counts.set(value.category, (counts.get(value.category) ?? 0) + 1);
  const plain = { depth: 0, isHidden: false, isRemoved: false, isWrong: false, moves: null } as const;
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
      moves: menu.state === "removed" ? null : { list: "menus", parent: null, key: menu.key },
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
          moves: state === "removed" ? null : { list: "categories", parent: menu.key, key },
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

/** Alt and an arrow move the menu or category, as they move a dish. */
const onMoveKey = (event: KeyboardEvent<HTMLElement>, { moves }: TreeRow, change: MenuEditing["change"]): void => {
  if (!moves || !event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
  event.preventDefault();
  const { id } = event.currentTarget;
  change((draft, plan) => moveSubject(draft, plan, { ...moves, by: event.key === "ArrowUp" ? -1 : 1 }));
  // A moved element loses the focus in some browsers.
  setTimeout(() => document.getElementById(id)?.focus());
};

export const MenuTree = memo(({ t, pick, edit, place, onPlace, onAdd }: MenuTreeProps) => {
  const rows = rowsOfTree({ t, pick, edit });
  const list = useRef<HTMLUListElement>(null);
  const drag = useOrderDrag(list, edit.change);
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
      <ul ref={list} className="sheet menu-tree-list" {...drag}>
        {rows.map((row) => {
          const value = writePlace(row.place);
          return (
            <li
              key={value}
              className="menu-tree-item"
              data-drag-key={row.moves?.key}
              data-drag-list={row.moves ? orderName(row.moves.list, row.moves.parent) : undefined}
            >
              <button
                type="button"
                id={`menu-tree-${value.replace(" ", "-")}`}
                className="menu-tree-row"
                data-depth={row.depth}
                aria-current={value === present ? "true" : undefined}
                onClick={() => onPlace(row.place)}
                onKeyDown={(event) => onMoveKey(event, row, edit.change)}
              >
                {row.isWrong && <WarningIcon size={16} />}
                <span className="grow" dir="auto">
                  {row.isRemoved ? <s>{row.label}</s> : row.label}
                </span>
                {row.isHidden && <span className="menu-mark">{t("menuEditor.marks.hidden")}</span>}
                {row.count !== null && <span className="menu-count figures">{formatCount(row.count)}</span>}
              </button>
              {row.moves && <Grip />}
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
});
