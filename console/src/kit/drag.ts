/** What every drag needs: scrolling near an edge, and Escape, which leaves the thing where it was. */
import { useEffect, useEffectEvent } from "react";

type Edge = { edgePx: number; stepPx: number };

/** How far to scroll while the pointer stands at this place between two edges. */
export const scrollStep = (at: number, begin: number, end: number, { edgePx, stepPx }: Edge): number => {
  if (at < begin + edgePx) return -stepPx;
  return at > end - edgePx ? stepPx : 0;
};

export const useEscape = (onEscape: () => void): void => {
  const leave = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === "Escape") onEscape();
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => leave(event);
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
};
