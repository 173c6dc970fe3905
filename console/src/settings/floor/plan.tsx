/** The plan of a branch: tables as buttons that can be dragged, or moved by arrow keys. */
import type { TablePlace } from "@comanda/contract/venue-file/restaurant.ts";
import { VisuallyHidden } from "@mantine/core";
import { type RefObject, useId, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { placeTables } from "#kit/floor-layout.ts";
import { NoIcon, PersonIcon, WarningIcon } from "#kit/icons.tsx";
import type { DraftTable } from "./floor-draft.ts";
import { useTableDrag } from "./use-table-drag.ts";

type PlanProps = {
  name: string;
  tables: readonly DraftTable[];
  chosenId: number | null;
  /** Tables with an error. */
  wrongIds: ReadonlySet<number>;
  onChoose: (id: number) => void;
  onMove: (id: number, place: TablePlace) => void;
};

export const Plan = ({ name, tables, chosenId, wrongIds, onChoose, onMove }: PlanProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "floor" });
  const field = useRef<HTMLDivElement>(null);
  const hint = useId();
  const places = useMemo(() => placeTables(tables), [tables]);
  return (
    <div className="floor-side">
      <div className="floor-frame">
        <fieldset className="editor-plan" aria-label={t("plan", { branch: name })} aria-describedby={hint}>
          <div className="floor-field" ref={field}>
            {tables.map((table) => (
              <PlanTableButton
                key={table.id}
                table={table}
                place={places.get(table.id) ?? { x: 50, y: 50 }}
                field={field}
                isChosen={table.id === chosenId}
                isWrong={wrongIds.has(table.id)}
                onChoose={() => onChoose(table.id)}
                onMove={(place) => onMove(table.id, place)}
              />
            ))}
          </div>
        </fieldset>
      </div>
      <p id={hint} className="floor-hint">
        {t("planHint")}
      </p>
    </div>
  );
};

type PlanTableButtonProps = {
  table: DraftTable;
  place: TablePlace;
  field: RefObject<HTMLElement | null>;
  isChosen: boolean;
  isWrong: boolean;
  onChoose: () => void;
  onMove: (place: TablePlace) => void;
};

const PlanTableButton = ({ table, place, field, isChosen, isWrong, onChoose, onMove }: PlanTableButtonProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "floor" });
  const drag = useTableDrag(field, place, onMove);
  const { name, seats, shape, is_active } = table;
  const notes = [...(is_active ? [] : [t("off")]), ...(isWrong ? [t("wrong")] : [])];
  return (
    <button
      type="button"
      className="editor-table"
      data-shape={shape}
      data-off={is_active ? undefined : true}
      aria-pressed={isChosen}
      style={{ left: `${place.x}%`, top: `${place.y}%` }}
      onClick={onChoose}
      onFocus={onChoose}
      {...drag}
    >
      <VisuallyHidden>{[t("summary", { name, count: seats }), ...notes].join(", ")}</VisuallyHidden>
      <span className="editor-table-name" aria-hidden="true">
        <bdi>{name}</bdi>
      </span>
      <span className="editor-table-seats figures" aria-hidden="true">
        {is_active ? <PersonIcon size={13} /> : <NoIcon size={13} />} {seats}
        {isWrong && <WarningIcon size={15} />}
      </span>
    </button>
  );
};
