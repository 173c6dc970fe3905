/** The keys of the page, shown by `?`. */
import { ActionIcon, Kbd, Tooltip } from "@mantine/core";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "#kit/dialog.tsx";

export type PageKey = { keys: string[]; label: string };

let current: readonly PageKey[] = [];
const listeners = new Set<() => void>();

const setKeys = (keys: readonly PageKey[]): void => {
  current = keys;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Announces the keys of a page while it is shown. The list must keep its identity between renders. */
export const usePageKeys = (keys: readonly PageKey[]): void => {
  useEffect(() => {
    setKeys(keys);
    return () => setKeys([]);
  }, [keys]);
};

const TYPING = "input, textarea, select, [contenteditable]";

/** Keys written into a field, pressed in a dialog or menu, or held with a modifier are not commands. */
export const isCommandKey = (event: KeyboardEvent): boolean =>
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !event.defaultPrevented &&
  !(event.target instanceof Element && event.target.closest(`${TYPING}, [role=dialog], [role=menu]`));

export const KeysButton = () => {
  const { t } = useTranslation();
  const keys = useSyncExternalStore(subscribe, () => current);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "?" && isCommandKey(event)) setIsOpen(true);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  const all = [...keys, { keys: ["?"], label: t("keys.help") }];
  return (
    <>
      <Tooltip label={t("keys.title")}>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={t("keys.title")} onClick={() => setIsOpen(true)} visibleFrom="sm">
          <span aria-hidden="true" className="keys-mark">
            ?
          </span>
        </ActionIcon>
      </Tooltip>
      <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title={t("keys.title")}>
        <dl className="key-list">
          {all.map(({ keys: caps, label }) => (
            <div key={label}>
              <dt>
                {caps.map((cap) => (
                  <Kbd key={cap}>{cap}</Kbd>
                ))}
              </dt>
              <dd>{label}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </>
  );
};
