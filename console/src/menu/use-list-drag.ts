/**
 * Dragging a row of a list by its grip, with a mouse, a pen or a finger. Only the place of the drop is drawn, so that a list of hundreds of rows
 * is not drawn again with every step; Escape leaves the row where it was.
 */

import type { OrderedList } from "@comanda/contract/console/menu-editor.ts";
import { type PointerEvent, type RefObject, useRef } from "react";
import { scrollStep, useEscape } from "#kit/drag.ts";
import { placeSubject } from "./menu-order.ts";
import type { MenuEditing } from "./use-menu-edit.ts";

/** What is dropped in a list of the menu gets its place in the draft. */
export const useOrderDrag = (container: RefObject<HTMLElement | null>, change: MenuEditing["change"]) =>
  useListDrag(container, ({ list: name, key, before }: ListDrop) => {
    const [list = "", parent = ""] = name.split(" ");
    change((draft, plan) => placeSubject(draft, plan, { list: list as OrderedList, parent: parent === "" ? null : parent, key, before }));
  });

/** `list` is the name of its order in the draft. */
export type ListDrop = { list: string; key: string; before: string | null };

type RowDrag = ListDrop & { pointerId: number; row: HTMLElement; mark: HTMLElement | null };

const EDGE = { edgePx: 56, stepPx: 12 };

const rowsOfList = (container: HTMLElement, list: string): HTMLElement[] =>
  [...container.querySelectorAll<HTMLElement>("[data-drag-key]")].filter(({ dataset }) => dataset.dragList === list);

const unmark = ({ mark, row }: RowDrag): void => {
  delete mark?.dataset.drop;
  delete row.dataset.dragging;
};

/** The row that the pointer is above the middle of gets a line before it; below all of them, the last one a line behind it. */
const follow = (container: HTMLElement, drag: RowDrag, y: number): void => {
  const rows = rowsOfList(container, drag.list);
  const next = rows.find((row) => {
    const { top, height } = row.getBoundingClientRect();
    return y < top + height / 2;
  });
  const mark = next ?? rows.at(-1) ?? null;
  if (drag.mark !== mark) delete drag.mark?.dataset.drop;
  if (mark) mark.dataset.drop = next ? "before" : "after";
  drag.mark = mark;
  drag.before = next?.dataset.dragKey ?? null;
};

const scrollNearEdges = (container: HTMLElement, y: number): void => {
  document.scrollingElement?.scrollBy(0, scrollStep(y, 0, window.innerHeight, EDGE));
  const { top, bottom } = container.getBoundingClientRect();
  if (container.scrollHeight > container.clientHeight) container.scrollBy(0, scrollStep(y, top, bottom, EDGE));
};

export const useListDrag = (container: RefObject<HTMLElement | null>, onDrop: (drop: ListDrop) => void) => {
  const drag = useRef<RowDrag | null>(null);
  const end = (): RowDrag | null => {
    const ended = drag.current;
    drag.current = null;
    if (ended) unmark(ended);
    return ended;
  };
  useEscape(() => void end());
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      const grip = event.target instanceof Element ? event.target.closest("[data-grip]") : null;
      const row = grip?.closest<HTMLElement>("[data-drag-key]");
      if (event.button !== 0 || drag.current || !row || !container.current) return;
      event.preventDefault();
      container.current.setPointerCapture(event.pointerId);
      const { dragKey: key = "", dragList: list = "" } = row.dataset;
      row.dataset.dragging = "";
      drag.current = { pointerId: event.pointerId, key, list, row, mark: null, before: null };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>): void => {
      if (drag.current?.pointerId !== event.pointerId || !container.current) return;
      scrollNearEdges(container.current, event.clientY);
      follow(container.current, drag.current, event.clientY);
    },
    onPointerUp: (event: PointerEvent<HTMLElement>): void => {
      if (drag.current?.pointerId !== event.pointerId) return;
      const ended = end();
      if (ended?.mark && ended.before !== ended.key) onDrop({ list: ended.list, key: ended.key, before: ended.before });
    },
    onPointerCancel: (event: PointerEvent<HTMLElement>): void => {
      if (drag.current?.pointerId === event.pointerId) end();
    },
  };
};
