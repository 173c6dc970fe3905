/** Plus and minus for what is left. Taps in a row are sent as one change. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { MinusIcon, PlusIcon } from "#kit/icons.tsx";
import { formatCount } from "#kit/number-format.ts";

const SEND_AFTER_MS = 700;
/** The contract allows no more. */
const REMAINING_MAX = 999;

type CountStepperProps = { name: string; remaining: number; isPending: boolean; onChange: (remaining: number) => void };

export const CountStepper = ({ name, remaining, isPending, onChange }: CountStepperProps) => {
  const { t } = useTranslation();
  // The difference is kept, not the sum: an order that counts down meanwhile is not undone.
  const [change, setChange] = useState(0);
  const shown = Math.min(REMAINING_MAX, Math.max(0, remaining + change));
  const send = useRef(onChange);
  send.current = onChange;
  useEffect(() => {
    if (change === 0) return;
    const timer = setTimeout(() => {
      setChange(0);
      if (shown !== remaining) send.current(shown);
    }, SEND_AFTER_MS);
    return () => clearTimeout(timer);
  }, [change, shown, remaining]);
  const waiting = useRef<number | null>(null);
  waiting.current = change !== 0 && shown !== remaining ? shown : null;
  // Taps are sent also when the page is left before their time has come.
  useEffect(
    () => () => {
      if (waiting.current !== null) send.current(waiting.current);
    },
    [],
  );
  const step = (by: number): void => setChange(shown + by - remaining);
  return (
    <div className="today-stepper">
      <button
        type="button"
        className="today-step"
        aria-label={t("menuToday.less", { name })}
        disabled={isPending || shown === 0}
        onClick={() => step(-1)}
      >
        <MinusIcon size={22} />
      </button>
      <output className="today-count figures">{formatCount(shown)}</output>
      <button
        type="button"
        className="today-step"
        aria-label={t("menuToday.more", { name })}
        disabled={isPending || shown >= REMAINING_MAX}
        onClick={() => step(1)}
      >
        <PlusIcon size={22} />
      </button>
    </div>
  );
};
