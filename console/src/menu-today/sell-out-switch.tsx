/** A name with its state, and a big switch beside it. Off is one tap to end; on opens the choices. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

type SellOutSwitchProps = {
  id: string;
  name: string;
  detail?: string;
  state: string;
  isSoldOut: boolean;
  isOpen: boolean;
  isPending: boolean;
  onToggle: () => void;
  children?: ReactNode;
};

export const SellOutSwitch = ({ id, name, detail, state, isSoldOut, isOpen, isPending, onToggle, children }: SellOutSwitchProps) => {
  const { t } = useTranslation();
  return (
    <li className="today-row" data-sold-out={isSoldOut || undefined}>
      <div className="today-line">
        <div className="today-text">
          <span className="today-name">
            <bdi>{name}</bdi>
          </span>
          {detail && <span className="today-detail">{detail}</span>}
          <span className="today-state">{state}</span>
        </div>
        <button
          type="button"
          className="today-switch"
          aria-label={t(isSoldOut ? "menuToday.bringBack" : "menuToday.sellOut", { name })}
          {...(isSoldOut ? {} : { "aria-expanded": isOpen, "aria-controls": id })}
          aria-busy={isPending}
          disabled={isPending}
          onClick={onToggle}
        >
          <span className="today-track">
            <span className="today-knob" />
          </span>
        </button>
      </div>
      {children}
    </li>
  );
};
