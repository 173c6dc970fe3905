import { useEffect, useRef, useState } from "react";

/** The value, or while a pointer is down the value before that: a button that moves between press and release loses the click. */
export const useWhileReleased = <T>(value: T): T => {
  const latest = useRef(value);
  const [held, setHeld] = useState<{ value: T } | null>(null);
  useEffect(() => {
    latest.current = value;
  });
  useEffect(() => {
    const press = () => setHeld({ value: latest.current });
    // The click comes after the release.
    const release = () => void setTimeout(() => setHeld(null));
    window.addEventListener("pointerdown", press, true);
    window.addEventListener("pointerup", release, true);
    window.addEventListener("pointercancel", release, true);
    return () => {
      window.removeEventListener("pointerdown", press, true);
      window.removeEventListener("pointerup", release, true);
      window.removeEventListener("pointercancel", release, true);
    };
  }, []);
  return held ? held.value : value;
};
