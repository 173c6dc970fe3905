/**
 * Marks the body while something is shown, for styles of other parts of the page. A style with `body:has(…)` would do the same, but the
 * browser then looks through the whole page after each change: on a board of 300 orders that took longer than drawing the change.
 */
import { useLayoutEffect } from "react";

export const useBodyMark = (name: "notCurrent" | "kitchen", isOn = true): void => {
  useLayoutEffect(() => {
    if (!isOn) return;
    document.body.dataset[name] = "";
    return () => {
      delete document.body.dataset[name];
    };
  }, [name, isOn]);
};
