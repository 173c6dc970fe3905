/**
 * Dragging a bar with a mouse, a pen or a finger. A finger holds the bar first, so that it can still scroll the page. Own code instead of a
 * library: a place is a time and a row, and every frame must stay cheap with hundreds of bars (decision 0049).
 */
import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { scrollStep, useEscape } from "#kit/drag.ts";
import type { TimelineSpan } from "./timeline-place.ts";

const MOUSE_PX_MIN = 5;
const FINGER_PX_MAX = 8;
const HOLD_MS = 350;
const EDGE = { edgePx: 48, stepPx: 14 };

export type Grabbed = { bookingId: string; tableId: number; part: "bar" | "end" };
/** `rowId` is null between the tables. */
export type DragStep = { part: Grabbed["part"]; byMs: number; rowId: number | null };

type DragHandlers = {
  section: RefObject<HTMLElement | null>;
  span: TimelineSpan;
  onBegin: (grabbed: Grabbed) => boolean;
  onStep: (step: DragStep) => void;
  onDrop: () => void;
  onCancel: () => void;
};

type BarDrag = {
  grabbed: Grabbed;
  pointerId: number;
  isFinger: boolean;
  startX: number;
  startY: number;
  x: number;
  y: number;
  startScroll: number;
  isMoving: boolean;
  hold: ReturnType<typeof setTimeout> | undefined;
  frame: number;
};

const grabbedBy = (target: EventTarget | null): Grabbed | null => {
  const bar = target instanceof Element ? target.closest<HTMLElement>("[data-booking]") : null;
  if (!bar || !(target instanceof Element)) return null;
  const { booking: bookingId = "", table = "0" } = bar.dataset;
  return { bookingId, tableId: Number(table), part: target.closest("[data-grip]") ? "end" : "bar" };
};

const rowAt = (section: HTMLElement, y: number): number | null => {
  for (const row of section.querySelectorAll<HTMLElement>("[data-row]")) {
    const { top, bottom } = row.getBoundingClientRect();
    if (y >= top && y < bottom) return Number(row.dataset.row);
  }
  return null;
};

const stepOf = (section: HTMLElement, drag: BarDrag, { from, to }: TimelineSpan): DragStep => {
  const width = section.querySelector("[data-row]")?.getBoundingClientRect().width ?? 1;
  const reading = getComputedStyle(section).direction === "rtl" ? -1 : 1;
  const px = drag.x - drag.startX + (section.scrollLeft - drag.startScroll);
  return { part: drag.grabbed.part, byMs: ((px * reading) / width) * (to - from), rowId: rowAt(section, drag.y) };
};

/** Scrolls while the pointer is near an edge. */
const scrollNearEdges = (section: HTMLElement, { x, y }: BarDrag): void => {
  const { left, right } = section.getBoundingClientRect();
  section.scrollBy(scrollStep(x, left, right, EDGE), 0);
  document.scrollingElement?.scrollBy(0, scrollStep(y, 0, window.innerHeight, EDGE));
};

/** The drag that is under way, and how it begins, follows the pointer and ends. */
const useDrag = ({ section, span, onBegin, onStep, onCancel }: DragHandlers) => {
  const drag = useRef<BarDrag | null>(null);
  const end = (): BarDrag | null => {
    const ended = drag.current;
    drag.current = null;
    if (ended) {
      clearTimeout(ended.hold);
      cancelAnimationFrame(ended.frame);
    }
    return ended;
  };
  const follow = (current: BarDrag): void => {
    const element = section.current;
    if (!element || drag.current !== current) return;
    scrollNearEdges(element, current);
    onStep(stepOf(element, current, span));
    current.frame = requestAnimationFrame(() => follow(current));
  };
  const begin = (current: BarDrag): void => {
    if (!section.current || !onBegin(current.grabbed)) {
      end();
      return;
    }
    current.isMoving = true;
    section.current.setPointerCapture(current.pointerId);
    follow(current);
  };
  const cancel = (): void => {
    if (end()?.isMoving) onCancel();
  };
  return { drag, begin, end, cancel };
};

/** While a bar is moved, a finger does not scroll the page, and Escape leaves the bar where it was. */
const useDragListeners = ({ section }: DragHandlers, { drag, cancel, end }: ReturnType<typeof useDrag>): void => {
  const keepPage = useEffectEvent((event: TouchEvent) => {
    if (drag.current?.isMoving) event.preventDefault();
  });
  useEscape(cancel);
  const stop = useEffectEvent(() => void end());
  useEffect(() => {
    const element = section.current;
    const onTouch = (event: TouchEvent): void => keepPage(event);
    element?.addEventListener("touchmove", onTouch, { passive: false });
    return () => {
      element?.removeEventListener("touchmove", onTouch);
      stop();
    };
  }, [section]);
};

const dragOf = (event: ReactPointerEvent, grabbed: Grabbed, startScroll: number): BarDrag => {
  const { clientX, clientY, pointerId, pointerType } = event;
  const place = { startX: clientX, startY: clientY, x: clientX, y: clientY, startScroll };
  return { grabbed, pointerId, isFinger: pointerType === "touch", ...place, isMoving: false, hold: undefined, frame: 0 };
};

export const useTimelineDrag = (handlers: DragHandlers) => {
  const { section, span, onStep, onDrop } = handlers;
  const life = useDrag(handlers);
  useDragListeners(handlers, life);
  const { drag, begin, end, cancel } = life;
  /** The click that the browser sends after a drop must not open the booking. */
  const isClickOver = useRef(false);
  return {
    onPointerDown: (event: ReactPointerEvent): void => {
      isClickOver.current = false;
      const grabbed = event.button === 0 && drag.current === null ? grabbedBy(event.target) : null;
      if (!grabbed || !section.current) return;
      const current = dragOf(event, grabbed, section.current.scrollLeft);
      if (current.isFinger) current.hold = setTimeout(() => begin(current), HOLD_MS);
      drag.current = current;
    },
    onPointerMove: (event: ReactPointerEvent): void => {
      const current = drag.current;
      if (!current || event.pointerId !== current.pointerId) return;
      [current.x, current.y] = [event.clientX, event.clientY];
      if (current.isMoving) return;
      // It was released outside of the timeline.
      if (event.buttons === 0) end();
      const px = Math.hypot(current.x - current.startX, current.y - current.startY);
      if (current.isFinger && px > FINGER_PX_MAX) end();
      if (!current.isFinger && drag.current === current && px >= MOUSE_PX_MIN) begin(current);
    },
    onPointerUp: ({ pointerId }: ReactPointerEvent): void => {
      // Another finger that touched the page meanwhile does not drop the bar.
      if (drag.current?.pointerId !== pointerId) return;
      const current = end();
      if (!current?.isMoving || !section.current) return;
      isClickOver.current = true;
      onStep(stepOf(section.current, current, span));
      onDrop();
    },
    onPointerCancel: ({ pointerId }: ReactPointerEvent): void => {
      if (drag.current?.pointerId === pointerId) cancel();
    },
    onContextMenu: (event: { preventDefault: () => void }): void => {
      if (drag.current?.isFinger) event.preventDefault();
    },
    onClickCapture: (event: { stopPropagation: () => void; preventDefault: () => void }): void => {
      if (!isClickOver.current) return;
      isClickOver.current = false;
      event.stopPropagation();
      event.preventDefault();
    },
  };
};
