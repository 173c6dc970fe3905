/** What can be done with the menu or category that is chosen at the side: change it, move it, put it back. */
import type { Translations } from "@comanda/contract/shared.ts";
import type { TFunction } from "i18next";
import { ChevronIcon, EditIcon } from "#kit/icons.tsx";
import { ServerFaults } from "./dish-line.tsx";
import { GoneChoice } from "./gone-choice.tsx";
import { subjectName } from "./menu-body.ts";
import { dropEdit, parentOf } from "./menu-draft.ts";
import { moveSubject } from "./menu-order.ts";
import type { MenuPlace } from "./menu-view.ts";
import type { MenuEditing } from "./use-menu-edit.ts";

type PlaceHeadProps = {
  t: TFunction;
  pick: (texts: Translations) => string;
  edit: MenuEditing;
  place: MenuPlace;
  onOpen: (choice: { list: "menus" | "categories"; key: string }) => void;
};

export const PlaceHead = ({ t, pick, edit, place, onOpen }: PlaceHeadProps) => {
  if (!("key" in place)) return null;
  const list = place.kind === "menu" ? "menus" : "categories";
  const subject = edit.shown[list].find(({ key }) => key === place.key);
  if (!subject) return null;
  const { key, value, state } = subject;
  const name = pick(value.name) || t("menuEditor.unnamed");
  const faults = edit.faults.bySubject.get(subjectName(list, key)) ?? [];
  const gaps = edit.gaps.get(subjectName(list, key)) ?? [];
  const move = (by: -1 | 1): void =>
    edit.change((draft, plan) => moveSubject(draft, plan, { list, parent: parentOf(list, value), key, by }));
  const restore = (): void => edit.change((draft) => dropEdit(draft, { list, key }));
  return (
    <div className="sheet menu-place">
      <div className="menu-line-text grow">
        <b dir="auto">{state === "removed" ? <s>{name}</s> : name}</b>
        <span className="menu-marks">
          {state !== "same" && (
            <span className="menu-mark" data-kind="own">
              {t(`menuEditor.marks.${state}`)}
            </span>
          )}
          {!value.is_active && <span className="menu-mark">{t("menuEditor.marks.hidden")}</span>}
          {"station" in value && (
            <span className="menu-mark">
              {value.station === null ? t("menuEditor.noStation") : t("menuEditor.stationOf", { name: value.station })}
            </span>
          )}
        </span>
        {gaps.map((gap) => (
          <span key={gap} className="menu-fault">
            {t(`menuEditor.gaps.${gap}`)}
          </span>
        ))}
        <ServerFaults faults={faults} />
        {subject.isGone && <GoneChoice t={t} name={name} choice={{ list, key }} change={edit.change} />}
      </div>
      {state === "removed" ? (
        <button type="button" className="menu-button" onClick={restore}>
          {t("menuEditor.putBack")}
        </button>
      ) : (
        <>
          <button type="button" className="menu-button" onClick={() => onOpen({ list, key })}>
            <EditIcon size={18} /> {t("menuEditor.edit")}
          </button>
          <MoveButtons t={t} name={name} onMove={move} />
        </>
      )}
    </div>
  );
};

export const MoveButtons = ({ t, name, onMove }: { t: TFunction; name: string; onMove: (by: -1 | 1) => void }) => (
  <span className="menu-moves">
    {([-1, 1] as const).map((by) => (
      <button
        key={by}
        type="button"
        className="menu-icon-button"
        aria-label={t(by === -1 ? "menuEditor.moveUp" : "menuEditor.moveDown", { name })}
        onClick={() => onMove(by)}
      >
        <span className={by === -1 ? "turn turned" : "turn"}>
          <ChevronIcon size={20} />
        </span>
      </button>
    ))}
  </span>
);
