/** Amounts and rates. What is typed may be incomplete for a moment; only numbers within the bounds are passed on. */
import { type Minor, minor } from "@comanda/contract/minor.ts";
import { NumberInput, type NumberInputProps } from "@mantine/core";
import { useState } from "react";
import { minorDigits, minorUnits, wholeUnits } from "#kit/number-format.ts";

type TypedNumberProps = Omit<NumberInputProps, "value" | "onChange" | "onBlur" | "clampBehavior" | "min" | "max">;
type DecimalFieldProps = TypedNumberProps & {
  value: number | null;
  max: number;
  digits: number;
  /** All digits are shown unless the field is being typed in. */
  isMoney?: boolean;
  onChange: (value: number | null) => void;
};

const DecimalField = ({ value, max, digits, isMoney = false, onChange, ...props }: DecimalFieldProps) => {
  const [typed, setTyped] = useState<number | string | null>(null);
  const type = (text: number | string): void => {
    setTyped(text);
    const number = Number(text);
    if (text === "") onChange(null);
    else if (Number.isFinite(number) && number >= 0 && number <= max) onChange(number);
  };
  return (
    <NumberInput
      size="md"
      allowNegative={false}
      decimalScale={digits}
      fixedDecimalScale={isMoney && typed === null}
      {...props}
      clampBehavior="none"
      min={0}
      max={max}
      value={typed ?? value ?? ""}
      onChange={type}
      onBlur={() => setTyped(null)}
    />
  );
};

/** The contract allows no more. */
const AMOUNT_MAX = minor(2_147_483_647);

type AmountFieldProps = TypedNumberProps & { minor: Minor | null; currency: string; onMinor: (amount: Minor | null) => void };

/** In the currency's own unit; an empty field is null. */
export const AmountField = ({ minor: amount, currency, onMinor, ...props }: AmountFieldProps) => {
  const digits = minorDigits(currency);
  return (
    <DecimalField
      {...props}
      isMoney
      digits={digits}
      max={wholeUnits(AMOUNT_MAX, currency)}
      value={amount === null ? null : wholeUnits(amount, currency)}
      onChange={(whole) => onMinor(whole === null ? null : minorUnits(whole, currency))}
    />
  );
};

type PercentFieldProps = TypedNumberProps & { percent: number; onPercent: (percent: number) => void };

export const PercentField = ({ percent, onPercent, ...props }: PercentFieldProps) => (
  <DecimalField suffix=" %" {...props} digits={3} max={100} value={percent} onChange={(value) => onPercent(value ?? 0)} />
);
