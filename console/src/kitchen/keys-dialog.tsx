/** Lists the keys of a bump bar and learns others. */
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { BigDialog } from "./big-dialog.tsx";
import {
  BUMP_ACTIONS,
  type BumpAction,
  canLearn,
  DEFAULT_BINDINGS,
  type KeyBindings,
  keyLabel,
  learnKey,
  placeOf,
} from "./key-bindings.ts";

type KeysProps = { bindings: KeyBindings; onChange: (bindings: KeyBindings) => void; onClose: () => void };

const useActionNames = () => {
  const { t } = useTranslation();
  return (action: BumpAction): string => {
    const place = placeOf(action);
    if (place !== null) return t("kitchen.keys.actions.bumpPlace", { place: place + 1 });
    return t(`kitchen.keys.actions.${action as Exclude<BumpAction, `bump_${number}`>}`);
  };
};

export const KeysDialog = ({ bindings, onChange, onClose }: KeysProps) => {
  const { t } = useTranslation();
  const nameOf = useActionNames();
  const [learning, setLearning] = useState<BumpAction | null>(null);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (learning === null || !canLearn(event.code)) return;
    event.preventDefault();
    event.stopPropagation();
    onChange(learnKey(bindings, learning, event.code));
    setLearning(null);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event);
    window.addEventListener("keydown", listen, true);
    return () => window.removeEventListener("keydown", listen, true);
  }, []);
  return (
    <BigDialog title={t("kitchen.keys.title")} onClose={onClose}>
      <p className="kd-lead">{t("kitchen.keys.lead")}</p>
      <ul className="kd-keys">
        {BUMP_ACTIONS.map((action) => {
          const code = bindings[action];
          const key = learning === action ? t("kitchen.keys.press") : code === null ? t("kitchen.keys.none") : keyLabel(code);
          return (
            <li key={action}>
              <button
                type="button"
                className="kd-key-row"
                aria-pressed={learning === action}
                onClick={() => setLearning(learning === action ? null : action)}
              >
                <span>{nameOf(action)}</span>
                <kbd className="kd-kbd">{key}</kbd>
              </button>
            </li>
          );
        })}
      </ul>
      <button type="button" className="kd-button" onClick={() => onChange(DEFAULT_BINDINGS)}>
        {t("kitchen.keys.reset")}
      </button>
    </BigDialog>
  );
};
