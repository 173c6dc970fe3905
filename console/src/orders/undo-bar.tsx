/** Moves that are not sent yet, each with its undo. */
import { Button } from "@mantine/core";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useBottomPlace } from "#kit/bottom-place.ts";
import { useClock } from "#kit/clock.ts";
import { UndoIcon } from "#kit/icons.tsx";
import type { HeldMove } from "./undo-queue.ts";

export const UndoBar = ({ moves, onUndo }: { moves: readonly HeldMove[]; onUndo: (key: string) => void }) => {
  const { t } = useTranslation();
  const bar = useRef<HTMLElement>(null);
  useBottomPlace("undo", bar);
  return (
    <section ref={bar} className="undo-bar" aria-label={t("undo.label")} aria-live="polite">
      {moves.map((move) => (
        <UndoRow key={move.key} move={move} onUndo={onUndo} />
      ))}
    </section>
  );
};

const UndoRow = ({ move, onUndo }: { move: HeldMove; onUndo: (key: string) => void }) => {
  const { t } = useTranslation();
  const now = useClock();
  const isUnpaid = move.status === "completed" && move.unpaid !== null;
  const what = isUnpaid
    ? t("undo.completedUnpaid", { name: move.name, amount: move.unpaid })
    : t(`undo.${move.status}`, { name: move.name });
  const seconds = Math.max(0, Math.ceil((move.dueAt - now) / 1000));
  return (
    <div className="undo-row">
      <span className="grow">{what}</span>
      <span className="undo-left figures" aria-hidden="true">
        {seconds}
      </span>
      <Button
        variant="white"
        className="undo-button"
        leftSection={<UndoIcon />}
        aria-label={t("undo.undoOf", { what })}
        onClick={() => onUndo(move.key)}
      >
        {t("undo.undo")}
      </Button>
    </div>
  );
};
