/** Dark, unless this device was set to light. The display does not follow the colours of the console. */
import { useCallback, useState } from "react";
import { readStored, writeStored } from "#kit/stored.ts";

export type DisplayLook = "dark" | "light";

const STORAGE_KEY = "comanda.kitchen.look";

export const useDisplayLook = (): { look: DisplayLook; toggle: () => void } => {
  const [look, setLook] = useState<DisplayLook>(() => (readStored(STORAGE_KEY) === "light" ? "light" : "dark"));
  const toggle = useCallback(() => {
    const next = look === "dark" ? "light" : "dark";
    writeStored(STORAGE_KEY, next);
    setLook(next);
  }, [look]);
  return { look, toggle };
};
