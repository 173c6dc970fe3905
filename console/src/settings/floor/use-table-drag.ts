/** Moves a table by pointer or arrow keys. Places are in per cent of the field, which is never mirrored. */
import type { TablePlace } from "@comanda/contract/venue-file/restaurant.ts";
import { type KeyboardEvent, type PointerEvent, type RefObject, useRef } from "react";

const STEP = 1;
const STEP_FAR = 5;
/** A finger that only taps moves a little. */
const TAP_PX_MAX = 4;

const DIRECTIONS: Record<string, TablePlace> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

type Drag = { pointerId: number; startX: number; startY: number; from: TablePlace; isMoving: boolean };

export const useTableDrag = (field: RefObject<HTMLElement | null>, place: TablePlace, onMove: (place: TablePlace) => void) => {
  const drag = useRef<Drag | null>(null);
  const end = (): void => {
    drag.current = null;
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = { pointerId: event.pointerId, startX: event.clientX, startY: event.clientY, from: place, isMoving: false };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>): void => {
      const known = drag.current;
      const box = field.current?.getBoundingClientRect();
      if (!known || !box || known.pointerId !== event.pointerId) return;
      const [dx, dy] = [event.clientX - known.startX, event.clientY - known.startY];
      if (!known.isMoving && Math.hypot(dx, dy) < TAP_PX_MAX) return;
      known.isMoving = true;
      onMove({ x: known.from.x + (dx / box.width) * 100, y: known.from.y + (dy / box.height) * 100 });
    },
    onPointerUp: end,
    onPointerCancel: end,
    onKeyDown: (event: KeyboardEvent<HTMLElement>): void => {
      const direction = DIRECTIONS[event.key];
      if (!direction || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const step = event.shiftKey ? STEP_FAR : STEP;
      onMove({ x: place.x + direction.x * step, y: place.y + direction.y * step });
    },
  };
};
