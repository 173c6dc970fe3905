/** The keys of a bump bar, which is a keyboard to the browser. */
import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { readStored, writeStored } from "#kit/stored.ts";
import { actionOfKey, type BumpAction, type KeyBindings, readBindings, writeBindings } from "./key-bindings.ts";

const STORAGE_KEY = "comanda.kitchen.keys";

export const useKeyBindings = (): [KeyBindings, (bindings: KeyBindings) => void] => {
  const [bindings, setBindings] = useState(() => readBindings(readStored(STORAGE_KEY)));
  const change = useCallback((next: KeyBindings) => {
    writeStored(STORAGE_KEY, writeBindings(next));
    setBindings(next);
  }, []);
  return [bindings, change];
};

/** A button that has the focus keeps Enter for itself. After a tap it must not: the bump bar goes on with the chosen ticket. */
const isOnFocusedButton = ({ target, code }: KeyboardEvent): boolean =>
  code === "Enter" && target instanceof Element && target.matches("button:focus-visible");

const isOther = (event: KeyboardEvent): boolean =>
  event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented || isOnFocusedButton(event);

/** Keys do nothing while a dialog is open. */
export const useBumpKeys = (bindings: KeyBindings, isOn: boolean, onAction: (action: BumpAction) => void): void => {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const action = isOn && !isOther(event) ? actionOfKey(bindings, event.code) : null;
    if (action === null) return;
    event.preventDefault();
    onAction(action);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
};
