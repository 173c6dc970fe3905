/**
 * What lies at the lower edge of the window says how high it is. Toasts are stacked above it, and a field that gets the focus is scrolled clear
 * of it. The height is measured, because a bar has as many rows as it needs.
 */
import { type RefObject, useLayoutEffect } from "react";

type BottomPlace = "undo" | "save" | "menu";

const GAP_PX = 20;

export const useBottomPlace = (place: BottomPlace, bar: RefObject<HTMLElement | null>, isShown = true): void => {
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const name = `--${place}-bar-height`;
    const measured = bar.current;
    if (!isShown || measured === null) return;
    const observer = new ResizeObserver(() => {
      const { height } = measured.getBoundingClientRect();
      style.setProperty(name, height === 0 ? "0px" : `${Math.ceil(height) + GAP_PX}px`);
    });
    observer.observe(measured);
    return () => {
      observer.disconnect();
      style.removeProperty(name);
    };
  }, [place, bar, isShown]);
};
