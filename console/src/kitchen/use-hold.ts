/** A tap, and a longer press on the same element. */
import { type MouseEvent, type PointerEvent, useEffect, useRef } from "react";

const HOLD_MS = 600;
const SAME_PRESS_MS = 1000;
/** A finger that moves further scrolls or slips. */
const MOVE_PX_MAX = 24;

type Press = { timer: ReturnType<typeof setTimeout>; x: number; y: number };

/** `onTap` is not called for the second tap of a double tap: by then another ticket can be at the same place. */
export const useHold = (onTap: () => void, onHold: () => void) => {
  const press = useRef<Press | null>(null);
  const isHeld = useRef(false);
  const heldAt = useRef(0);
  const end = (): void => {
    if (press.current) clearTimeout(press.current.timer);
    press.current = null;
  };
  const hold = (): void => {
    end();
    isHeld.current = true;
    heldAt.current = Date.now();
    onHold();
  };
  useEffect(() => () => clearTimeout(press.current?.timer), []);
  return {
    onPointerDown({ button, clientX, clientY }: PointerEvent): void {
      isHeld.current = false;
      end();
      if (button === 0) press.current = { timer: setTimeout(hold, HOLD_MS), x: clientX, y: clientY };
    },
    onPointerMove({ clientX, clientY }: PointerEvent): void {
      const start = press.current;
      if (start && Math.hypot(clientX - start.x, clientY - start.y) > MOVE_PX_MAX) end();
    },
    onPointerUp: end,
    onPointerLeave: end,
    onPointerCancel: end,
    onContextMenu(event: MouseEvent): void {
      event.preventDefault();
      // Some browsers send it for the same long press.
      if (Date.now() - heldAt.current >= SAME_PRESS_MS) hold();
    },
    onClick({ detail }: MouseEvent): void {
      // A key gives no detail, and is never a part of a long press.
      const wasHeld = isHeld.current && detail > 0;
      isHeld.current = false;
      if (!wasHeld && detail <= 1) onTap();
    },
  };
};
