/** Rows of a spreadsheet become dishes and prices of the draft. Rows with a fault stay in the field. */
import type { MenuPlan } from "@comanda/contract/console/menu-editor.ts";
import { Button, Stack, Textarea } from "@mantine/core";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatMoney } from "#kit/number-format.ts";
import type { MenuPlace } from "./menu-view.ts";
import { addRows, isRightRow, type PastedCell, type PastedRow, readRows } from "./paste-rows.ts";
import type { MenuEditing } from "./use-menu-edit.ts";

const TEXT_MAX = 200_000;
const SHOWN_MAX = 200;

type PasteToolProps = { plan: MenuPlan; edit: MenuEditing; place: MenuPlace; onClose: () => void };

export const PasteTool = ({ plan, edit, place, onClose }: PasteToolProps) => {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const category = place.kind === "category" ? place.key : null;
  const { shown } = edit;
  const rows = useMemo(() => readRows(text, { shown, currency: plan.currency, category }), [text, shown, plan.currency, category]);
  const right = rows.filter(isRightRow);
  const apply = (): void => {
    edit.change((draft, present) => addRows(draft, present, shown, right));
    const wrong = rows.filter((row) => !isRightRow(row));
    setText(wrong.map(({ line }) => line).join("\n"));
    if (wrong.length === 0) onClose();
  };
  return (
    <Stack gap="md" className="menu-form">
      <Textarea
        data-autofocus
        size="md"
        label={t("menuEditor.pasteLabel")}
        description={t("menuEditor.pasteHint")}
        autosize
        minRows={4}
        maxRows={10}
        maxLength={TEXT_MAX}
        dir="auto"
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value)}
      />
      <Button size="md" disabled={right.length === 0} onClick={apply}>
        {t("menuEditor.applyRows", { count: right.length })}
      </Button>
      {rows.length > 0 && <PastedTable rows={rows.slice(0, SHOWN_MAX)} plan={plan} edit={edit} />}
    </Stack>
  );
};

const PastedTable = ({ rows, plan, edit }: { rows: readonly PastedRow[]; plan: MenuPlan; edit: MenuEditing }) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const textOfCell = (row: PastedRow, cell: PastedCell): string => {
    if (cell === "name") return row.name;
    if (cell === "price") return row.minor === null ? row.price : formatMoney(row.minor, plan.currency);
    return pick(edit.shown.categories.find(({ key }) => key === row.categoryKey)?.value.name ?? {}) || row.category;
  };
  return (
    <table className="menu-table">
      <caption>{t("menuEditor.preview")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("menuEditor.name")}</th>
          <th scope="col">{t("menuEditor.price")}</th>
          <th scope="col">{t("menuEditor.category")}</th>
          <th scope="col">{t("menuEditor.effect")}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr
            // biome-ignore lint/suspicious/noArrayIndexKey: two rows can be equal, and have no state.
            key={at}
          >
            {(["name", "price", "category"] as const).map((cell) => {
              const fault = row.faults[cell];
              return (
                <td key={cell} data-wrong={fault ? "" : undefined} dir="auto">
                  {textOfCell(row, cell)}
                  {fault && <span className="menu-fault">{t(`menuEditor.pasteFaults.${fault}`)}</span>}
                </td>
              );
            })}
            <td>
              {t(isRightRow(row) ? (row.dish === null ? "menuEditor.effects.new" : "menuEditor.effects.price") : "menuEditor.effects.none")}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
