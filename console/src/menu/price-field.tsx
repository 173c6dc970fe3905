/** A price that is changed in place. What is typed is passed on while it is a price; other texts stay and are marked. */
import type { Minor } from "@comanda/contract/minor.ts";
import { useEffect, useState } from "react";
import { readPrice, writePrice } from "#kit/amounts.ts";

type PriceFieldProps = {
  /** Unique in the page. */
  id: string;
  label: string;
  currency: string;
  /** Said while the text is no price. */
  wrongText: string;
  minor: Minor | null;
  onPrice: (price: Minor) => void;
  onWrong: (id: string, isWrong: boolean) => void;
};

export const PriceField = ({ id, label, currency, wrongText, minor, onPrice, onWrong }: PriceFieldProps) => {
  const [typed, setTyped] = useState<string | null>(null);
  const isWrong = typed !== null && readPrice(typed, currency) === null;
  useEffect(() => {
    if (!isWrong) return;
    onWrong(id, true);
    return () => onWrong(id, false);
  }, [id, isWrong, onWrong]);
  return (
    <span className="menu-price">
      <input
        id={id}
        className="menu-price-input figures"
        aria-label={label}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `${id}-wrong` : undefined}
        inputMode="decimal"
        autoComplete="off"
        dir="ltr"
        maxLength={16}
        value={typed ?? (minor === null ? "" : writePrice(minor, currency))}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value);
          const price = readPrice(value, currency);
          if (price !== null) onPrice(price);
        }}
        onBlur={() => {
          if (!isWrong) setTyped(null);
        }}
      />
      {isWrong && (
        <span id={`${id}-wrong`} className="menu-fault">
          {wrongText}
        </span>
      )}
    </span>
  );
};
