/** The dishes that are shown, by category. */
import type { Translations } from "@comanda/contract/shared.ts";
import type { TFunction } from "i18next";
import { type ClipboardEvent, type KeyboardEvent, useRef } from "react";
import { DishLine, priceFieldId } from "./dish-line.tsx";
import { subjectName } from "./menu-body.ts";
import { type DishGroupShown, lacksTranslation } from "./menu-view.ts";
import { applyColumn, cellsFrom, cellsOf, type PastedColumn, readColumn } from "./paste-column.ts";
import { useOrderDrag } from "./use-list-drag.ts";
import type { MenuEditing } from "./use-menu-edit.ts";

type DishListProps = {
  t: TFunction;
  pick: (texts: Translations) => string;
  groups: readonly DishGroupShown[];
  edit: MenuEditing;
  currency: string;
  languages: readonly string[];
  chosen: ReadonlySet<string>;
  isMovable: boolean;
  onChoose: (key: string, isChosen: boolean) => void;
  onOpen: (key: string) => void;
  onPasted: (column: PastedColumn) => void;
};

/** Enter and the arrow keys lead from price to price, as in a spreadsheet. */
const onPriceKey = (event: KeyboardEvent<HTMLElement>): void => {
  if (event.altKey || !(event.target instanceof HTMLElement) || !event.target.matches(".menu-price-input")) return;
  const step =
    event.key === "ArrowDown" || (event.key === "Enter" && !event.shiftKey) ? 1 : event.key === "ArrowUp" || event.key === "Enter" ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const fields = [...event.currentTarget.querySelectorAll<HTMLElement>(".menu-price-input")];
  fields[fields.indexOf(event.target) + step]?.focus();
};

/** Several lines in a price field are a column of prices. */
const pasteColumn = (event: ClipboardEvent<HTMLElement>, { groups, edit, chosen, currency, onPasted }: DishListProps): void => {
  const field = event.target;
  const text = event.clipboardData.getData("text");
  if (!(field instanceof HTMLElement) || !field.matches(".menu-price-input") || !/\n./.test(text)) return;
  event.preventDefault();
  const first = cellsOf(groups).find(({ key, size }) => field.id === priceFieldId(key, size));
  if (!first) return;
  const column = readColumn(text, cellsFrom(cellsOf(groups), first, chosen), currency);
  // What was typed into the field before gives way to the pasted price.
  field.blur();
  edit.change((draft, plan) => applyColumn(draft, plan, column));
  field.focus();
  onPasted(column);
};

export const DishList = (props: DishListProps) => {
  const { t, pick, groups, edit, currency, languages, chosen, isMovable, onChoose, onOpen } = props;
  const container = useRef<HTMLDivElement>(null);
  const drag = useOrderDrag(container, edit.change);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the price fields inside.
    <div ref={container} className="menu-dishes" onKeyDown={onPriceKey} onPaste={(event) => pasteColumn(event, props)} {...drag}>
      {groups.map(({ category, dishes }) => (
        <section key={category.key} aria-labelledby={`menu-category-${category.key}`}>
          <h2 id={`menu-category-${category.key}`} className="menu-category" dir="auto">
            {pick(category.value.name) || t("menuEditor.unnamed")}
          </h2>
          <ul className="sheet menu-lines">
            {dishes.map((dish) => (
              <DishLine
                key={dish.key}
                t={t}
                pick={pick}
                dish={dish}
                currency={currency}
                isChosen={chosen.has(dish.key)}
                isMovable={isMovable}
                isUntranslated={lacksTranslation(dish.value, languages)}
                gaps={(edit.gaps.get(subjectName("items", dish.key)) ?? []).join(" ")}
                faults={edit.faults.bySubject.get(subjectName("items", dish.key))}
                round={edit.round}
                set={edit.set}
                change={edit.change}
                markPrice={edit.markPrice}
                onChoose={onChoose}
                onOpen={onOpen}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
};
