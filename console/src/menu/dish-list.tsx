/** The dishes that are shown, by category. */
import type { Translations } from "@comanda/contract/shared.ts";
import type { TFunction } from "i18next";
import type { KeyboardEvent } from "react";
import { DishLine } from "./dish-line.tsx";
import { subjectName } from "./menu-body.ts";
import { type DishGroupShown, lacksTranslation } from "./menu-view.ts";
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

export const DishList = ({ t, pick, groups, edit, currency, languages, chosen, isMovable, onChoose, onOpen }: DishListProps) => (
  // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the price fields inside.
  <div className="menu-dishes" onKeyDown={onPriceKey}>
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
