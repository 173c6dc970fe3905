/** Modifier groups, or happy hours, as a list. */
import type { HappyHourValue } from "@comanda/contract/console/menu-editor.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import { Button, Text } from "@mantine/core";
import type { TFunction } from "i18next";
import { PlusIcon } from "#kit/icons.tsx";
import { formatCount, formatMoney } from "#kit/number-format.ts";
import { ServerFaults } from "./dish-line.tsx";
import { GoneChoice } from "./gone-choice.tsx";
import { subjectName } from "./menu-body.ts";
import { type DraftSubject, dropEdit, type MenuValues } from "./menu-draft.ts";
import { moveSubject } from "./menu-order.ts";
import { MoveButtons } from "./place-head.tsx";
import type { MenuEditing } from "./use-menu-edit.ts";

type HappyHourTarget = "categoryCount" | "usedBy" | "sizeCount";
type SideList = "modifier_groups" | "happy_hours";
type SubjectRowsProps = {
  t: TFunction;
  pick: (texts: Translations) => string;
  edit: MenuEditing;
  list: SideList;
  currency: string;
  onOpen: (choice: { list: SideList; key: string }) => void;
  onAdd: (list: SideList) => void;
};

/** What a happy hour is for. Without any target it counts for no dish. */
const targetsOf = ({ categories, items, variants }: HappyHourValue): [HappyHourTarget, number][] => {
  const counts: [HappyHourTarget, number][] = [
    ["categoryCount", categories.length],
    ["usedBy", items.length],
    ["sizeCount", variants.length],
  ];
  const named = counts.filter(([, count]) => count > 0);
  return named.length > 0 ? named : [["usedBy", 0]];
};

const describeOf =
  ({ t, edit, currency }: SubjectRowsProps) =>
  (key: string, value: MenuValues[SideList]): string => {
    if ("options" in value) {
      const dishes = edit.shown.items.filter((dish) => dish.state !== "removed" && dish.value.modifier_groups.includes(key)).length;
      return [t("menuEditor.optionCount", { count: value.options.length }), t("menuEditor.usedBy", { count: dishes })].join(" · ");
    }
    const discount =
      value.percent_off !== null
        ? `−${formatCount(value.percent_off)} %`
        : value.price_minor !== null
          ? formatMoney(value.price_minor, currency)
          : "–";
    return [
      discount,
      ...targetsOf(value).map(([name, count]) => t(`menuEditor.${name}`, { count })),
      ...(value.is_active ? [] : [t("menuEditor.marks.switchedOff")]),
    ].join(" · ");
  };

export const SubjectRows = (props: SubjectRowsProps) => {
  const { t, pick, edit, list, onOpen, onAdd } = props;
  const describe = describeOf(props);
  const subjects: readonly DraftSubject<MenuValues[SideList]>[] = edit.shown[list];
  return (
    <>
      <Button className="menu-add" size="md" leftSection={<PlusIcon size={18} />} onClick={() => onAdd(list)}>
        {t(list === "modifier_groups" ? "menuEditor.addGroup" : "menuEditor.addHappyHour")}
      </Button>
      {subjects.length === 0 && <Text c="dimmed">{t(list === "modifier_groups" ? "menuEditor.noGroups" : "menuEditor.noHappyHours")}</Text>}
      <ul className="sheet menu-lines">
        {subjects.map(({ key, value, state, isAlsoChanged, isGone }) => {
          const name = pick(value.name) || t("menuEditor.unnamed");
          const isRemoved = state === "removed";
          return (
            <li key={key} className="menu-line" data-state={state}>
              <div className="menu-line-text grow">
                {isRemoved ? (
                  <s dir="auto">{name}</s>
                ) : (
                  <button type="button" className="menu-line-name" dir="auto" onClick={() => onOpen({ list, key })}>
                    {name}
                  </button>
                )}
                <span className="menu-detail">{describe(key, value)}</span>
                <span className="menu-marks">
                  {state !== "same" && (
                    <span className="menu-mark" data-kind="own">
                      {t(`menuEditor.marks.${state}`)}
                    </span>
                  )}
                </span>
                {(edit.gaps.get(subjectName(list, key)) ?? []).map((gap) => (
                  <span key={gap} className="menu-fault">
                    {t(`menuEditor.gaps.${gap}`)}
                  </span>
                ))}
                {isGone && <GoneChoice t={t} name={name} choice={{ list, key }} change={edit.change} />}
                {isAlsoChanged && <span className="menu-fault">{t("menuEditor.alsoChanged")}</span>}
                <ServerFaults faults={edit.faults.bySubject.get(subjectName(list, key)) ?? []} />
              </div>
              {isRemoved ? (
                <button type="button" className="menu-button" onClick={() => edit.change((draft) => dropEdit(draft, { list, key }))}>
                  {t("menuEditor.putBack")}
                </button>
              ) : (
                <MoveButtons
                  t={t}
                  name={name}
                  onMove={(by) => edit.change((draft, plan) => moveSubject(draft, plan, { list, parent: null, key, by }))}
                />
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
};
