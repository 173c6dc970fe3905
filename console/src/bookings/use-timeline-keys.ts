/** Moving a bar without a mouse: M begins, arrows choose table and time, with Shift the length, Enter moves, Escape leaves it. */
import type { DayBooking, FloorTable } from "@comanda/contract/console/bookings.ts";
import { type FocusEvent, type KeyboardEvent, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { type PageKey, usePageKeys } from "#shell/page-keys.tsx";
import { type BarPlace, lengthenedBy, movedBy, STEP_MS, tableAfter } from "./timeline-moves.ts";
import type { TimelineMove, TimelineMoves } from "./use-timeline-move.ts";

const useKeyList = (): readonly PageKey[] => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings.move.keys" });
  return useMemo(
    () => [
      { keys: ["M"], label: t("begin") },
      { keys: ["←", "→"], label: t("time") },
      { keys: ["↑", "↓"], label: t("table") },
      { keys: ["Shift + →"], label: t("length") },
      { keys: ["Enter"], label: t("commit") },
      { keys: ["Esc"], label: t("cancel") },
    ],
    [t],
  );
};

const barOf = (target: EventTarget): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>("[data-booking]") : null;

/** Null for a key that moves nothing. */
const stepOfKey = (
  { key, shiftKey, currentTarget }: Pick<KeyboardEvent, "key" | "shiftKey"> & { currentTarget: Element },
  tables: readonly FloorTable[],
): ((move: TimelineMove) => BarPlace) | null => {
  if (key === "ArrowUp" || key === "ArrowDown") {
    const rows = key === "ArrowUp" ? -1 : 1;
    return ({ wanted }) => ({ ...wanted, tableId: tableAfter(tables, wanted.tableId, rows) });
  }
  if (key !== "ArrowLeft" && key !== "ArrowRight") return null;
  const reading = getComputedStyle(currentTarget).direction === "rtl" ? -1 : 1;
  const by = (key === "ArrowRight" ? 1 : -1) * reading * STEP_MS;
  return shiftKey ? ({ wanted }) => lengthenedBy(wanted, by) : ({ booking, wanted }) => movedBy(booking, wanted, wanted.tableId, by);
};

const focusBar = (bookingId: string, tableId: number): void => {
  const bars = [...document.querySelectorAll<HTMLElement>(`[data-booking="${bookingId}"]`)];
  (bars.find(({ dataset }) => dataset.table === String(tableId)) ?? bars[0])?.focus();
};

/** A place below the edge of the window would be chosen unseen. */
const showGhost = (): void => {
  requestAnimationFrame(() => document.querySelector(".timeline-ghost")?.scrollIntoView({ block: "nearest", inline: "nearest" }));
};

type TimelineKeys = {
  moves: TimelineMoves;
  tables: readonly FloorTable[];
  /** False when the booking cannot be moved. */
  onBegin: (bookingId: string, tableId: number) => boolean;
};

export const useTimelineKeys = ({ moves, tables, onBegin }: TimelineKeys) => {
  usePageKeys(useKeyList());
  const commit = async (): Promise<void> => {
    const tableId = moves.move?.wanted.tableId ?? 0;
    const moved: DayBooking | null = await moves.commit();
    // The bar is in another row now, as a new element.
    if (moved) requestAnimationFrame(() => focusBar(moved.reservation.id, tableId));
  };
  const act = (event: KeyboardEvent, bar: HTMLElement): boolean => {
    if (!moves.move) {
      const isPlain = !(event.ctrlKey || event.metaKey || event.altKey);
      return event.code === "KeyM" && isPlain && onBegin(bar.dataset.booking ?? "", Number(bar.dataset.table));
    }
    if (event.key === "Enter") {
      if (!moves.refuse()) void commit();
    } else if (event.key === "Escape") moves.cancel();
    else {
      const step = stepOfKey(event, tables);
      if (!step) return false;
      moves.propose(step);
      showGhost();
    }
    return true;
  };
  return {
    onKeyDown: (event: KeyboardEvent): void => {
      const bar = barOf(event.target);
      if (bar && act(event, bar)) event.preventDefault();
    },
    /** A bar that lost the focus cannot be moved by keys any more. */
    onBlur: (event: FocusEvent): void => {
      if (barOf(event.target)) moves.cancel();
    },
  };
};
